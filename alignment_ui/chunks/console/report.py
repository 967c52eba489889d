"""The summary page of a chunk-alignment report, which shows the official measures, the confusion matrix of link types,
and the disagreements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.chunks.numerics.chunks import TYPES
from accord_core.chunks.numerics.score_sums import TITLES
from accord_core.numerics.printed import coefficient, count, interval, with_noun
from alignment_ui.chunks.adaptive import ROUNDS
from alignment_ui.pairs.largest import largest
from annotate.toolkit import (
    Figure,
    Headline,
    Report,
    Shown,
    Study,
    basis,
    main_figure,
    people_chart,
    with_questions,
)

WORST = 8
METHODS = (("majority", "Majority"), ("medoid", "Medoid"), ("model", "Model"))
MEASURES = (
    ("f1_ali", "Alignment"),
    ("f1_type", "Type"),
    ("f1_score", "Score"),
    ("f1_typ_sco", "Type and score"),
    ("score_difference", "Mean difference of scores"),
)


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the official agreement measures, the confusion matrix of link types, the annotators, and the largest
    disagreements.
    """
    result = report.result
    agreement, said = result["agreement"], result["said"]
    headline = Headline.from_json(result["headline"])
    parts = [("All", agreement["overall"], agreement["pairs"])]
    if len(agreement["datasets"]) > 1:  # the figures of a single dataset equal those of all pairs
        parts += [(name or "no dataset", figures, figures["pairs"]) for name, figures in agreement["datasets"].items()]
    context = {
        "conclusion": _conclusion(headline, agreement, said),
        "figures": _figures(report, headline),
        "agreement": agreement,
        "measures": [(label, [figures[name] for _, figures, _ in parts]) for name, label in MEASURES],
        "parts": [(name, pairs) for name, _, pairs in parts],
        "twos": [(two, [two[name] for name, _ in MEASURES]) for two in agreement["annotator_pairs"]],
        "columns": [label for _, label in MEASURES],
        "types": [
            (name, said["types"][name], agreement["by_type"][name], said["scores"].get(name, {}))
            for name in TYPES
            if said["types"][name] or agreement["by_type"][name]["value"] is not None
        ],
        "said": said,
        "confusion": list(zip(agreement["confusion"]["types"], agreement["confusion"]["weights"], strict=True)),
        "combined": result["combined"],
        "methods": method_rows(result["combined"]),
        "modelled": [person for person in result["people"] if person.get("model_precision") is not None],
        "rounds_text": ROUNDS.results,
        "people": people_chart(study, result),
        "worst": with_questions(study, largest(result["disagreements"], WORST)),
    }
    return Shown("chunks/report.html", context)


def method_rows(combined: Mapping[str, Any] | None) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return each method's label and its four F1 values on the gold questions."""
    scores = combined["methods"] if combined else {}
    return [(label, [scores[name][title] for title in TITLES.values()]) for name, label in METHODS if name in scores]


def _conclusion(headline: Headline, agreement: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    pairs, alignment = with_noun(said["pairs"], "pair"), agreement["overall"]["f1_ali"]["value"]
    if headline.low is None or alignment is None:
        return f"{pairs} annotated. Agreement is unknown, because no pair has been annotated by two annotators."
    return (
        f"{pairs} annotated; annotators agree on the alignment with F1 {coefficient(alignment)}, and on type and score "
        f"with F1 {coefficient(headline.low)}."
    )


def _figures(report: Report, headline: Headline) -> list[Figure]:
    agreement, said = report.result["agreement"], report.result["said"]
    alignment = agreement["overall"]["f1_ali"]
    is_interval = alignment["low"] is not None and alignment["low"] < alignment["high"]
    ends = f"95% interval {interval(alignment['low'], alignment['high'])}" if is_interval else ""
    return [
        Figure(
            "Annotated pairs",
            count(said["pairs"]),
            line=f"By two or more annotators: {count(agreement['pairs'])}",
            notes=[f"Decided by a researcher: {count(said['decided'])}"],
            explanation="pairs",
            rows=("Disagreements", f"results/{report.number}/disagreements/"),
            sentence=f"We annotated {with_noun(said['pairs'], 'sentence pair')}, based on {basis(report)}.",
        ),
        main_figure(headline, report),
        Figure(
            "F1 of the alignment",
            coefficient(alignment["value"]),
            line=ends or alignment.get("reason") or "",
            explanation="alignment",
            sentence=f"The F1 of the alignment was {coefficient(alignment['value'])}"
            + (f" ({ends})." if ends else "."),
        ),
        Figure(
            "Links",
            count(said["links"]),
            line=f"Unaligned chunks: {count(said['left_over'])}",
            notes=[f"Number of chunks: {count(said['chunks'])}"],
            explanation="links",
            sentence=f"The final annotations contain {with_noun(said['chunks'], 'chunk')} and "
            f"{with_noun(said['links'], 'link')}.",
        ),
    ]
