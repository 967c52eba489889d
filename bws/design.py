"""The design of a best–worst study: balanced tuples of its items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.bws.numerics.design import DesignError, best_worst_design
from accord_core.bws.numerics.design_report import describe_design
from accord_core.bws.numerics.extension import extend_design
from accord_core.numerics.printed import with_noun
from annotate.tasktypes import CannotBuild, Design, ItemDraft, Progress, QuestionDraft
from bws.design_report import design_report, extended_design_report


def build(items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress) -> Design:
    """Build a study's tuples in the order of assignment to annotators, and check the design. Raises `CannotBuild`."""
    _refuse_mixed(items)
    progress(0.1, f"designing tuples of {len(items):,} items")
    size = options["size"]
    try:
        tuples = best_worst_design(len(items), size=size, factor=options["factor"], seed=seed)
    except DesignError as error:
        raise CannotBuild(str(error)) from error
    progress(0.6, f"checking {len(tuples):,} tuples")
    described = describe_design(tuples, len(items), seed=seed)
    return Design(_questions(tuples.tolist(), items), design_report(described, items))


def extend(
    new: Sequence[ItemDraft],
    old: Sequence[ItemDraft],
    payloads: Sequence[Any],
    options: Mapping[str, Any],
    seed: int,
    progress: Progress,
) -> Design:
    """Build additional tuples that each contain both new and old items, and check the extended design. Raises
    `CannotBuild`.
    """
    items = [*old, *new]
    _refuse_mixed(items)
    progress(0.1, f"adding {len(new):,} items to the design")
    number_of = {item.key: number for number, item in enumerate(items)}
    tuples = np.array([[number_of[key] for key in payload["items"]] for payload in payloads], dtype=np.int64)
    try:
        added = extend_design(tuples, len(old), len(new), factor=options["factor"], seed=seed)
    except DesignError as error:
        raise CannotBuild(str(error)) from error
    progress(0.6, f"checking {len(added):,} tuples")
    report = extended_design_report(tuples, added, len(old), items, seed)
    return Design(_questions(added.tolist(), items, first=len(tuples) + 1), report)


def _refuse_mixed(items: Sequence[ItemDraft]) -> None:
    """Raise `CannotBuild` if some items are single texts and others are pairs, which no question can compare."""
    texts = sum("text" in item.content for item in items)
    if 0 < texts < len(items):
        raise CannotBuild(
            f"{with_noun(texts, 'item is a single text,items are single texts')}, and "
            f"{with_noun(len(items) - texts, 'is a pair,are pairs')} of sentences, so annotators cannot compare them. "
            "Remove one of the files under Data."
        )


def _questions(tuples: list[list[int]], items: Sequence[ItemDraft], first: int = 1) -> list[QuestionDraft]:
    """Return one question per tuple, numbered from `first`."""
    keys = [item.key for item in items]
    digits = len(str(first + len(tuples) - 1))
    return [
        QuestionDraft(f"tuple-{number:0{digits}}", {"items": [keys[item] for item in row]})
        for number, row in enumerate(tuples, start=first)
    ]
