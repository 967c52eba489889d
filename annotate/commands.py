"""`accord study`: what the console does, from the command line, on this installation's database.

Django is set up by the first command that needs it, so that `accord --help` stays quick.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from annotate.models import Study, User


def with_django(command: Callable[..., Any]) -> Callable[..., Any]:
    """Set Django up, and tell a refusal in one line."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        django.setup()
        _require_tables()
        from annotate.refusals import Refused

        try:
            return command(*args, **kwargs)
        except Refused as refusal:
            raise click.ClickException(refusal.message) from refusal

    return run


study_argument = click.argument("study", metavar="STUDY")


@click.group()
def group() -> None:
    """Studies on this installation: make, open, simulate, report, export.

    STUDY is a study's id, or enough of its beginning. The database is that of DATABASE_URL, else the embedded one.

    \b
    Examples:
        accord study create items.csv --title "Relatedness" --owner me@example.org --gold gold.csv
        accord study open 8hG2
        accord study export 8hG2 scores.csv -o scores.csv
    """


@group.command()
@click.argument("items", metavar="ITEMS")
@click.option("--title", help="What annotators see as the study's name.")
@click.option("--type", "task_type", default="bws", show_default=True, help="The task type.")
@click.option("--owner", envvar="ACCORD_USER", required=True, metavar="EMAIL", help="Who owns it; made if unknown.")
@click.option("--gold", metavar="FILE", help="Questions with known answers.")
@click.option("--practice", metavar="FILE", help="Questions to begin with.")
@click.option("--settings", "settings_file", metavar="FILE.toml", help="Settings, as examples/relatedness/study.toml.")
@click.option("--instructions", metavar="FILE.md")
@click.option("--examples", metavar="FILE.md")
@click.option("--consent", metavar="FILE.md")
@click.option("--privacy-notice", metavar="FILE.md")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting; may be repeated.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the task type.")
@with_django
def create(
    items: str, title: str | None, task_type: str, owner: str, gold: str | None, practice: str | None,
    settings_file: str | None, instructions: str | None, examples: str | None, consent: str | None,
    privacy_notice: str | None, settings: tuple[str, ...], options: tuple[str, ...],
) -> None:  # fmt: skip
    """Make a draft study from a file of ITEMS and build its design; prints its id. With any fault, nothing is made."""
    from annotate.services.design import build_design
    from annotate.services.study import create_study
    from annotate.services.writing import write

    wanted, wanted_options = _settings(settings_file)
    wanted |= _pairs(settings)
    for name, file in (
        ("instructions", instructions), ("examples", examples), ("privacy_notice", privacy_notice),
    ):  # fmt: skip
        if file:
            wanted[name] = _text(file)
    title = title or wanted.pop("title", None) or Path(items).stem
    wanted.pop("title", None)
    with write():
        user = _user(owner, make=True)
        study = create_study(
            user=user, title=title, task_type=wanted.pop("task_type", task_type),
            options=wanted_options | _pairs(options), consent=_text(consent) if consent else "", **wanted,
        )  # fmt: skip
        for purpose, file in (("items", items), ("gold", gold), ("practice", practice)):
            if file:
                _bring_in(study, purpose, file, user)
        build_design(study.pk, user=user)
    click.echo(study.public_id)


@group.command("import")
@study_argument
@click.argument("file", metavar="FILE")
@click.option(
    "--as", "purpose", type=click.Choice(["items", "gold", "practice", "mturk-results"]), default="items",
    show_default=True,
)  # fmt: skip
@click.option("--check", is_flag=True, help="Say what would come of it and change nothing.")
@click.option(
    "--skip-faulty", is_flag=True,
    help="With mturk-results: import the other assignments if the answers of some cannot be read.",
)  # fmt: skip
@with_django
def import_(study: str, file: str, purpose: str, check: bool, skip_faulty: bool) -> None:
    """Bring a FILE of items, gold or practice questions, or a batch's results, into a study; all of it or nothing."""
    from annotate.models import Upload
    from annotate.services.uploads import preview

    found = study_named(study)
    if purpose == "mturk-results":
        if check:
            raise click.UsageError("--check is for items, gold and practice")
        _bring_results_in(found, file, skip_faulty=skip_faulty)
        return
    if skip_faulty:
        raise click.UsageError("--skip-faulty is for mturk-results")
    if check:
        data = read_bytes(file)
        upload = Upload(study=found, purpose=purpose, filename=source_name(file), content=_compressed(data))
        seen = preview(upload)
        for fault in seen.faults:
            click.echo(f"{upload.filename}: {fault}", err=True)
        for warning in seen.warnings:
            click.echo(f"{upload.filename}: warning: {warning}", err=True)
        click.echo(f"{seen.rows:,} rows, {len(seen.faults):,} faults, {len(seen.warnings):,} warnings")
        if not seen.importable:
            sys.exit(1)
        return
    click.echo(f"{_bring_in(found, purpose, file, None):,} {purpose}")


