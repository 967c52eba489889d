"""Options, file reading and notes about excluded content, shared by all `accord align` commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from annotate.cli.options import note

if TYPE_CHECKING:
    from accord_core.pairs.formats.corpus import Corpus, SentencePair

FORMAT_NAMES = ("pharaoh", "wpt", "jacana", "talp", "blinker", "giza", "goldalign", "label-studio", "webanno")

from_option = click.option(
    "--from",
    "format_name",
    type=click.Choice(FORMAT_NAMES),
    help="Format of the alignments. By default, the format is detected from each file.",
)


def sentences_option(*, required: bool) -> Callable[[click.decorators.FC], click.decorators.FC]:
    return click.option(
        "--sentences",
        metavar="FILE",
        multiple=True,
        required=required,
        callback=_one_or_two,
        help="Tokenised sentence pairs: a table, JSON Lines, or an alignment file that contains sentences. For a "
        "source file and a target file with one sentence per line, use this option twice.",
    )


def read_links(path: str, format_name: str | None = None, sentences: Corpus | None = None) -> Corpus:
    """Return the alignments in a file, or in a BLINKER folder. Notes about excluded content go to stderr."""
    from accord_core.pairs.formats.registry import read_alignments

    data = _folder(Path(path)) if path != STANDARD and Path(path).is_dir() else read_bytes(path)
    corpus = read_alignments(data, name=source_name(path), format_name=format_name, sentences=sentences)
    for said in corpus.notes:
        note(f"{corpus.name}: {said}")
    return corpus


def read_sentences_of(paths: tuple[str, ...]) -> Corpus | None:
    """Return the sentence pairs from the `--sentences` option, or None if the option is not set."""
    from accord_core.pairs.formats.sentences import read_sentence_files, read_sentences

    if not paths:
        return None
    if len(paths) == 1:
        return read_sentences(read_bytes(paths[0]), name=source_name(paths[0]))
    source, target = (read_bytes(path) for path in paths)
    return read_sentence_files(source, target, names=[source_name(path) for path in paths])


def read_subcorpora_of(paths: tuple[str, ...], column: str) -> list[str]:
    """Return each pair's subcorpus from a column of the `--sentences` table."""
    from accord_core.pairs.formats.sentences import read_subcorpora

    if len(paths) != 1 or paths[0] == STANDARD:
        raise click.UsageError("--by needs one table with --sentences, which is not standard input.")
    return read_subcorpora(read_bytes(paths[0]), column, name=source_name(paths[0]))


def write_pairs(pairs: Sequence[SentencePair], format_name: str, output: str) -> None:
    """Write the pairs to a file, and print a note about any content that the format cannot store. Raises a usage error
    if the format contains sentences and the pairs have none.
    """
    from accord_core.pairs.formats.registry import FORMATS, losses, write_alignments

    chosen = FORMATS[format_name]
    if chosen.sentences and not all(pair.sizes for pair in pairs):
        raise click.UsageError(
            f"The format {format_name} contains sentences. Use --sentences to specify the files that contain the "
            "sentences."
        )
    write_whole(output, write_alignments(pairs, format_name))
    sentences_apart = not chosen.sentences  # the input files contain the sentences
    for loss in losses(pairs, format_name, sentences_apart=sentences_apart):
        note(f"{chosen.title} cannot store {loss}")


def prefixes_of(corpus: Corpus | None, separator: str) -> list[str]:
    """Return the part of each pair's ID before the first `separator`. Raises ClickException if an ID has no
    separator.
    """
    names = []
    for number, pair in enumerate(corpus.pairs if corpus else (), start=1):
        prefix, found, _ = (pair.id or "").partition(separator)
        if not found:
            described = f"the ID {pair.id} of pair {number:,} does not contain {separator}" if pair.id else "no IDs"
            place = corpus.name if corpus else ""
            raise click.ClickException(f"{place}: {described}. --by-prefix needs IDs such as news{separator}17.")
        names.append(prefix)
    return names


def _one_or_two(_: click.Context, __: click.Parameter, paths: tuple[str, ...]) -> tuple[str, ...]:
    if len(paths) > 2:
        raise click.BadParameter("specify either one file of pairs, or two files: source and target.")
    return paths


def _folder(path: Path) -> bytes:
    from accord_core.pairs.formats.blinker import archive

    return archive((file.name, file.read_bytes()) for file in sorted(path.iterdir()) if file.is_file())
