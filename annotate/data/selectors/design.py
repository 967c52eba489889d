"""Facts about items and the design before data collection, such as its quality, its cost, and the number of HITs that
the gold questions can cover.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast

from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.selectors.limits import lasting_hit_limit
from annotate.core.selectors.quotas import quotas_as_json
from annotate.core.selectors.sizes import gold_in_hit, hits_of, items_imported, planned_seconds, questions_of
from annotate.data.selectors.additions import items_to_add
from annotate.models import Assignment, Item, Question, Report, Study
from annotate.tasktypes import Bars, Check

# Settings that the built questions and slots depend on.
SHAPES_THE_DESIGN = frozenset(["task_type", "seed", "questions_per_hit", "judgements"])


def shape(study: Study) -> dict[str, Any]:
    """Return the settings that the questions depend on. A design is outdated if these settings have changed since it
    was built.
    """
    task = tasktypes.get(study.task_type)
    locked = {option.name for option in task.options if option.locked}
    return {
        **{name: getattr(study, name) for name in sorted(SHAPES_THE_DESIGN)},
        "options": {name: study.options.get(name) for name in sorted(locked)},
        "items": items_imported(study, in_design=True),
        **({"quotas": quotas} if (quotas := quotas_as_json(study)) else {}),
    }


_SUBMITTED = (Assignment.State.DONE, Assignment.State.SURPLUS, Assignment.State.VOID)  # the index begins with states


@dataclass(frozen=True)
class Cost:
    """The size and cost of a design. An unknown time is None. `hours` is the time of all annotators together."""

    questions: int
    judgements: int
    hits: int
    assignments: int
    shown_in_hit: int
    gold_in_hit: int
    reward: Decimal
    total: Decimal
    per_judgement: Decimal | None
    planned_seconds: float | None
    hours: float | None
    tried_seconds: float | None
    tried_wage: Decimal | None

    @property
    def has_shorter_hit(self) -> bool:
        return self.judgements < self.assignments * (self.shown_in_hit - self.gold_in_hit)


@dataclass(frozen=True)
class GoldCover:
    """The number of HITs that the gold questions can cover if annotators answer each gold question only once."""

    gold: int
    in_hit: int
    hits: int
    hits_wanted: int | None

    @property
    def hits_with_all(self) -> int:
        """Return the number of HITs after which an annotator has seen all gold questions."""
        return -(-self.gold // self.in_hit) if self.in_hit else 0

    @property
    def lasts(self) -> bool:
        """Return whether the study has enough gold questions for every annotator."""
        return not self.in_hit or (self.hits_wanted is not None and self.hits >= self.hits_wanted)


def cost_of(study: Study, design: Report) -> Cost:
    """Return the cost of all HITs in the design at the study's current reward per HIT."""
    result = design.result
    in_hit = gold_in_hit(study)
    shown = study.questions_per_hit + in_hit
    total = result["slots"] * study.reward
    planned, tryout_seconds = planned_seconds(study), seconds_tried(study)
    seconds = (tryout_seconds or usual_seconds(study) or 0) / shown  # per question
    return Cost(
        questions=result["questions"],
        judgements=result["judgements"],
        hits=result["hits"],
        assignments=result["slots"],
        shown_in_hit=shown,
        gold_in_hit=in_hit,
        reward=study.reward,
        total=total,
        per_judgement=(total / result["judgements"]).quantize(Decimal("0.0001")) if result["judgements"] else None,
        planned_seconds=float(planned) if planned else None,
        hours=(result["judgements"] + result["slots"] * in_hit) * seconds / 3600 or None,
        tried_seconds=tryout_seconds,
        tried_wage=_hourly_wage(study.reward, tryout_seconds),
    )


def _hourly_wage(reward: Decimal, seconds: float | None) -> Decimal | None:
    return (reward * 3600 / Decimal(seconds)).quantize(Decimal("0.01")) if seconds and reward else None


def seconds_tried(study: Study) -> float | None:
    """Return the mean time in seconds that researchers needed for a HIT in try-outs, or None if there were no
    try-outs.
    """
    tried = study.assignments.filter(kind=Assignment.Kind.TRY, hit__isnull=False)  # without the practice questions
    done = tried.filter(state__in=_SUBMITTED, submitted_at__isnull=False)
    sums = [row["took"] for row in done.annotate(took=Sum("answers__seconds")).values("took") if row["took"]]
    return sum(sums) / len(sums) if sums else None


def usual_seconds(study: Study) -> float | None:
    """Return the usual time in seconds for a HIT of this size, or None if the task type does not know it."""
    planning = tasktypes.get(study.task_type).planning
    return planning.seconds * (study.questions_per_hit + gold_in_hit(study)) if planning else None


