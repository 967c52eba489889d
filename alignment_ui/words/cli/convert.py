"""The `accord align convert` command converts links to another format and reports lost content."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import STANDARD, write_whole
from alignment_ui.words.cli.files import FORMAT_NAMES, read_links, read_sentences_of, sentences_option
from annotate.cli.options import note, place_for_file, refuse_second_stdin

if TYPE_CHECKING:
    from accord_core.pairs.formats.corpus import SentencePair

# Accord can read GIZA++ A3 files but not write them.
WRITTEN = [name for name in FORMAT_NAMES if name != "giza"]


@click.command()
@click.argument("file", metavar="IN")
@click.argument("output", metavar="OUT")
@click.option(
    "--from",
    "from_format",
    type=click.Choice(FORMAT_NAMES),
    help="Format of IN. By default, the format is detected from the file.",
)
@click.option("--to", "to_format", type=click.Choice(WRITTEN), required=True, help="Format of OUT.")
@sentences_option(required=False)
@click.option(
    "--possible",
    type=click.Choice(["?", "p", "sure", "drop"]),
    help="How to write possible links: with a separator in Pharaoh files (0?1 or 0p1), as sure links, or not at all. "
    "By default, possible links remain possible if the format supports them.",
)
@click.option(
    "--write-sentences",
    nargs=2,
    metavar="SOURCE TARGET",
    help="Also write the sentences to two files, one sentence per line. For wpt, a line is <s snum=1> … </s>.",
)
@click.option(
    "--write-config",
    metavar="FILE",
    help="Also write a Label Studio labelling configuration for the tasks in OUT.",
)
def convert(
    file: str,
    output: str,
    from_format: str | None,
    to_format: str,
    sentences: tuple[str, ...],
    possible: str | None,
    write_sentences: tuple[str, str] | None,
    write_config: str | None,
) -> None:
    """Convert the alignments in IN to another format and write them to OUT.

    Notes on standard error list the content that the format of OUT cannot store. For BLINKER, IN is a folder or a zip
    archive, and OUT is a new folder, or a zip archive if its name ends in .zip.

    \b
    Examples:
        accord align convert gold.json gold.wa --to wpt --write-sentences source.txt target.txt
        accord align convert gold.wa gold.json --to jacana --sentences pairs.tsv
        accord align convert gold.wa - --to pharaoh --possible '?' | head
        accord align convert gold.json tasks.json --to label-studio --write-config config.xml
    """
    from accord_core.pairs.formats.label_studio import CONFIG
    from accord_core.pairs.formats.registry import FORMATS, losses, write_alignments

    refuse_second_stdin(file, *sentences)
    if possible in ("?", "p") and to_format != "pharaoh":
        raise click.UsageError(f"--possible applies only to the format pharaoh, not to {to_format}.")
    if write_config and to_format != "label-studio":
        raise click.UsageError(f"--write-config applies only to the format label-studio, not to {to_format}.")
    as_folder = to_format == "blinker" and output != STANDARD and not output.endswith(".zip")
    _refuse_places(output, [*(write_sentences or ()), *filter(None, [write_config])], as_folder=as_folder)
    corpus = read_links(file, from_format, read_sentences_of(sentences))
    known = all(pair.sizes for pair in corpus.pairs)
    if not known and (FORMATS[to_format].sentences or write_sentences):
        raise click.UsageError(
            f"{corpus.name} contains only links. Use --sentences to specify the files that contain the sentences."
        )
    pairs = [_with_possible(pair, possible) for pair in corpus.pairs]
    sign = possible if possible in ("?", "p") else None
    if as_folder:
        _write_folder(Path(output), pairs)
    else:
        write_whole(output, write_alignments(pairs, to_format, possible=sign))
    if write_sentences:
        _write_sentences(write_sentences, pairs, numbered=to_format == "wpt")
    if write_config:
        write_whole(write_config, [CONFIG])
    if lost := losses(pairs, to_format, possible=sign, sentences_apart=bool(write_sentences)):
        title = FORMATS[to_format].title
        note(f"{'standard output' if output == STANDARD else output}: {title} cannot store {_and(lost)}")


def _with_possible(pair: SentencePair, wanted: str | None) -> SentencePair:
    from accord_core.pairs.numerics.links import Alignment

    if wanted == "sure":
        return pair._replace(alignment=Alignment(pair.alignment.links))
    if wanted == "drop":
        return pair._replace(alignment=Alignment(pair.alignment.sure))
    return pair


def _refuse_places(output: str, sentences: Sequence[str], *, as_folder: bool) -> None:
    """Raise a usage error if an output path cannot be written. The paths are checked before any file is written."""
    for path in (*sentences, *([] if as_folder else [output])):
        place_for_file(click.get_current_context(), click.Argument(["out"]), path)
    if [output, *sentences].count(STANDARD) > 1:
        raise click.UsageError("Only one file can be written to standard output.")
    folder = Path(output)
    if as_folder and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(
            f"{output} already exists. Enter the name of a new folder, or a file name that ends in .zip."
        )


def _write_folder(folder: Path, pairs: Sequence[SentencePair]) -> None:
    """Write all files into a new folder or, if an error occurs, write nothing."""
    from accord_core.pairs.formats.blinker import write_blinker

    folder = folder.resolve()
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as draft:
        whole = Path(draft) / folder.name
        whole.mkdir()
        for name, content in write_blinker(pairs):
            (whole / name).write_text(content, encoding="utf-8")
        os.replace(whole, folder)


def _write_sentences(places: tuple[str, str], pairs: Sequence[SentencePair], *, numbered: bool) -> None:
    from accord_core.pairs.formats.sentences import write_sentence_lines
    from accord_core.pairs.formats.wpt import write_wpt_sentences

    sides = write_wpt_sentences(pairs) if numbered else write_sentence_lines(pairs)
    for place, lines in zip(places, sides, strict=True):
        write_whole(place, lines)


def _and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
