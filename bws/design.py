"""The design of a best–worst study: balanced tuples of its items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.tasktypes import CannotBuild, Design, ItemDraft, Progress, QuestionDraft
from bws.design_report import design_report
from bws.numerics.design import DesignError, best_worst_design
from bws.numerics.design_report import describe_design


def build(items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress) -> Design:
    """Build the tuples of a study in the order of their assignment to annotators, and check the design. Raises
    `CannotBuild`.
    """
    progress(0.1, f"designing tuples of {len(items):,} items")
    size = options["size"]
    try:
        tuples = best_worst_design(len(items), size=size, factor=options["factor"], seed=seed)
    except DesignError as error:
        raise CannotBuild(str(error)) from error
    progress(0.6, f"checking {len(tuples):,} tuples")
    described = describe_design(tuples, len(items), seed=seed)
    keys = [item.key for item in items]
    digits = len(str(len(tuples)))
    questions = [
        QuestionDraft(f"tuple-{number:0{digits}}", {"items": [keys[item] for item in row]})
        for number, row in enumerate(tuples.tolist(), start=1)
    ]
    return Design(questions, design_report(described, items))