def gold_cover(study: Study) -> GoldCover:
    """Return the number of HITs per annotator that the gold questions can cover."""
    gold = questions_of(study, Question.Kind.GOLD)
    in_hit = gold_in_hit(study)
    hits = gold // in_hit if in_hit else 0
    hits_wanted = min(filter(None, (hits_of(study), lasting_hit_limit(study))), default=None)
    return GoldCover(gold, in_hit, hits, hits_wanted)


def checks_of(design: Report, *further: Check | None) -> list[Check]:
    """Return the checks in a design report and further checks, starting with problems, followed by advice and passed
    checks.
    """
    order = {"fault": 0, "advice": 1, "ok": 2}
    checks = [Check(**stored) for stored in design.result.get("checks", [])]
    checks += [check for check in further if check]
    return sorted(checks, key=lambda check: order[check.state])


def charts_of(design: Report) -> list[tuple[str, Bars]]:
    """Return the names and contents of a design report's bar charts, except empty charts."""
    return [
        (name.replace("_", " ").capitalize(), Bars(stored["columns"][0], stored["columns"][1], stored["rows"]))
        for name, stored in design.result.get("charts", {}).items()
        if stored["rows"]
    ]


def items_of(study: Study, query: str = "") -> QuerySet[Item]:
    """Return imported items, in the order of their files and rows. If `query` is given, return only items whose ID or
    text contains it.
    """
    revealed = list(study.uploads.imported().order_by().values_list("pk", flat=True))
    items = study.items.filter(upload__in=revealed).order_by("pk")
    if not query:
        return items
    # SQLite escapes non-ASCII characters in stored JSON, but PostgreSQL does not.
    escaped = json.dumps(query)[1:-1]
    matches = Q(key__icontains=query) | Q(text__icontains=query) | Q(text__icontains=escaped)
    return items.annotate(text=Cast("content", TextField())).filter(matches)


def items_summary(study: Study) -> str:
    """Return how many items the study has, and whether they are in its questions."""
    items, in_design = items_imported(study), items_imported(study, in_design=True)
    waiting, gold_only = items_to_add(study), items - in_design
    if study.design is None:
        return f"{with_noun(items, 'item')}. The questions are not built yet."
    if is_outdated(study):
        return f"{with_noun(items, 'item')}. The questions are outdated and must be rebuilt."
    if in_design == items and not waiting:
        return f"{with_noun(items, 'item')}, all in questions."
    parts = [f"{in_design - waiting:,} in questions"]
    parts += [f"{gold_only:,} only for gold questions"] if gold_only else []
    parts += [f"{waiting:,} not in questions yet"] if waiting else []
    return f"{with_noun(items, 'item')}: {', '.join(parts)}."


def is_outdated(study: Study) -> bool:
    """Return whether settings or items have changed since the design of a draft was built."""
    return study.opened_at is None and study.design is not None and study.design.parameters.get("shape") != shape(study)


def changed_since_built(study: Study) -> list[str]:
    """Return the names of the settings that have changed since the design was built, and “items” and “quotas” if they
    have.
    """
    before, now = study.design.parameters.get("shape", {}) if study.design else {}, shape(study)
    fields = [name for name in sorted(SHAPES_THE_DESIGN) if before.get(name) != now[name]]
    chosen = before.get("options", {})
    options = [option for option in tasktypes.get(study.task_type).options if option.name in now["options"]]
    return [
        *(str(Study._meta.get_field(name).verbose_name) for name in fields),  # type: ignore[union-attr]
        *(option.label.lower() for option in options if chosen.get(option.name) != now["options"][option.name]),
        *(["items"] if before.get("items") != now["items"] else []),
        *(["quotas"] if before.get("quotas") != now.get("quotas") else []),
    ]


@dataclass(frozen=True)
class ItemRow:
    """An item, with the parts of its content shown in the item table."""

    item: Item
    parts: Mapping[str, Any]


def item_rows(study: Study, items: Iterable[Item]) -> list[ItemRow]:
    """Return the items as rows of the item table, without any queries."""
    task = tasktypes.get(study.task_type)
    return [ItemRow(item, task.item_parts(item.content)) for item in items]


def columns_of(rows: Iterable[ItemRow], filled_in: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the names of content parts and of metadata, in order of first appearance. Metadata that Accord has
    `filled_in` for all rows is excluded.
    """
    contents: dict[str, None] = {}
    metadata: dict[str, None] = {}
    for row in rows:
        contents |= dict.fromkeys(row.parts)
        own = row.item.metadata
        metadata |= dict.fromkeys(name for name in own if name not in filled_in or own[name] != filled_in[name])
    return list(contents), list(metadata)
