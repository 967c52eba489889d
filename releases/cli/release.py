"""The `accord release` command creates a release of a study, and verifies a release against its raw annotations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.printed_tables import PrintedTable
from annotate.cli.options import CommandGroup, format_options, print_result
from annotate.cli.support import study_argument, study_named, with_django
from annotate.cli.types import WholeRange
from releases.cli.publish import publish
from reporting.cli.answers import read_answers
from reporting.questions import checked_answers

if TYPE_CHECKING:
    from releases.contents.verify import Verification


@click.group(cls=CommandGroup)
def group() -> None:
    """Create releases of studies, verify them, and publish them."""


@group.command()
@study_argument
@click.option(
    "-o",
    "--output",
    "output",
    required=True,
    metavar="FOLDER|FILE.zip",
    help="Folder or zip file to create. It must not exist.",
)
@click.option("--version", "version", default="1.0", show_default=True, help="Of the release.")
@click.option("--licence", default="CC-BY-4.0", show_default=True, help="SPDX identifier or URL of the licence.")
@click.option("--creators", default="", metavar="NAMES", help="Authors, separated by semicolons.")
@click.option("--citation", default="", help="Citation of the release.")
@click.option("--url", default="", help="URL of the published release.")
@click.option(
    "--statement",
    metavar="FILE.json",
    type=click.Path(exists=True, dir_okay=False),
    help="File with answers to the questions of `accord study report-form`, for this release only. They replace the "
    "study's stored answers to these questions.",
)
@click.option(
    "--split",
    "proportions",
    metavar="TRAIN,DEV,TEST",
    help="Divide the items into train, dev and test with these percentages, such as 80,10,10. The study stores the "
    "setting for later releases.",
)
@click.option(
    "--stratify",
    default="",
    metavar="COLUMNS",
    help="Comma-separated metadata columns whose values keep the same proportions in every part. Needs --split.",
)
@click.option(
    "--split-seed", type=WholeRange(0), default=1, show_default=True, help="Seed of the parts. Needs --split."
)
@click.option(
    "--gold",
    type=click.Choice(["sealed", "open"]),
    default="sealed",
    show_default=True,
    help="Encrypt gold and practice questions with a key that is printed once, or publish them.",
)
@with_django
def make(
    study: str,
    output: str,
    version: str,
    licence: str,
    creators: str,
    citation: str,
    url: str,
    statement: str | None,
    proportions: str | None,
    stratify: str,
    split_seed: int,
    gold: str,
) -> None:
    """Create a release of STUDY with data, pseudonymous raw annotations, report, data card, checksums and Croissant
    metadata.

    \b
    Examples:
        accord release make k3J -o relatedness-1.0 --creators "A. Author; B. Author"
        accord release make k3J -o relatedness-1.0.zip --version 1.0
        accord release make k3J -o relatedness-1.0 --split 80,10,10 --stratify source
    """
    from annotate.core.permissions import SYSTEM
    from releases.contents.folder import About
    from releases.services.releases import as_zip, make_release

    target = Path(output)
    if target.exists():
        raise click.ClickException(f"{output} already exists, and a release cannot be overwritten. Choose another name")
    sections = _statement(statement)
    about = About(
        version=version,
        licence=licence,
        published=datetime.now(UTC).date(),
        creators=creators,
        citation=citation,
        url=url,
        gold=gold,
        statement=sections,
    )
    study_id = study_named(study).pk
    if proportions is not None:
        _choose_split(study_id, proportions, stratify, split_seed)
    elif stratify:
        raise click.UsageError("--stratify needs --split TRAIN,DEV,TEST.")
    release = make_release(study_id, about, user=SYSTEM)
    if target.suffix == ".zip":
        target.write_bytes(as_zip(release))
    else:
        _write_folder(target, release.files)
    click.echo(f"{len(release.files):,} files, SHA-256 of their checksums {release.sha256}")
    if release.key:
        click.echo(f"Key to the sealed gold questions, which is stored nowhere else: {release.key}")


@group.command()
@click.argument("folder", metavar="RELEASE", type=click.Path(exists=True))
@click.option("--key", default="", help="Key to the sealed gold questions, to verify them, too.")
@format_options
@click.pass_context
def verify(context: click.Context, folder: str, key: str, output_format: str) -> None:
    """Verify RELEASE, a folder or zip file, by recalculating every published number from the raw annotations. Numbers
    about sealed gold questions need --key.

    The command reports each difference with its position, and then has the exit status 1. It needs no database.

    \b
    Examples:
        accord release verify relatedness-1.0
        accord release verify relatedness-1.0.zip --json
    """
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    from annotate.server.software import versions
    from releases.contents.verify import verify as verify_release

    files = files_of(folder)
    outcome = verify_release(files, versions=versions(), say=lambda text: click.echo(f"{text} …", err=True), key=key)
    notes = [*([_versions(outcome)] if outcome.faults and outcome.versions else []), _summary(outcome)]
    print_result(
        output_format,
        PrintedTable(["difference"], [[fault] for fault in outcome.faults], notes=notes),
        text=(f"{line}\n" for line in [*outcome.faults, *notes]),
        figures={"holds": outcome.holds, **vars(outcome)},
    )
    context.exit(0 if outcome.holds else 1)


def _versions(outcome: Verification) -> str:
    changes = ", ".join(f"{name} {then}, here {now}" for name, (then, now) in outcome.versions.items())
    return f"the release was made with other versions: {changes}"


def _summary(outcome: Verification) -> str:
    result = "all as published" if outcome.holds else f"{len(outcome.faults):,} differ"
    seals = {"closed": ". The gold questions are sealed; verify them with --key", "verified": ", with the sealed files"}
    return (
        f"{outcome.files:,} files checked, {outcome.exports:,} data files and {outcome.numbers:,} numbers "
        f"recalculated: {result}{seals.get(outcome.seal, '')}"
    )


def files_of(place: str) -> dict[str, bytes]:
    """Return the files of a release in a folder or zip file, for a command."""
    from releases.contents.archive import UnreadableRelease, read_release

    try:
        return read_release(Path(place))
    except UnreadableRelease as error:
        raise click.ClickException(str(error)) from error


def _choose_split(study_id: int, proportions: str, stratify: str, seed: int) -> None:
    """Store the settings of the train, dev and test splits. The choice of items for scoring systems does not change."""
    from annotate.core.permissions import SYSTEM
    from evaluation.cli.split import percentages
    from evaluation.models import SplitSettings
    from evaluation.services.splits import SplitChoice, choose_split

    train, dev, test = (round(100 * share) for share in percentages(proportions))
    settings = SplitSettings.objects.filter(study_id=study_id).first()
    test_only = settings is not None and settings.test_only
    choose_split(study_id, SplitChoice(seed, train, dev, test, stratify, test_only), user=SYSTEM)


def _statement(file: str | None) -> dict[str, str]:
    if file is None:
        return {}
    try:
        return checked_answers(read_answers(file))
    except ValueError as error:
        raise click.ClickException(f"{file}: {error.args[-1]}") from error


def _write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """A release gets its final name only when all files are complete."""
    import shutil
    import tempfile

    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        for path, data in files.items():
            place = draft / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        draft.chmod(0o755)
        draft.rename(target)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


group.add_command(publish)
