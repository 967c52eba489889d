"""Selection of the questions that need another vote because at least one candidate has a tie."""

from __future__ import annotations

from collections import Counter

from annotate.tasktypes import StudyData


def one_more(data: StudyData) -> dict[str, int]:
    """Return one further judgement for each question that has received all judgements and has at least one tied
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
    return {
        ref: 1
        for ref, margin in margins.items()
        if 0 in margin and ref not in data.decisions and answers[ref] >= judgements + hits_with[ref] - 1
    }
