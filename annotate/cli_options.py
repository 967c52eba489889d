"""Options that commands on plain files have in common."""

from pathlib import Path

import click

from annotate.exchange.files import STANDARD


def place_for_file(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Refuse an impossible file before a long computation, not after it."""
    if path is not None and path != STANDARD:
        folder = Path(path).resolve().parent
        if not folder.is_dir():
            raise click.BadParameter(f"there is no folder {folder}.")
        if Path(path).is_dir():
            raise click.BadParameter(f"{path} is a folder.")
    return path


output_option = click.option(
    "-o",
    "--output",
    default=STANDARD,
    metavar="FILE",
    callback=place_for_file,
    help="Write to FILE, all of it or nothing, instead of standard output.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed draws the same."
)
