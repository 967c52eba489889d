"""The commands that add judgements to a study and simulate annotators."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from accord_core.exchange.numbers import read_number
from accord_core.numerics.printed import with_noun
from annotate.cli.support import decoded, study_argument, study_named, study_with_id, with_django
from annotate.cli.types import NumberRange, WholeRange

if TYPE_CHECKING:
    from annotate.models import Study
    from annotate.tasktypes import Json, TaskType


@click.command("add-judgements")
@study_argument
@click.option(
    "--per-question",
    type=WholeRange(1, 20),
    help="Number of judgements to add to every question, even to questions that need no more.",
)
@click.option("--group", default="", help="ID of the group that gives the judgements, in a study with quotas.")
@with_django
def add_judgements(study: str, per_question: int | None, group: str) -> None:
    """Request additional judgements, for example to resolve ties or disagreements."""
    from annotate.core.permissions import SYSTEM
    from annotate.questions.services.more_judgements import add_slots, add_where_needed

    target = study_named(study)
    if per_question:
        added = add_slots(target.pk, user=SYSTEM, per_hit=per_question, group=group)
        click.echo(f"Added {with_noun(added, 'assignment')}.")
    else:
        click.echo(f"Added {with_noun(add_where_needed(target.pk, user=SYSTEM, group=group), 'judgement')}.")


@click.command()
@study_argument
@click.option("--annotators", type=WholeRange(1), default=20, show_default=True, help="Number of simulated annotators.")
@click.option(
    "--careless",
    type=NumberRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of annotators who answer at random.",
)
@click.option(
    "--max-hits", type=WholeRange(1), help="Stop after this number of HITs. By default, all HITs are submitted."
)
@click.option("--seed", type=WholeRange(0), default=1, show_default=True, help="Seed of the simulation.")
@click.option(
    "--truth",
    metavar="FILE",
    help="CSV file with item IDs and their true values from 0 to 1. In alignment studies, the values can be links, "
    "and the file can be an alignment file such as gold.wa. By default, the true values "
    "are random.",
)
@with_django
def simulate(study: str, annotators: int, careless: float, max_hits: int | None, seed: int, truth: str | None) -> None:
    """Let simulated annotators answer a study's questions. STUDY must be the complete ID of a study.

    A study that contains answers from people is rejected. Simulated annotators are never counted as people.
    """
    from annotate.annotator.simulation import simulate as run_simulation
    from annotate.core.permissions import SYSTEM

    target = study_with_id(study)
    outcome = run_simulation(
        target,
        user=SYSTEM,
        annotators=annotators,
        careless=careless,
        hits=max_hits,
        seed=seed,
        truth=_truth(target, truth) if truth else None,
    )
    click.echo(
        f"{outcome.annotators} simulated annotators submitted {outcome.hits:,} HITs. The quality rule stopped "
        f"{outcome.stopped} annotators."
    )


def _truth(study: Study, file: str) -> Mapping[str, Json]:
    """Return each item's true value. Every item in a question needs a true value."""
    from annotate import tasktypes

    task = tasktypes.get(study.task_type)
    values = true_values(task, file, dict(study.items.order_by("pk").values_list("key", "content")))
    payloads = study.questions.values_list("payload", flat=True)
    missing = sorted({key for payload in payloads for key in task.item_keys(payload)} - values.keys())
    if missing:
        items = with_noun(len(missing), "item")
        raise click.ClickException(f"{file} has no value for {items} of the study, such as {missing[0]}")
    return values


def true_values(task: TaskType, file: str, items: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the true values in the file, by item ID. The file must have one of the task type's formats, or be a CSV
    file with the values in its second column. Only some task types allow text values in a CSV file.
    """
    data = read_bytes(file)
    values = task.read_truth(data, source_name(file), items)
    return _values_in_table(task, file, decoded(data, file)) if values is None else values


def _values_in_table(task: TaskType, file: str, text: str) -> dict[str, float | str]:
    rows = csv.reader(text.splitlines())
    next(rows, None)
    values: dict[str, float | str] = {}
    try:
        for key, value, *_ in rows:
            try:
                values[key] = read_number(value)
            except ValueError:
                if not task.truth_texts:
                    raise
                values[key] = value
    except ValueError as error:
        value = "a number or links" if task.truth_texts else "a number"
        raise click.ClickException(f"{file}, line {rows.line_num}: the row needs an item ID and {value}") from error
    return values
