"""The command that imports the results of a Mechanical Turk batch."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name
from accord_core.numerics.printed import with_noun
from annotate.cli.support import study_argument, study_named, with_django


@click.command("import-results")
@study_argument
@click.argument("file", metavar="FILE")
@click.option("--dry-run", is_flag=True, help="Report the effects of the import without importing the file.")
@click.option(
    "--skip-faulty",
    is_flag=True,
    help="Skip assignments whose answers cannot be read, and import all other assignments.",
)
@click.option(
    "--changes",
    type=click.Choice(["stop", "take", "keep"]),
    default="stop",
    show_default=True,
    help="What to do if imported assignments have changed: import nothing, replace them, or keep the imported version.",
)
@click.option("--batch", default="", help="Name of the batch, if several batches have the same assignment IDs.")
@with_django
def import_results(study: str, file: str, dry_run: bool, skip_faulty: bool, changes: str, batch: str) -> None:
    """Import the results of a Mechanical Turk batch into a study or, if FILE contains errors, nothing."""
    from annotate.core.permissions import SYSTEM
    from annotate.mturk.services import batches

    outcome = batches.import_results(
        study_named(study).pk,
        read_bytes(file),
        source_name(file),
        user=SYSTEM,
        dry_run=dry_run,
        skip_faulty=skip_faulty,
        changes=changes,
        batch=batch,
    )
    if dry_run:
        click.echo("Nothing was imported. Without --dry-run, the result would be:")
    click.echo(
        f"Imported {with_noun(outcome.assignments, 'assignment')} with {with_noun(outcome.answers, 'answer')}.\n"
        f"Answers to repeated questions: {outcome.repeats:,}. Surplus assignments: {outcome.surplus:,}. "
        f"Assignments from stopped workers: {outcome.stopped:,}.\n"
        f"Skipped assignments: {outcome.known:,} already imported, {outcome.rejected:,} rejected and "
        f"{outcome.faulty:,} unreadable."
    )
    if outcome.changed:
        click.echo(
            f"{with_noun(outcome.changed, 'assignment has,assignments have')} changed since the last import. "
            f"Replaced by newer versions: {outcome.replaced:,}."
        )
    if outcome.faulty and not dry_run:
        click.echo("The study's history lists the unreadable assignments.", err=True)
    if outcome.gold_left_out or outcome.gold_added:
        click.echo(
            f"Workers left {outcome.gold_left_out:,} gold questions in their HITs unanswered, and answered "
            f"{outcome.gold_added:,} gold questions that do not belong to their HITs. All of these gold questions "
            "count as missed. The study's history lists these workers.",
            err=True,
        )
