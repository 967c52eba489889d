"""The `accord study repeat` command, which creates a draft from a release."""

from __future__ import annotations

from pathlib import Path

import click

from accord_core.exchange.printed_tables import PrintedTable
from annotate.cli.options import format_options, print_result
from annotate.cli.support import with_django


@click.command()
@click.argument("release", metavar="RELEASE", type=click.Path(exists=True))
@click.option("--key", default="", help="Key to the sealed gold questions.")
@click.option("--title", default="", help="Title of the new study. The default is the title of the original.")
@click.option(
    "--change", "changes", multiple=True, metavar="NAME=VALUE", help="A setting with a new value. Can be repeated."
)
@click.option(
    "--owner",
    envvar="ACCORD_USER",
    required=True,
    metavar="EMAIL",
    help="Owner of the new study. If no account has this address, Accord creates one.",
)
@format_options
@with_django
def repeat(release: str, key: str, title: str, changes: tuple[str, ...], owner: str, output_format: str) -> None:
    """Create a draft that repeats the study in RELEASE, a folder or zip file, and print its ID.

    The draft has the same items, questions, HITs, gold sets, texts and settings. The command lists what differs from
    the original.

    \b
    Examples:
        accord study repeat relatedness-1.0.zip --owner me@example.org --key KEY
        accord study repeat relatedness-1.0 --owner me@example.org --change judgements=5
    """
    from annotate.commands.study_data import owner_with
    from annotate.commands.study_settings import BOOLEANS, name_value_pairs
    from releases.contents.archive import read_release
    from releases.services.repeat import read_for_repeat, repeat_study

    source = read_for_repeat(lambda: read_release(Path(release)), release, key)
    values = {name: BOOLEANS.get(value, value) for name, value in name_value_pairs(changes).items()}
    repeated = repeat_study(source, user=owner_with(owner), title=title, changes=values)
    differences = repeated.report.result["differences"]
    lines = [f"{row['part']}: {row['text']}{_values(row)}" for row in differences]
    print_result(
        output_format,
        PrintedTable(
            ["part", "difference", "original", "repeat"],
            [[row["part"], row["text"], row["original"], row["repeat"]] for row in differences],
        ),
        text=(f"{line}\n" for line in [repeated.study.public_id, *lines]),
        figures={"study": repeated.study.public_id, "differences": differences},
    )


def _values(row: dict[str, object]) -> str:
    return "" if row["repeat"] is None else f" Original: {row['original']}. Repeat: {row['repeat']}."
