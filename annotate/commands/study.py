"""The `accord study` commands, which carry out console actions from a terminal."""

from __future__ import annotations

import click

from accord_core.exchange.files import STANDARD, write_whole
from accord_core.exchange.printed_tables import PrintedTable
from accord_core.numerics.printed import with_noun
from annotate.cli.options import format_options, print_result
from annotate.cli.support import progress_line, study_argument, study_named, with_django

from .join_links import join_lines, note_unknown_address
from .main import EntryPointGroup
from .study_data import build, create, import_
from .study_judgements import add_judgements, simulate
from .study_settings import change


@click.group(
    cls=EntryPointGroup,
    source="accord.study",
    sections={
        "Prepare a study": ["create", "repeat", "import", "build", "settings", "preregister"],
        "Run a study": ["list", "open", "pause", "close", "add-judgements", "simulate"],
        "Results": ["import-results", "report", "export", "report-form", "documents", "methods", "figures"],
    },
)
def group() -> None:
    """Create, open, simulate and export the studies of this installation.

    STUDY is the ID of a study, or the first characters of the ID. The commands use the database in DATABASE_URL or, if
    it is not set, the embedded database.

    \b
    Examples:
        accord study create items.csv --type bws --title "Relatedness" --owner me@example.org --gold gold.csv
        accord study open 8hG2
        accord study export 8hG2 scores.csv -o scores.csv
    """


for command in (create, import_, build, change, add_judgements, simulate):
    group.add_command(command)


def _state_command(name: str, service: str, help_: str) -> None:
    @group.command(name, help=help_)
    @study_argument
    @with_django
    def change_state(study: str) -> None:
        from annotate.core.permissions import SYSTEM
        from annotate.studies.services import study as study_services

        changed = getattr(study_services, service)(study_named(study).pk, user=SYSTEM)
        click.echo(f"The study {changed.title} is now {changed.state}.")
        if changed.state == changed.State.OPEN:
            click.echo("\n".join(join_lines(changed)))
            note_unknown_address()


_state_command(
    "open",
    "open_study",
    "Open a study and print its join links, or list the unmet requirements.",
)
_state_command("pause", "pause_study", "Pause a study. Annotators get no new HITs, but can finish HITs in progress.")
_state_command("close", "close_study", "Close a study to stop collecting answers.")


@group.command()
@study_argument
@click.option(
    "--kind",
    default="results",
    show_default=True,
    help="Kind of report. The task type defines the available kinds of reports.",
)
@click.option(
    "--background", is_flag=True, help="Calculate the report in a background worker, and print the ID of the job."
)
@format_options
@with_django
def report(study: str, kind: str, background: bool, output_format: str) -> None:
    """Calculate a study's results and store them as a report.

    text shows the number of judgements and the main figure. csv, markdown and latex have one row per figure, and json
    contains the complete report.
    """
    from accord_core.exchange.report_figures import report_table
    from annotate import tasktypes
    from annotate.core.permissions import SYSTEM
    from annotate.core.services.jobs import request_job
    from annotate.results.services import make_report
    from annotate.tasktypes import Headline

    reported = study_named(study)
    kinds = tasktypes.get(reported.task_type).reports.on_request
    if kind not in kinds:
        raise click.BadParameter(
            f"There is no report of kind “{kind}”. Kinds: {', '.join(kinds)}.", param_hint="--kind"
        )
    if background:
        click.echo(request_job(reported, f"report:{kind}", user=SYSTEM).public_id)
        return
    with progress_line() as progress:
        stored = make_report(reported.pk, kind=kind, parameters={}, user=SYSTEM, progress=progress)
    title = f"Report {stored.number}: {with_noun(stored.result['judgements'], 'judgement')}"
    headline = Headline.from_json(stored.result["headline"]) if stored.result.get("headline") else None
    ends = [f"{headline.name}: {headline.text}"] if headline else []
    print_result(
        output_format,
        report_table(stored.result, caption=title),
        text=(f"{line}\n" for line in [title, *ends]),
        figures=stored.result,
    )


@group.command()
@study_argument
@click.argument("name", metavar="[NAME]", required=False)
@click.option("-o", "--output", default=STANDARD, metavar="FILE", help="Write to FILE instead of standard output.")
@with_django
def export(study: str, name: str | None, output: str) -> None:
    """Export one of a study's files, such as scores.csv. If NAME is omitted, list the files that can be exported."""
    from annotate.pay.selectors import files as payment_files
    from annotate.prolific.selectors.files import files_of, write_file
    from annotate.results.selectors.downloads import exports_of, write_export

    exported = study_named(study)
    # These files contain platform IDs, so they are not on the page Files.
    lists = files_of(exported) | payment_files.FILES
    if name is None:
        descriptions = {each.filename: each.description for each in exports_of(exported)} | lists
        width = max(map(len, descriptions))
        for filename, description in descriptions.items():
            click.echo(f"{filename:<{width}}  {description}")
        return
    if name in payment_files.FILES:
        write_whole(output, payment_files.write_payments(exported, name, with_platform_ids=True))
        return
    if name in lists:
        write_whole(output, write_file(exported, name))
        return
    file, chunks = write_export(exported, name)
    if file.note:
        click.echo(f"accord: {file.filename}: {file.note}", err=True)
    write_whole(output, chunks)


@group.command("list")
@format_options
@with_django
def list_(output_format: str) -> None:
    """List the studies in this installation with their ID, state, task type and title."""
    from annotate.models import Study

    studies = Study.objects.order_by("created_at").values_list("public_id", "state", "task_type", "title")
    print_result(
        output_format,
        PrintedTable(["id", "state", "type", "title"], list(studies)),
        text=(f"{key}  {state:<8}  {kind:<10}  {title}\n" for key, state, kind, title in studies),
    )
