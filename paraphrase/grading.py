"""Functions that grade votes on candidates, compare annotators' answers, and identify questions with a tied vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.numerics.group_agreement import kappa_of_sums
from accord_core.paraphrase.numerics.worker_accuracy import balanced_accuracy, tally
from annotate.tasktypes import AnswerAgreement, Choices, Grade, StudyData

# The minimum balanced accuracy. If the accuracy is below this value, the quality-control question counts as wrongly
# answered. The annotator is not interrupted if only one of six candidates is wrong.
PASSED = 2 / 3


def grade(gold: Any, value: Any) -> Grade:
    """Count the correct and wrong votes on candidates. An answer passes if its balanced accuracy is at least two
    thirds.
    """
    counts = tally(gold["votes"], value["votes"])
    right = counts["synonyms_chosen"] + counts["random_words"] - counts["random_chosen"]
    balanced = balanced_accuracy(counts)
    passed = balanced is not None and balanced >= PASSED
    message = _("Answers as expected: %(right)d of %(total)d.") % {"right": right, "total": len(gold["votes"])}
    return Grade(counts, passed=passed, message=message)


def missed(gold: Any) -> Grade:
    """Return the grade for an unanswered question, where every candidate counts as wrong."""
    return Grade(tally(gold["votes"], [not vote for vote in gold["votes"]]), passed=False)


def alike(one: Any, other: Any) -> float:
    """Return the share of candidates that received the same vote in both answers."""
    pairs = list(zip(one["votes"], other["votes"], strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


def needs_more(data: StudyData) -> Mapping[str, int]:
    """Return one more judgement for each question with a tied vote, if the option `ties` allows more votes."""
    return _one_more(data) if data.facts["options"]["ties"] == "one more" else {}


def _one_more(data: StudyData) -> dict[str, int]:
    """Return one more judgement for each question that has received all of its judgements but still has a tied
    candidate. The result is indexed by question reference.

    If a question has already been added to another HIT, no further judgement is added until that HIT has been answered.
    Candidates that a reviewer has decided do not count as ties.
    """
    hits_with = Counter(ref for hit in data.hits for ref in hit)
    answers = Counter(row.ref for row in data.answers if row.counts)
    margins: dict[str, list[int]] = {}
    for row in data.answers:
        if row.counts:
            margin = margins.setdefault(row.ref, [0] * len(row.value["votes"]))
            margins[row.ref] = [
                sum_ + (1 if vote else -1) for sum_, vote in zip(margin, row.value["votes"], strict=True)
            ]
    judgements = int(data.facts["judgements"])
    decided = {*data.decisions, *data.keep_both}
    return {
        ref: 1
        for ref, margin in margins.items()
        if 0 in margin and ref not in decided and answers[ref] >= judgements + hits_with[ref] - 1
    }


def _vote_pairs(payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> Sequence[float]:
    """Return the numbers of candidates with yes votes in both answers, only in the first, only in the second, and in
    neither."""
    pairs = Counter(zip(one["votes"], other["votes"], strict=True))
    return [pairs[True, True], pairs[True, False], pairs[False, True], pairs[False, False]]


def choices(values: Sequence[Any]) -> Sequence[Choices]:
    """Return the votes of answers to one question, by candidate."""
    return [Choices("vote", votes, 2) for votes in zip(*(value["votes"] for value in values), strict=True)]


AGREEMENT = AnswerAgreement(
    {"raw": "Raw agreement", "kappa": "Cohen’s κ"}, _vote_pairs, estimate=kappa_of_sums, least={"kappa": -1.0}
)
