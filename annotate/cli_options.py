"""Command-line options that several commands share."""

from pathlib import Path

import click

from annotate.exchange.files import STANDARD


def place_for_file(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Check that the output file is writable before a long calculation starts."""
    if path is not None and path != STANDARD:
        folder = Path(path).resolve().parent
        if not folder.is_dir():
            raise click.BadParameter(f"the folder {folder} does not exist.")
        if Path(path).is_dir():
            raise click.BadParameter(f"{path} is a folder.")
    return path


output_option = click.option(
    "-o",
    "--output",
    default=STANDARD,
    metavar="FILE",
    callback=place_for_file,
    help="Write to FILE instead of standard output. FILE is written either completely or not at all.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Seed for the random draws. The same seed gives the same result.",
)
