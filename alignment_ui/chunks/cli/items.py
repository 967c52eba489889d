"""The `accord ists items` command combines two sentence files into items."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import output_option, refuse_second_stdin


@click.command()
@click.argument("first", metavar="SENT1")
@click.argument("second", metavar="SENT2")
@click.option(
    "--dataset", default="", metavar="NAME", help="Name of the dataset, used as the prefix of the pairs' IDs."
)
@output_option
def items(first: str, second: str, dataset: str, output: str) -> None:
    """Create items from the sentence files SENT1 and SENT2.

    Line n of SENT1 and line n of SENT2 form a sentence pair. The sentences must be tokenised, and can contain chunks in
    brackets. The result is a JSON Lines file with the columns id, source, target and, with --dataset, dataset.

    \b
    Example:
        accord ists items images.sent1.chunk.txt images.sent2.chunk.txt --dataset images -o items.jsonl
    """
    from alignment_ui.chunks.two_files import items_of

    refuse_second_stdin(first, second)
    names = (source_name(first), source_name(second))
    lines = items_of(read_bytes(first), read_bytes(second), names, dataset=dataset, column="dataset")
    write_whole(output, [lines])
