"""Functions that read the annotations for the commands, and print notes to standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.exchange.files import read_bytes, source_name

if TYPE_CHECKING:
    from bws.formats import Annotations


def annotations_of(path: str) -> Annotations:
    """Return the annotations in a file, and print a note about rows that contain an item twice."""
    from bws.formats import read_annotations

    table = read_annotations(read_bytes(path), name=source_name(path))
    if table.repeated_items:
        note(f"{table.repeated_items:,} of {len(table.lines):,} rows contain an item twice. These rows are included")
    return table


def note(message: str) -> None:
    """Print a note to standard error."""
    click.echo(f"accord: note: {message}", err=True)
