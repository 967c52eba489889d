"""The `accord align prealign` command, which suggests links, and the `accord align phrases` command, which lists the
phrase pairs that follow from links.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from alignment_ui.words.cli.files import (
    format_option,
    progress_bar,
    read_links,
    read_sentences_of,
    refuse_one_stdin,
    sentences_option,
)
from annotate.cli_options import output_option
from annotate.exchange.files import read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from alignment_ui.pairs.formats.corpus import SentencePair

PHRASE_COLUMNS = ("pair", "links", "kind", "source_span", "source", "target_span", "target")


@click.command()
@click.argument("file", metavar="FILE")
@sentences_option(required=False)
@format_option
@output_option
def phrases(file: str, sentences: tuple[str, ...], format_name: str | None, output: str) -> None:
    """List the phrase pairs that follow from the links in FILE.

    The columns are separated by tabs: the ID or number of the pair; `sure` if the phrase pair follows from the sure
    links, or `possible` if it follows from all links; `atomic` for the smallest phrase pair around a link, or
    `composite`; the source span and phrase; and the target span and phrase. The span 2:4 contains tokens 2 and 3,
    counted from 0. FILE can contain the sentences itself, as in jacana JSON.

    \b
    Examples:
        accord align phrases links.pharaoh --sentences pairs.tsv
        accord align phrases gold.json | grep -P '\\tsure\\tatomic\\t' | cut -f5,7 | sort | uniq -c
    """
    refuse_one_stdin(file, *sentences)
    corpus = read_links(file, format_name, read_sentences_of(sentences))
    if any(pair.sizes is None for pair in corpus.pairs):
        raise click.UsageError(
            f"{corpus.name} contains only links. Use --sentences to specify the files that contain the sentences."
        )
    write_whole(output, _phrase_lines(corpus.pairs))


@click.command()
@click.argument("file", metavar="SENTENCES.tsv")
@output_option
def prealign(file: str, output: str) -> None:
    """Suggest links for SENTENCES.tsv with the built-in aligner.

    The file has two columns of tokenised sentences, with or without a header, or any other format that --sentences
    accepts in other commands. The result has one line per pair in Pharaoh format, such as 0-0 1-2. The aligner is
    trained on the pairs themselves, so the links improve with the number of pairs.

    \b
    Examples:
        accord align prealign pairs.tsv -o pairs.pharaoh
        cut -f2,3 corpus.tsv | accord align prealign - | accord align score gold.wa -
    """
    from alignment_ui.pairs.formats.pharaoh import write_pharaoh
    from alignment_ui.pairs.formats.sentences import read_sentences
    from alignment_ui.pairs.numerics.links import Alignment
    from alignment_ui.pairs.numerics.prealign import prealign as suggest

    corpus = read_sentences(read_bytes(file), name=source_name(file))
    words = [(pair.source or (), pair.target or ()) for pair in corpus.pairs]
    with progress_bar("Aligning") as progress:
        links = suggest(words, progress=progress)
    pairs = [pair._replace(alignment=Alignment.of(found)) for pair, found in zip(corpus.pairs, links, strict=True)]
    write_whole(output, write_pharaoh(pairs))


def _phrase_lines(pairs: list[SentencePair]) -> Iterator[str]:
    from alignment_ui.pairs.formats.tabs import tab_line
    from alignment_ui.pairs.numerics.links import KINDS
    from alignment_ui.words.numerics.phrases import atomic_phrase_pairs, phrase_pairs

    yield tab_line(PHRASE_COLUMNS)
    for number, pair in enumerate(pairs, start=1):
        source, target = pair.source or (), pair.target or ()
        for kind in KINDS:
            links = pair.alignment.of_kind(kind)
            atoms = set(atomic_phrase_pairs(links, len(source), len(target)))
            for phrase in phrase_pairs(links, len(source), len(target)):
                i, i_end, j, j_end = phrase
                cells = [
                    pair.id or str(number),
                    kind,
                    "atomic" if phrase in atoms else "composite",
                    f"{i}:{i_end}",
                    " ".join(source[i:i_end]),
                    f"{j}:{j_end}",
                    " ".join(target[j:j_end]),
                ]
                yield tab_line(cells)