@group.command()
@study_argument
@click.option("--report", "report_file", metavar="FILE.json", help="Write the design report there.")
@with_django
def design(study: str, report_file: str | None) -> None:
    """Build the questions of a draft study anew and say what the design is worth."""
    from annotate.services.design import build_design

    with _progress() as say:
        report = build_design(study_named(study).pk, user=None, progress=say)
    for check in report.result.get("checks", []):
        mark = {"ok": "ok  ", "advice": "note", "fault": "FAIL"}[check["state"]]
        click.echo(f"{mark}  {check['name']}: {check['value']} ({check['detail']})")
    if report_file:
        write_whole(report_file, [json.dumps(report.result, indent=2) + "\n"])


def _state_command(name: str, service: str, help_: str) -> None:
    @group.command(name, help=help_)
    @study_argument
    @with_django
    def change(study: str) -> None:
        from annotate.services import study as services

        changed = getattr(services, service)(study_named(study).pk, user=None)
        click.echo(f"{changed.title} is {changed.state}")


_state_command("open", "open_study", "Open a study to annotators, or say what is still missing.")
_state_command("pause", "pause_study", "Hand out nothing new; HITs in hand can be finished.")
_state_command("close", "close_study", "End the collection.")


@group.command()
@study_argument
@click.option("--per-hit", type=click.IntRange(1, 20), help="So many further judgements of every question instead.")
@with_django
def more(study: str, per_hit: int | None) -> None:
    """Ask for further judgements: where the task type needs them, or of everything."""
    from annotate.services.supply import add_slots, add_where_needed

    found = study_named(study)
    if per_hit:
        click.echo(f"{add_slots(found.pk, user=None, per_hit=per_hit):,} assignments added")
    else:
        click.echo(f"{add_where_needed(found.pk, user=None):,} judgements added")


@group.command()
@study_argument
@click.option("--annotators", type=click.IntRange(1), default=20, show_default=True)
@click.option("--careless", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="Share of them.")
@click.option("--hits", type=click.IntRange(1), help="Stop after so many HITs; by default when none is left.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--truth", metavar="FILE.csv", help="Item ids and true values from 0 to 1; drawn by default.")
@with_django
def simulate(study: str, annotators: int, careless: float, hits: int | None, seed: int, truth: str | None) -> None:
    """Let simulated annotators answer, through the services that a browser uses."""
    from annotate.services.simulate import simulate as run

    done = run(
        study_named(study), annotators=annotators, careless=careless, hits=hits, seed=seed,
        truth=_truth(truth) if truth else None,
    )  # fmt: skip
    click.echo(f"{done.hits:,} HITs by {done.annotators} annotators, {done.stopped} of them stopped")


