"""Functions that read annotations for the commands and print notes to standard error."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import note

if TYPE_CHECKING:
    from accord_core.bws.formats import Annotations
    from accord_core.bws.numerics.scoring import Judgements, Repeats

drop_option = click.option(
    "--drop-inconsistent", is_flag=True, help="Exclude rows that have the same item as best and worst."
)
repeats_option = click.option(
    "--repeated-items",
    "repeats",
    type=click.Choice(["once", "cells"]),
    default="once",
    show_default=True,
    help="Appearances to count if a row contains the same item twice: one, or one per cell.",
)


def annotations_of(path: str, repeats: Repeats = "once") -> Annotations:
    """Return the annotations in a file, and print a note about rows that contain the same item twice."""
    from accord_core.bws.formats import read_annotations

    table = read_annotations(read_bytes(path), name=source_name(path))
    if table.repeated_items:
        counted = "once per row" if repeats == "once" else "once per cell"
        note(
            f"{table.repeated_items:,} of {len(table.lines):,} rows contain the same item twice. These rows are "
            f"included, and the item counts {counted}"
        )
    return replace(table, judgements=replace(table.judgements, repeats=repeats))


def judgements_to_use(table: Annotations, *, method: str, drop_requested: bool) -> Judgements:
    """Return the judgements in a file that the method can use, and print a note about inconsistent rows.

    Inconsistent rows name the same item as best and worst. The maxdiff method always excludes them.
    """
    from accord_core.bws.numerics.scoring import drop_inconsistent

    always = method == "maxdiff"
    consistent, dropped = drop_inconsistent(table.judgements)
    if not dropped:
        return table.judgements
    summary = f"{dropped:,} of {len(table.lines):,} rows name the same item as best and worst"
    if not len(consistent) and (always or drop_requested):
        raise click.ClickException(f"{summary}. Without these rows, the file has no judgements to score.")
    if always:
        note(f"{summary}. MaxDiff excludes these rows")
        return consistent
    if drop_requested:
        note(f"{summary}. These rows are excluded")
        return consistent
    note(f"{summary}. These rows are included (--drop-inconsistent excludes them)")
    return table.judgements
