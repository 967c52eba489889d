"""The commands that create a study, import its files and build its questions."""

from __future__ import annotations

import json
import sys
import zlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import get_encoding, read_unchanged, source_name, write_whole
from accord_core.exchange.layout import NO_HEADER, Layout, as_json
from accord_core.exchange.printed_tables import PrintedTable
from accord_core.numerics.printed import with_noun
from annotate.cli.options import format_options, note, print_result
from annotate.cli.support import progress_line, read_text, study_argument, study_named, with_django

from .study_settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotate.core.permissions import Actor
    from annotate.models import Study, User

PROMISES = {"yes": True, "no": False, "not-mentioned": None}
MARKS = {"ok": "ok  ", "advice": "note", "fault": "FAIL"}


first_row_option = click.option(
    "--first-row",
    type=click.Choice(["names", "data"]),
    help="Contents of the item file’s first row: column names or data. By default, Accord recognises them.",
)


@click.command()
@click.argument("items", metavar="ITEMS")
@first_row_option
@click.option("--title", help="Title of the study, as shown to annotators.")
@click.option(
    "--type",
    "task_type",
    help="Task type of the study, such as bws. This option is required unless the settings file contains task_type.",
)
@click.option(
    "--owner",
    envvar="ACCORD_USER",
    required=True,
    metavar="EMAIL",
    help="Owner of the study. If no account has this address, Accord creates one.",
)
@click.option(
    "--annotators",
    metavar="NAMES",
    help="Names of the annotators, separated by commas. Only these annotators can join, each through a personal link. "
    "The study starts without gold questions.",
)
@click.option("--gold", metavar="FILE", help="File of gold questions.")
@click.option("--practice", metavar="FILE", help="File of practice questions.")
@click.option(
    "--settings",
    "settings_file",
    metavar="FILE.toml",
    help="File of settings. See examples/relatedness/study.toml for an example.",
)
@click.option("--instructions", metavar="FILE.md", help="Instructions for annotators.")
@click.option("--examples", metavar="FILE.md", help="Worked examples for annotators.")
@click.option("--consent", metavar="FILE.md", help="Consent text.")
@click.option(
    "--consent-pays-stopped",
    type=click.Choice(list(PROMISES)),
    default="not-mentioned",
    show_default=True,
    help="Whether the consent text promises to pay stopped annotators for the HIT in progress.",
)
@click.option(
    "--consent-names-activity",
    is_flag=True,
    help="The consent text states that Accord collects a summary of the annotator’s activity with each answer.",
)
@click.option("--privacy-notice", metavar="FILE.md", help="Privacy notice.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting. Can be repeated.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A task type option. Can be repeated.")
@with_django
def create(
    items: str,
    first_row: str | None,
    title: str | None,
    task_type: str | None,
    owner: str,
    annotators: str | None,
    gold: str | None,
    practice: str | None,
    settings_file: str | None,
    instructions: str | None,
    examples: str | None,
    consent: str | None,
    consent_pays_stopped: str,
    consent_names_activity: bool,
    privacy_notice: str | None,
    settings: tuple[str, ...],
    options: tuple[str, ...],
) -> None:
    """Create a draft study from the item file ITEMS, build its design and print its ID.

    If any file has an error, no study is created.
    """
    from annotate import tasktypes
    from annotate.core.services.writing import write
    from annotate.data.services.design import build_design
    from annotate.studies.services.study import create_study
    from annotate.studies.services.team import create_team_study

    values, option_values = read_settings(settings_file, settings, options)
    for name, file in (
        ("instructions", instructions),
        ("examples", examples),
        ("privacy_notice", privacy_notice),
    ):
        if file:
            values[name] = read_text(file)
    task_type = task_type or values.pop("task_type", None)
    if task_type is None:
        slugs = ", ".join(each.slug for each in tasktypes.installed())
        raise click.UsageError(f"Specify the task type with --type. Task types: {slugs}.")
    values.pop("task_type", None)
    title = title or values.pop("title", None) or Path(items).stem
    values.pop("title", None)
    with write():
        user = owner_with(owner)
        new_study: Callable[..., Study] = create_study
        if annotators is not None:
            new_study = partial(create_team_study, annotators=annotators.split(","))
        study = new_study(
            user=user,
            title=title,
            task_type=task_type,
            options=option_values,
            consent=read_text(consent) if consent else "",
            consent_pays_stopped=values.pop("consent_pays_stopped", PROMISES[consent_pays_stopped]),
            consent_names_activity=values.pop("consent_names_activity", consent_names_activity),
            **values,
        )
        for purpose, file in (("items", items), ("gold", gold), ("practice", practice)):
            if file:
                _import_file(study, purpose, file, user, first_row=first_row if purpose == "items" else None)
        build_design(study.pk, user=user)
    click.echo(study.public_id)
    if not user.has_usable_password():
        note(
            f"only {user.email} can see this study in the console. To sign in as this account, use the link from: "
            f"accord account sign-in-link {user.email}"
        )


