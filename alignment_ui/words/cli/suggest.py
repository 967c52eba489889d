"""The commands `accord align prealign`, which suggests links, and `accord align phrases`, which lists the phrase pairs
that follow from links.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import PrintedTable
from alignment_ui.words.cli.aligner_models import (
    check_weights,
    learned_from,
    learning_options,
    read_models,
    read_word_vectors,
    vectors_option,
)
from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option
from annotate.cli.options import format_options, output_option, print_result, refuse_second_stdin
from annotate.cli.support import progress_bar

if TYPE_CHECKING:
    from accord_core.pairs.formats.corpus import SentencePair

PHRASE_COLUMNS = ("pair", "links", "kind", "source_span", "source", "target_span", "target")


@click.command()
@click.argument("file", metavar="FILE")
@sentences_option(required=False)
@from_option
@format_options
@output_option
def phrases(file: str, sentences: tuple[str, ...], format_name: str | None, output_format: str, output: str) -> None:
    """List the phrase pairs that follow from the links in FILE.

    The columns are the ID or number of the pair; `sure` (from the sure links) or `possible` (from all links); `atomic`
    for the smallest phrase pair around a link, or `composite`; and span and phrase on the source and target side. The
    span 2:4 contains tokens 2 and 3, counted from 0.

    \b
    Examples:
        accord align phrases links.pharaoh --sentences pairs.tsv
        accord align phrases gold.json | grep -P '\\tsure\\tatomic\\t' | cut -f5,7 | sort | uniq -c
    """
    from accord_core.pairs.formats.tabs import tab_line

    refuse_second_stdin(file, *sentences)
    corpus = read_links(file, format_name, read_sentences_of(sentences))
    if any(pair.sizes is None for pair in corpus.pairs):
        raise click.UsageError(
            f"{corpus.name} contains only links. Use --sentences to specify the files that contain the sentences."
        )
    rows = _phrase_rows(corpus.pairs)
    if output_format == "text":
        write_whole(output, map(tab_line, chain([PHRASE_COLUMNS], rows)))
    else:
        print_result(output_format, PrintedTable(PHRASE_COLUMNS, list(rows)), output=output)


@click.command()
@click.argument("file", metavar="SENTENCES.tsv")
@click.option(
    "--learn-from",
    metavar="FILE",
    help="File with finished alignments, in any format that contains sentences. The aligner also learns from them.",
)
@learning_options
@vectors_option
@output_option
def prealign(
    file: str,
    learn_from: str | None,
    extra: tuple[str, ...],
    models: tuple[str, ...],
    save_model: str | None,
    vectors: str | None,
    output: str,
) -> None:
    """Suggest links for SENTENCES.tsv with the built-in aligner.

    The file has two columns of tokenised sentences, or another format for sentence pairs. The result has one line per
    pair in Pharaoh format, such as 0-0 1-2. The aligner learns from the pairs themselves, so more pairs give better
    links.

    With --learn-from, it also learns from finished alignments in a file with sentences, such as jacana JSON. With
    --extra, it also learns from sentence pairs without links. A --model from accord align train replaces the built-in
    weights. If it was trained with --vectors, use the same vectors again.

    \b
    Examples:
        accord align prealign pairs.tsv -o pairs.pharaoh
        accord align prealign pairs.tsv --extra translations.tsv --save-model model.npz -o pairs.pharaoh
        accord align prealign other.tsv --model model.npz -o other.pharaoh
        accord align prealign other.tsv --model model.json -o other.pharaoh
        cut -f2,3 corpus.tsv | accord align prealign - | accord align score gold.wa -
        accord align prealign pairs.tsv --learn-from finished.json -o pairs.pharaoh
    """
    from accord_core.pairs.formats.pharaoh import write_pharaoh
    from accord_core.pairs.formats.sentences import read_sentences
    from accord_core.pairs.numerics.links import Alignment
    from accord_core.pairs.numerics.prealign import prealign as suggest

    refuse_second_stdin(file, learn_from, *extra, *models, vectors)
    corpus = read_sentences(read_bytes(file), name=source_name(file))
    words: list[tuple[Sequence[str], Sequence[str]]] = [(pair.source or (), pair.target or ()) for pair in corpus.pairs]
    count, finished = len(words), {}
    if learn_from is not None:
        places = {(tuple(source), tuple(target)): place for place, (source, target) in enumerate(words)}
        for done in _finished_pairs(learn_from):
            key = (tuple(done.source or ()), tuple(done.target or ()))
            place = places.setdefault(key, len(words))
            if place == len(words):
                words.append(key)
            finished[place] = done.alignment
    lexicon, weights = read_models(models)
    read = read_word_vectors(vectors, words, weights) if vectors else None
    check_weights(weights, read, words, corpus.name)
    with progress_bar("Learning") as progress:
        learned = learned_from(extra, lexicon, save_model, progress=progress)
    base = weights and weights.network
    with progress_bar("Aligning") as progress:
        links = suggest(words, finished=finished, learned=learned, base=base, vectors=read, progress=progress)[:count]
    pairs = [pair._replace(alignment=Alignment.of(found)) for pair, found in zip(corpus.pairs, links, strict=True)]
    write_whole(output, write_pharaoh(pairs))


def _finished_pairs(file: str) -> list[SentencePair]:
    corpus = read_links(file, None, None)
    if any(pair.source is None or pair.target is None for pair in corpus.pairs):
        raise click.UsageError(
            f"{corpus.name} contains only links. For --learn-from, use a file that contains sentences and links, such "
            "as jacana JSON. To create such a file, use accord align convert with --to jacana."
        )
    return corpus.pairs


def _phrase_rows(pairs: list[SentencePair]) -> Iterator[list[str]]:
    from accord_core.pairs.numerics.links import KINDS
    from accord_core.words.numerics.phrases import atomic_phrase_pairs, phrase_pairs

    for number, pair in enumerate(pairs, start=1):
        source, target = pair.source or (), pair.target or ()
        for kind in KINDS:
            links = pair.alignment.of_kind(kind)
            atoms = set(atomic_phrase_pairs(links, len(source), len(target)))
            for phrase in phrase_pairs(links, len(source), len(target)):
                i, i_end, j, j_end = phrase
                yield [
                    pair.id or str(number),
                    kind,
                    "atomic" if phrase in atoms else "composite",
                    f"{i}:{i_end}",
                    " ".join(source[i:i_end]),
                    f"{j}:{j_end}",
                    " ".join(target[j:j_end]),
                ]
