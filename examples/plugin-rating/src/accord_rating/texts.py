"""Texts for annotators and researchers: guidelines, explanations, and sentences about the methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.numerics.printed import coefficient
from accord_rating.options import RANKING, scales_of
from annotate.tasktypes import (
    AnswerPart,
    Elicitation,
    Explanation,
    FigureRow,
    FigureTable,
    Methods,
    MethodText,
    Publication,
    with_interval,
)
from annotate.tasktypes.elicitation import NO_INSTRUMENT, OTHER, RELATIVE
from annotate.tasktypes.elicitation import RANKING as RANKING_FORM
from annotate.tasktypes.methods import KRIPPENDORFF

GUIDELINES = """
Read all texts of a question before you answer.

If there are scales, move each slider to the position that fits the text. Use the whole scale. The words below the
slider describe some of its positions, and you can choose any position between them.

If you are asked for an order, put the best text first.
"""

EXPLANATIONS = {
    "headline": Explanation(
        "Agreement of annotators",
        "For ratings, this is Krippendorff’s α for intervals, averaged over the scales. For orders, it is Kendall’s W, "
        "averaged over the questions with at least two orders. Its interval resamples questions.",
        "Krippendorff (2019), Content Analysis, chapter 12; Kendall and Gibbons (1990), Rank Correlation Methods, "
        "chapter 6.",
        "rating#results",
    ),
    "interval": Explanation(
        "95% interval for an item",
        "The interval resamples the differences between the judgements of an item and their mean, from all items "
        "together, because one item has too few judgements.",
        "Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.3.",
        "rating#results",
    ),
}

FIGURES = (
    FigureTable(
        "Agreement",
        (FigureRow("First scale", "scales.0.agreement"), FigureRow("Items judged", "scales.0.items", "count")),
    ),
)

KENDALL = Publication(
    "kendall-gibbons-1990",
    "Kendall and Gibbons, 1990",
    "book",
    {
        "author": "Kendall, Maurice and Gibbons, Jean Dickinson",
        "title": "Rank Correlation Methods",
        "edition": "5",
        "publisher": "Edward Arnold",
        "year": "1990",
    },
)


def elicitation(options: Mapping[str, Any]) -> Elicitation:
    """Return how a study with these options asks for answers, in the terms of HEDS."""
    if options.get("mode") == RANKING:
        return Elicitation(
            criterion=options["ask"],
            mode=RELATIVE,
            task="Annotators put the items of a question in an order."
            + (" Ties are allowed." if options["ties"] else ""),
            form=RANKING_FORM,
            intervals="Intervals for items come from resampled deviations, and those for Kendall’s W from questions.",
        )
    scales = scales_of(options)
    values = "; ".join(
        f"{scale.name}: {', '.join(f'{value} = {words}' for value, words in scale.anchors)}" for scale in scales
    )
    return Elicitation(
        criterion=", ".join(scale.name for scale in scales),
        size=str(scales[0].high - scales[0].low + 1) if len(scales) == 1 else NO_INSTRUMENT,
        values=values,
        presented="3. Slider",
        task="Annotators move a slider for each item and scale. A slider has no position until it is moved.",
        form=OTHER,
        intervals="Intervals for items come from resampled deviations, and those for α from resampled questions.",
    )


def methods(result: Mapping[str, Any]) -> Methods:
    """Return the sentences that hold for a report."""
    scales: Sequence[Mapping[str, Any]] = result.get("scales", ())
    if not scales:
        return Methods()
    if result["mode"] == RANKING:
        task = "Annotators put the items of each question in an order."
        score = (
            "The score of an item is its mean Borda score, which is the share of the other items in a question that it "
            "precedes. Ties count as half."
        )
        figure, source = "Kendall’s W {@kendall-gibbons-1990}, averaged over questions, is", KENDALL
    else:
        task = "Annotators rated each item with sliders that had no initial position."
        score = "The score of an item is the mean of its ratings."
        figure, source = "Krippendorff’s α {@krippendorff-2019} for intervals is", KRIPPENDORFF
    agreement = []
    for place, scale in enumerate(scales):
        if scale["agreement"]["value"] is None:
            continue
        letter = "abcde"[place]
        path = f"result.scales[{place}].agreement"
        about = "" if len(scales) == 1 else f"For the scale “{{scale_{letter}}}”, "
        figures: dict[str, Any] = {f"scale_{letter}": f"result.scales[{place}].name"} if about else {}
        if scale["agreement"].get("low") is None:
            text, own = f"{{agreement_{letter}}}.", {f"agreement_{letter}": (f"{path}.value", coefficient)}
        else:
            text = (
                f"{{agreement_{letter}}}, with a 95% confidence interval from {{agreement_{letter}_low}} to "
                f"{{agreement_{letter}_high}} over resampled questions."
            )
            own = with_interval(f"agreement_{letter}", path)
        agreement.append(MethodText(f"{about}{figure} {text}", figures | own, [source]))
    return Methods([MethodText(task)], aggregation=[MethodText(score)], agreement=agreement)


def differing_parts(
    given: Mapping[str, Any], expected: Mapping[str, Any], texts: Sequence[str], options: Mapping[str, Any]
) -> tuple[list[AnswerPart], list[AnswerPart]]:
    """Return, for each text with another expected answer, the own and the expected answer."""
    own, right = [], []
    name = "ranks" if "ranks" in expected else "ratings"
    for text, mine, theirs in zip(texts, given[name], expected[name], strict=True):
        pairs = (
            [(_("rank"), mine, theirs)]
            if name == "ranks"
            else [(scale.name, a, b) for scale, a, b in zip(scales_of(options), mine, theirs, strict=True)]
        )
        for label, a, b in pairs:
            if b is not None and a != b:
                own.append(AnswerPart(text, [f"{label}: {a:g}"]))
                right.append(AnswerPart(text, [f"{label}: {b:g}"]))
    return own, right