@click.command("import")
@study_argument
@click.argument("file", metavar="FILE")
@click.option(
    "--kind",
    type=click.Choice(["items", "gold", "practice"]),
    default="items",
    show_default=True,
    help="Contents of the file: items, gold questions or practice questions.",
)
@click.option("--dry-run", is_flag=True, help="Report the errors in the file without importing it.")
@click.option(
    "--known",
    type=click.Choice(["stop", "add", "update", "replace"]),
    default="stop",
    show_default=True,
    help="What to do if the study already contains some rows: import nothing, add only the new rows, also change the "
    "stored rows, or also remove the rows that are missing from the new file.",
)
@first_row_option
@with_django
def import_(study: str, file: str, kind: str, dry_run: bool, known: str, first_row: str | None) -> None:
    """Import all rows of FILE into a study or, if the file contains errors, none."""
    from annotate.core.permissions import SYSTEM

    target = study_named(study)
    if dry_run:
        _report_faults(target, kind, file, known, first_row)
        return
    click.echo(f"Imported {_import_file(target, kind, file, SYSTEM, known, first_row):,} {_rows(kind)}.")


@click.command()
@study_argument
@click.option("--report", "report_file", metavar="FILE.json", help="Write the design report to FILE.json.")
@format_options
@with_django
def build(study: str, report_file: str | None, output_format: str) -> None:
    """Rebuild a draft study's questions, and print the results of the design checks."""
    from annotate.core.permissions import SYSTEM
    from annotate.data.services.design import build_design

    with progress_line() as progress:
        report = build_design(study_named(study).pk, user=SYSTEM, progress=progress)
    checks = report.result.get("checks", [])
    columns = ["state", "name", "value", "detail"]
    print_result(
        output_format,
        PrintedTable(columns, [[str(check[column]) for column in columns] for check in checks]),
        text=(f"{MARKS[each['state']]}  {each['name']}: {each['value']} ({each['detail']})\n" for each in checks),
    )
    if report_file:
        write_whole(report_file, [json.dumps(report.result, indent=2) + "\n"])


def owner_with(email: str) -> User:
    """Return the account with this confirmed e-mail address. Create the account if none has this address."""
    from annotate.accounts.services import account_of, create_account
    from annotate.models import User

    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None:
        return create_account(email)
    if account_of(email) != user:
        raise click.ClickException(
            f"the address {email} is not confirmed. Confirm it with: accord account confirm-address {email}"
        )
    return user


def _rows(kind: str) -> str:
    return kind if kind == "items" else f"{kind} questions"


def _import_file(
    study: Study, purpose: str, file: str, user: Actor, known: str = "stop", first_row: str | None = None
) -> int:
    from annotate.data.known_rows import KnownRows
    from annotate.data.services.imports import import_upload
    from annotate.data.services.uploads import detected_layout, receive, set_layout, with_first_row

    upload = receive(
        study,
        purpose=purpose,
        filename=Path(source_name(file)).name,  # members and releases need not know the folders of this computer
        data=read_unchanged(file),
        user=user,
        encoding=get_encoding(),
    )
    if first_row:
        upload = set_layout(upload.pk, with_first_row(upload, first_row), user=user)
    rows = import_upload(upload.pk, user=user, known=KnownRows(known))
    _name_first_row(source_name(file), *detected_layout(upload))
    return rows


def _name_first_row(filename: str, layout: Layout | None, reading: str) -> None:
    """Print how a first row without known column names was read, and how to change this."""
    if layout and reading:
        read_as, other = ("data", "names") if layout.header == NO_HEADER else ("column names", "data")
        message = f"the first row was read as {read_as}. If this is wrong, use --first-row {other}"
        click.echo(f"{filename}: {message}", err=True)


def _report_faults(study: Study, kind: str, file: str, known: str, first_row: str | None) -> None:
    """Print the file's errors, warnings and known rows, and exit with status 1 if the file cannot be imported."""
    from accord_core.exchange.faults import Fault
    from annotate.data.known_rows import KnownRows
    from annotate.data.services.stored_questions import effects_on_grades
    from annotate.data.services.uploads import layout_in, preview, with_first_row
    from annotate.models import Upload

    content = zlib.compress(read_unchanged(file))
    layout = layout_in(get_encoding())
    upload = Upload(study=study, purpose=kind, filename=source_name(file), content=content, layout=layout)
    if first_row:
        upload.layout = as_json(with_first_row(upload, first_row))
    summary = preview(upload)
    _name_first_row(upload.filename, summary.layout, summary.first_row)
    for fault in summary.faults:
        click.echo(f"{upload.filename}: {fault}", err=True)
    for warning in summary.warnings:
        click.echo(f"{upload.filename}: warning: {warning}", err=True)
    click.echo(
        f"{with_noun(summary.rows, 'row')}, {with_noun(len(summary.faults), 'error')}, "
        f"{with_noun(len(summary.warnings), 'warning')}"
    )
    if summary.known:
        counts = ", ".join(f"{summary.known[name]:,} {name}" for name in ("new", "unchanged", "changed", "absent"))
        click.echo(f"Compared with the study's {_rows(kind)}: {counts}")
        for choice, effect in summary.known["choices"].items():
            effects = f"{effect['adds']:,} added, {effect['changes']:,} changed, {effect['removes']:,} removed"
            locked = f"; not possible for {effect['locked']:,} locked {_rows(kind)}" if effect["locked"] else ""
            click.echo(f"--known {choice}: {effects}{locked}")
            for fault in effect["faults"] if choice == known else ():
                click.echo(f"{upload.filename}: {Fault(*fault)}", err=True)
    if grades := effects_on_grades(upload, summary):
        stopped = f"; the quality rule stops {', '.join(grades.stopped)}" if grades.stopped else ""
        click.echo(f"Changed grades: {grades.changed:,} of {grades.graded:,}{stopped}")
    if not summary.allows(KnownRows(known)):
        sys.exit(1)
