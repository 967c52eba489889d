"""The `accord align symmetrize` command merges the links of two alignment directions."""

from __future__ import annotations

import click

from alignment_ui.words.cli.convert import WRITTEN
from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option, write_pairs
from annotate.cli.options import note, output_option, refuse_second_stdin

METHODS = ("intersect", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and")


@click.command()
@click.argument("forward", metavar="FORWARD")
@click.argument("backward", metavar="BACKWARD")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="intersect",
    show_default=True,
    help="Method for merging the links, as defined by the Moses toolkit.",
)
@click.option(
    "--transpose",
    is_flag=True,
    help="Swap source and target in BACKWARD, because the links in this file begin with the target token. In GIZA++ A3 "
    "files, source and target are always swapped.",
)
@sentences_option(required=False)
@from_option
@click.option(
    "--to", "to_format", type=click.Choice(WRITTEN), default="pharaoh", show_default=True, help="Format of the output."
)
@output_option
def symmetrize(
    forward: str,
    backward: str,
    method: str,
    transpose: bool,
    sentences: tuple[str, ...],
    format_name: str | None,
    to_format: str,
    output: str,
) -> None:
    """Merge the links of two alignment directions.

    FORWARD contains the links from source to target, with at most one link per target word, and BACKWARD those in the
    opposite direction. In two GIZA++ A3 files, the source sentences of FORWARD are the target sentences of BACKWARD. In
    files from fast_align, both directions begin with the source token.

    \b
    Examples:
        accord align symmetrize forward.A3 backward.A3 -o pairs.pharaoh
        accord align symmetrize forward.pharaoh backward.pharaoh --method grow-diag-final-and
        accord align symmetrize forward.A3 backward.A3 --method union --to jacana -o pairs.json
    """
    from accord_core.pairs.formats.directions import symmetrized, transposed
    from accord_core.pairs.numerics.symmetrize import METHODS as KNOWN_METHODS

    refuse_second_stdin(forward, backward, *sentences)
    words = read_sentences_of(sentences)
    one = read_links(forward, format_name, words)
    other = read_links(backward, format_name)
    if transpose or other.format == "giza":
        other = transposed(other)
    chosen = next(name for name in KNOWN_METHODS if name == method)
    pairs, notes = symmetrized(one, other, chosen)
    for message in notes:
        note(message)
    write_pairs(pairs, to_format, output)
