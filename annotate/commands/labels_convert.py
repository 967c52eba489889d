"""The `accord labels convert` command converts label files to and from Label Studio's JSON format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from annotate.cli.options import chosen_label_columns, label_column_options, place_for_file, refuse_second_stdin

if TYPE_CHECKING:
    from accord_core.exchange.label_studio_labels import LabelledItem
    from accord_core.exchange.labels import LabelFile


@click.command()
@click.argument("labels", metavar="LABELS")
@click.argument("output", metavar="OUT", callback=place_for_file)
@click.option(
    "--to", "to_format", type=click.Choice(["table", "label-studio"]), required=True, help="The format of OUT."
)
@click.option(
    "--texts",
    metavar="FILE",
    help="Table with the columns “item” and “text”. With --to label-studio, annotators see these texts.",
)
@click.option(
    "--write-config",
    metavar="FILE",
    callback=place_for_file,
    help="Also write a Label Studio labelling configuration for the tasks in OUT.",
)
@label_column_options
def convert(
    labels: str, output: str, to_format: str, texts: str | None, write_config: str | None, **columns: tuple[str, ...]
) -> None:
    """Convert the labels in LABELS to a table or to Label Studio tasks, and write them to OUT.

    LABELS is a label file or an export of Label Studio in JSON. A table has the columns item, annotator and label. In
    Label Studio, each item is a task, and each label is an annotation with a choice.

    \b
    Examples:
        accord labels convert votes.csv tasks.json --to label-studio --texts items.csv --write-config config.xml
        accord labels convert export.json votes.csv --to table
        accord labels convert export.json topics.csv --to table --label topic
    """
    from accord_core.exchange.csvtext import write_csv
    from accord_core.exchange.label_studio_labels import label_studio_label_config, write_label_studio_labels
    from accord_core.exchange.labels import read_labels

    refuse_second_stdin(labels, texts)
    if to_format == "table" and (texts or write_config):
        raise click.UsageError("--texts and --write-config apply only to the format label-studio.")
    if output == write_config == STANDARD:
        raise click.UsageError("Only one file can be written to standard output.")
    file = read_labels(read_bytes(labels), name=source_name(labels), columns=chosen_label_columns(columns))
    if to_format == "table":
        write_whole(output, write_csv(_rows(file), ["item", "annotator", "label"]))
        return
    write_whole(output, write_label_studio_labels(_items(file, texts)))
    if write_config:
        write_whole(write_config, [label_studio_label_config(file.names)])


def _rows(file: LabelFile) -> Iterator[list[str]]:
    found = file.labels
    for item, annotator, label in zip(found.item.tolist(), found.annotator.tolist(), found.label.tolist(), strict=True):
        yield [file.items[item], file.annotators[annotator], file.names[label]]


def _items(file: LabelFile, texts: str | None) -> Iterator[LabelledItem]:
    """Yield each item with its text and labels. If an item has no text, annotators see its ID."""
    from accord_core.exchange.label_studio_labels import TEXT, LabelledItem

    text_of = {} if texts is None else _texts(texts, file)
    labels: dict[str, list[tuple[str, str]]] = {item: [] for item in file.items}
    for item, annotator, label in _rows(file):
        labels[item].append((annotator, label))
    for item, given in labels.items():
        yield LabelledItem(item, {TEXT: text_of.get(item, item)}, given)


def _texts(path: str, file: LabelFile) -> dict[str, str]:
    from accord_core.exchange.faults import Fault, TableError
    from accord_core.exchange.tables import Limits, find_column, read_table

    table = read_table(read_bytes(path), name=source_name(path), limits=Limits())
    item, text = (
        next((column for name in group if (column := find_column(table.columns, name))), None) for group in COLUMNS
    )
    if item is None or text is None:
        present = f"The columns are {', '.join(table.columns)}"
        missing = "item" if item is None else "text"
        raise TableError(table.name, [Fault(1, missing, f"the column is missing. {present}")])
    found = {row.values.get(item, "").strip(): row.values.get(text, "") for row in table.rows}
    if without := [key for key in file.items if key not in found]:
        raise TableError.of_file(table.name, f"{len(without):,} items have no text, for example {without[0]}")
    return found


COLUMNS = (("item", "id"), ("text", "sentence"))