@group.command()
@study_argument
@click.option("--kind", default="results", show_default=True)
@click.option("--splits", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The whole report.")
@click.option("--queue", is_flag=True, help="Leave it to a worker, and print the job's id.")
@with_django
def report(study: str, kind: str, splits: int, as_json: bool, queue: bool) -> None:
    """Compute the results of a study and keep them as a report."""
    from annotate.services.jobs import ask_for
    from annotate.services.reports import make_report

    found = study_named(study)
    if queue:
        click.echo(ask_for(found, f"report:{kind}", parameters={"splits": splits}, user=None).public_id)
        return
    with _progress() as say:
        made = make_report(found.pk, kind=kind, parameters={"splits": splits}, user=None, progress=say)
    if as_json:
        click.echo(json.dumps(made.result, indent=2, ensure_ascii=False))
        return
    click.echo(f"report {made.number}: {made.result['judgements']:,} judgements")
    headline = made.result.get("headline")
    if headline:
        click.echo(f"{headline['name']} {' to '.join(_figure(end['value']) for end in headline['ends'])}")


@group.command()
@study_argument
@click.argument("name", metavar="[NAME]", required=False)
@click.option("-o", "--output", default=STANDARD, metavar="FILE", help="Write to FILE instead of standard output.")
@with_django
def export(study: str, name: str | None, output: str) -> None:
    """Write a download of a study, such as scores.csv; without NAME, list what there is."""
    from annotate.selectors.downloads import exports_of, write_export

    found = study_named(study)
    if name is None:
        for each in exports_of(found):
            click.echo(f"{each.filename:<20} {each.description}")
        return
    wanted, chunks = write_export(found, name)
    if wanted.note:
        click.echo(f"accord: {wanted.filename}: {wanted.note}", err=True)
    write_whole(output, chunks)


@group.command("list")
@with_django
def list_() -> None:
    """List the studies of this installation."""
    from annotate.models import Study

    for study in Study.objects.order_by("created_at"):
        click.echo(f"{study.public_id}  {study.state:<8}  {study.task_type:<10}  {study.title}")


@group.command()
@click.argument("email")
@with_django
def login(email: str) -> None:
    """Print a link that signs a researcher in, once."""
    from django.conf import settings

    from annotate.services.credentials import login_path

    click.echo(settings.SITE_URL + login_path(_user(email, make=False)))


def _require_tables() -> None:
    """Set the embedded database up at the first use; anybody else's is for them to migrate."""
    from django.core.management import call_command
    from django.db import connection

    if "annotate_study" in connection.introspection.table_names():
        return
    if connection.vendor != "sqlite":
        raise click.ClickException("the database has no tables yet; run: python manage.py migrate")
    call_command("migrate", verbosity=0, interactive=False)


def study_named(beginning: str) -> Study:
    from annotate.models import Study

    found = list(Study.objects.filter(public_id__startswith=beginning)[:2])
    if len(found) != 1:
        raise click.ClickException(
            f"{'no study begins' if not found else 'several studies begin'} with {beginning}; see `accord study list`"
        )
    return found[0]


def _user(email: str, *, make: bool) -> User:
    from annotate.models import User
    from annotate.services.accounts import account_of, create_account

    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None and not make:
        raise click.ClickException(f"nobody here has the address {email}")
    if user is None:
        return create_account(email)
    if make and account_of(email) != user:
        raise click.ClickException(
            f"the address {email} is not confirmed for its account; confirm it with: accord account confirm {email}"
        )
    return user


def _bring_in(study: Study, purpose: str, file: str, user: User | None) -> int:
    from annotate.services.uploads import import_upload, receive

    upload = receive(study, purpose=purpose, filename=source_name(file), data=read_bytes(file), user=user)
    return import_upload(upload.pk, user=user)


def _bring_results_in(study: Study, file: str, *, skip_faulty: bool) -> None:
    from annotate.services.mturk import import_results

    done = import_results(study.pk, read_bytes(file), source_name(file), user=None, skip_faulty=skip_faulty)
    click.echo(
        f"{done.assignments:,} assignments with {done.answers:,} answers: {done.repeats:,} repeats, "
        f"{done.surplus:,} surplus, {done.stopped:,} by stopped workers; left out: {done.known:,} known already, "
        f"{done.rejected:,} rejected, {done.faulty:,} faulty"
    )
    if done.faulty:
        click.echo("The history of the study names the faulty assignments.", err=True)
    if done.gold_left_out or done.gold_added:
        click.echo(
            f"Workers did not answer {done.gold_left_out:,} gold questions of their HITs, and answered "
            f"{done.gold_added:,} gold questions that their HITs do not have. All of these count as missed. "
            "The history of the study names the workers.",
            err=True,
        )


def _settings(file: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    if file is None:
        return {}, {}
    try:
        read = tomllib.loads(_text(file), parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(f"{file} is not TOML: {error}") from error
    options = read.pop("options", {})
    read.pop("simulation", None)  # of the demonstration
    return read | read.pop("settings", {}), options


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"{pair} is not NAME=VALUE")
        pairs[name] = value
    return pairs


def _text(file: str) -> str:
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file} is not UTF-8: byte {error.start + 1}") from error


def _truth(file: str) -> dict[str, float]:
    rows = csv.reader(_text(file).splitlines())
    next(rows, None)
    try:
        return {row[0]: float(row[1]) for row in rows}
    except (IndexError, ValueError) as error:
        raise click.ClickException(f"{file}, line {rows.line_num}: an id and a number are needed") from error


def _compressed(data: bytes) -> bytes:
    import zlib

    return zlib.compress(data)


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}".lstrip("0")


@contextmanager
def _progress() -> Iterator[Callable[[float, str], None]]:
    """Progress on standard error while it is a terminal."""
    shown = sys.stderr.isatty()

    def say(share: float, message: str) -> None:
        if shown:
            click.echo(f"\r\x1b[K{share:4.0%}  {message}", err=True, nl=False)

    yield say
    if shown:
        click.echo("\r\x1b[K", err=True, nl=False)
