"""Functions that grade word alignments, compare annotators' answers, and select pairs that need a third annotator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.numerics.group_agreement import f1_of_sums
from accord_core.numerics.printed import percent_reached
from accord_core.pairs.numerics.links import (
    Alignment,
    Link,
    identical_links,
    link_counts,
    link_f1,
    pair_f1,
    without,
)
from alignment_ui.words.answer import as_alignment, as_value
from annotate.tasktypes import AnswerAgreement, Choices, Grade, StudyData


def grade(payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
    """Calculate the F1 of an answer against the expected alignment. An answer passes if its F1 is at least the value of
    the option `f1`.
    """
    expected, drawn = graded_links(payload, gold, value, options)
    f1 = link_f1(expected, drawn)
    message = _(
        "Agreement between your links and the expected links: %(percent)d%%. "
        "The pass mark for this question is %(mark)d%%."
    )
    message %= {"percent": percent_reached(f1), "mark": round(100 * options["f1"])}
    if (expected.links, drawn.links) != (as_alignment(gold).links, as_alignment(value).links):
        message += " " + _("Links between identical words are ignored.")
    return Grade.of(f1 >= options["f1"], message, f1=f1)


def graded_links(
    payload: Mapping[str, Any], gold: Any, value: Any, options: Mapping[str, Any]
) -> tuple[Alignment, Alignment]:
    """Return the expected alignment and the annotator's alignment, both without ignored links. If all expected links
    are ignored, return both alignments unchanged.
    """
    expected, drawn = as_alignment(gold), as_alignment(value)
    ignored = _ignored(payload, options)
    if not expected.links - ignored:
        return expected, drawn
    return without(expected, ignored), without(drawn, ignored)


def alike(payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
    """Return the F1 between the links of two annotators, calculated as in the reports."""
    return pair_f1(as_alignment(one), as_alignment(other), _ignored(payload, options))


def agreed(values: Sequence[Any]) -> Any | None:
    """Return the links if all authors drew the same ones. Their logs can differ."""
    drawn = {as_alignment(value) for value in values}
    return as_value(drawn.pop()) if len(drawn) == 1 else None


def needs_more(data: StudyData) -> Mapping[str, int]:
    """Return one additional judgement for each sentence pair on which two annotators disagree.

    No further judgement is needed for pairs that have already been assigned to a third annotator or decided by a
    reviewer.
    """
    options = data.facts["options"]
    below = options["third_below"]
    asked_again = _asked_again(data)
    decided = {*data.decisions, *data.keep_both}
    answers: dict[str, list[Alignment]] = {}
    for row in data.answers:
        if row.counts and row.ref not in decided and row.ref not in asked_again:
            answers.setdefault(row.ref, []).append(as_alignment(row.value))
    payloads = {question.ref: question.payload for question in data.questions}
    return {
        ref: 1
        for ref, drawn in answers.items()
        if len(drawn) == 2 and pair_f1(drawn[0], drawn[1], _ignored(payloads[ref], options)) < below
    }


def _ignored(payload: Mapping[str, Any], options: Mapping[str, Any]) -> frozenset[Link]:
    """Return the links between identical words if the study ignores them. Otherwise, return no links."""
    return identical_links(payload["source"], payload["target"]) if options["ignore_identical"] else frozenset()


def _asked_again(data: StudyData) -> set[str]:
    """Return the references of the questions that were added to another HIT after the design was built."""
    seen: set[str] = set()
    again: set[str] = set()
    for refs in data.hits:
        again |= seen.intersection(refs)
        seen.update(refs)
    return again


def _link_counts(payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> Sequence[float]:
    """Return the matched and all sure links of both alignments, as in `pair_f1`."""
    ignored = _ignored(payload, options)
    counts = link_counts(*(without(as_alignment(value), ignored) for value in (one, other)))
    return counts.sp, counts.sure_a, counts.ps, counts.sure_b


def choices(payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> Sequence[Choices]:
    """Return the kind of each link that an answer contains. Other links are not included."""
    ignored = _ignored(payload, options)
    drawn = [without(as_alignment(value), ignored) for value in values]
    kinds = [dict.fromkeys(each.possible, "possible") | dict.fromkeys(each.sure, "sure") for each in drawn]
    return [
        Choices("link", [each.get(link, "absent") for each in kinds], 3, absent="absent")
        for link in sorted(frozenset().union(*(each.links for each in drawn)))
    ]


AGREEMENT = AnswerAgreement({"f1": "F1 of links"}, _link_counts, estimate=f1_of_sums)
