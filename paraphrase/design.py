"""The design of a paraphrase study, which has one question per item."""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.numerics.draws import draw
from annotate.tasktypes import CannotBuild, Design, ItemDraft, Progress, QuestionDraft
from paraphrase.design_report import design_report
from paraphrase.items import item_payload


def build(items: Sequence[ItemDraft], seed: int, progress: Progress) -> Design:
    """Build one question per item in a random order determined by the seed, so that all domains receive judgements at
    the same time.
    """
    if not items:
        raise CannotBuild(
            "Accord cannot build questions, because there are no items. Check whether all items are marked as "
            "gold_only."
        )
    progress(0.1, f"a question for each of {len(items):,} items")
    ordered = sorted(items, key=lambda item: draw(seed, "order", item.key))
    digits = len(str(len(items)))
    questions = [
        QuestionDraft(f"phrase-{number:0{digits}}", item_payload(item)) for number, item in enumerate(ordered, start=1)
    ]
    progress(0.6, "checking the design")
    return Design(questions, design_report(items))


def extend(new: Sequence[ItemDraft], old: Sequence[ItemDraft], seed: int, progress: Progress) -> Design:
    """Build one question per new item, and check the extended design."""
    return Design(build(new, seed, progress).questions, design_report([*old, *new]))
