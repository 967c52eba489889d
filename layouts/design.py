"""The design of a layout study, which has one question per row of the batch."""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.layouts.formats.layout import Layout
from accord_core.numerics.draws import draw
from annotate.tasktypes import CannotBuild, Check, Design, DesignReport, ItemDraft, Progress, QuestionDraft
from layouts.rows import payload_of

LARGE = 200_000  # characters of a question, above which slow connections need several seconds


def build(items: Sequence[ItemDraft], layout: Layout, hosts: Sequence[str], seed: int, progress: Progress) -> Design:
    """Build one question per item, in a random order determined by the seed. Raises `CannotBuild`."""
    if not layout.html:
        raise CannotBuild("The study has no layout yet. Add one under Settings → Layout.")
    if not items:
        raise CannotBuild("Accord cannot build questions, because there are no items. Import the batch file first.")
    for item in items:
        missing = [column for column in layout.columns if column not in item.content]
        if missing:
            raise CannotBuild(f"The layout contains ${{{missing[0]}}}, but the item {item.key} has no such column.")
    progress(0.2, f"a question for each of {len(items):,} items")
    ordered = sorted(items, key=lambda item: draw(seed, "order", item.key))
    digits = len(str(len(items)))
    questions = [
        QuestionDraft(f"row-{number:0{digits}}", payload_of(item, layout)) for number, item in enumerate(ordered, 1)
    ]
    return Design(questions, DesignReport(_checks(ordered, layout, hosts)))


def _checks(items: Sequence[ItemDraft], layout: Layout, hosts: Sequence[str]) -> list[Check]:
    largest = max(sum(map(len, item.content.values())) for item in items) + len(layout.html)
    kinds = f"{sum(field.required for field in layout.fields)} of them required"
    checks = [
        Check.of("Form fields", f"{len(layout.fields)}", kinds, bool(layout.fields)),
        Check.of("Largest question", f"{largest:,} characters", f"at most {LARGE:,} load quickly", largest <= LARGE),
    ]
    if layout.warnings:
        first = "; ".join(map(str, layout.warnings[:3]))
        checks.append(Check("Warnings about the layout", f"{len(layout.warnings):,}", first, "advice"))
    if hosts:
        detail = "these hosts learn the IP addresses of annotators"
        checks.append(Check("Other hosts", ", ".join(hosts), detail, "advice"))
    return checks
