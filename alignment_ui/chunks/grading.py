"""Functions that grade chunk alignments and compare annotators' answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.chunks.numerics.aggregation import pair_f1
from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE
from accord_core.chunks.numerics.scores import MEASURES, ists_scores
from accord_core.numerics.group_agreement import f1_of_sums
from accord_core.numerics.printed import percent_reached
from alignment_ui.chunks.answer import to_pair
from annotate.tasktypes import AnswerAgreement, Choices, Grade


def grade(payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
    """Calculate the F1 of an answer against the expected alignment. An answer passes if its F1 is at least the value of
    the option `f1`. Without links other than those between punctuation marks, the F1 is 1.
    """
    total = ists_scores([to_pair("", payload, gold)], [to_pair("", payload, value)]).total
    f1 = total.figures("f1_ali").f1 if total.system or total.gold else 1.0
    message = _(
        "Agreement between your links and the expected links, without types and scores: %(percent)d%%. "
        "The pass mark for this question is %(mark)d%%."
    )
    percents = {"percent": percent_reached(f1), "mark": round(100 * options["f1"])}
    return Grade.of(f1 >= options["f1"], message % percents, f1=f1)


def alike(payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
    """Return the F1 of type and score between two answers, calculated as in the reports."""
    return pair_f1(to_pair("", payload, one), to_pair("", payload, other))


def agreed(values: Sequence[Any]) -> Any | None:
    """Return the annotation on which all authors agree, or None if their annotations differ. The logs may differ."""
    annotations = [{name: value[name] for name in ("chunks", "links", "left")} for value in values]
    pairs = {_comparable(value) for value in values}
    return annotations[0] if len(pairs) == 1 else None


def _comparable(value: Mapping[str, Any]) -> frozenset[Any]:
    """Return the links and the unlinked chunks of an answer as an unordered set of token numbers, types and scores."""
    chunks = {side: [tuple(chunk) for chunk in value["chunks"][side]] for side in ("source", "target")}
    links = {
        (
            chunks["source"][link["source"]],
            chunks["target"][link["target"]],
            link["type"],
            tuple(link["flags"]),
            link["score"],
        )
        for link in value["links"]
    }
    return frozenset(links | {(one["side"], chunks[one["side"]][one["chunk"]], one["type"]) for one in value["left"]})


def _token_link_weights(payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> Sequence[float]:
    """Return the matched and the total weight of the token links of both annotations, by type and score."""
    total = ists_scores([to_pair("", payload, other)], [to_pair("", payload, one)]).total
    by_one, by_other = total.found[MEASURES[-1]]
    return by_one, total.system, by_other, total.gold


def choices(payload: Any, values: Sequence[Any]) -> Sequence[Choices]:
    """Return the type of each link that an answer contains, and its score in the answers that contain it. Other links
    are not included.
    """
    pairs = [to_pair("", payload, value) for value in values]
    drawn = [{(link.source, link.target): link for link in pair.links if link.source and link.target} for pair in pairs]
    found: list[Choices] = []
    for link in sorted(frozenset().union(*drawn)):
        own = [each.get(link) for each in drawn]
        types = [each.type if each else "absent" for each in own]
        found.append(Choices("type", types, len(RELATIONS) + 1, absent="absent"))
        found.append(Choices("score", [each.score if each else None for each in own], TOP_SCORE + 1))
    return found


AGREEMENT = AnswerAgreement({"f1": "F1 of type and score"}, _token_link_weights, estimate=f1_of_sums)
