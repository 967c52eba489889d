"""The `accord ists convert` command converts chunk alignments to another format."""

from __future__ import annotations

import click

from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from annotate.cli.options import note, place_for_file

FORMAT_NAMES = ("wa", "label-studio", "webanno")


@click.command()
@click.argument("file", metavar="IN")
@click.argument("output", metavar="OUT", callback=place_for_file)
@click.option(
    "--from",
    "from_format",
    type=click.Choice(FORMAT_NAMES),
    help="Format of IN. By default, the format is detected from the file.",
)
@click.option("--to", "to_format", type=click.Choice(FORMAT_NAMES), required=True, help="Format of OUT.")
@click.option(
    "--write-config",
    metavar="FILE",
    callback=place_for_file,
    help="Also write a Label Studio labelling configuration for the tasks in OUT.",
)
def convert(file: str, output: str, from_format: str | None, to_format: str, write_config: str | None) -> None:
    """Convert the chunk alignments in IN to another format and write them to OUT.

    The formats are .wa files, tasks of Label Studio as JSON, and documents of INCEpTION as WebAnno TSV 3.3. Notes on
    standard error list the content that the format of OUT cannot store.

    \b
    Examples:
        accord ists convert gold.wa tasks.json --to label-studio --write-config config.xml
        accord ists convert export.json annotated.wa --to wa
        accord ists convert gold.wa gold.tsv --to webanno
    """
    from accord_core.chunks.formats.label_studio import label_studio_config
    from accord_core.chunks.formats.registry import TITLES, losses, read_chunk_alignments, write_chunk_alignments

    if write_config and to_format != "label-studio":
        raise click.UsageError(f"--write-config applies only to the format label-studio, not to {to_format}.")
    if output == write_config == STANDARD:
        raise click.UsageError("Only one file can be written to standard output.")
    pairs, notes = read_chunk_alignments(read_bytes(file), name=source_name(file), format_name=from_format)
    for text in notes:
        note(f"{source_name(file)}: {text}")
    write_whole(output, write_chunk_alignments(pairs, to_format))
    if write_config:
        write_whole(write_config, [label_studio_config()])
    for lost in losses(pairs, to_format):
        note(f"{'standard output' if output == STANDARD else output}: {TITLES[to_format]} cannot store {lost}")
