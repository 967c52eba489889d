"""The `accord align agreement` command compares the alignments of two annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from alignment_ui.words.cli.files import (
    from_option,
    prefixes_of,
    read_links,
    read_sentences_of,
    read_subcorpora_of,
    sentences_option,
)
from annotate.cli.options import format_options, print_result, refuse_second_stdin, resamples_option, seed_option
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from accord_core.pairs.formats.corpus import Corpus
    from accord_core.words.numerics.agreement import AlignedPair


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@sentences_option(required=True)
@click.option("--ignore-identical", is_flag=True, help="Exclude links between identical words, ignoring case.")
@click.option("--phrases", is_flag=True, help="Also compare the phrase pairs that are derived from the links.")
@click.option(
    "--prealignment",
    metavar="FILE",
    help="File with both annotators' initial links. This file is required to calculate agreement beyond chance.",
)
@resamples_option()
@click.option(
    "--samples",
    type=WholeRange(1),
    default=100,
    show_default=True,
    help="Number of random alignments per pair for estimating chance agreement.",
)
@click.option(
    "--by",
    "column",
    metavar="COLUMN",
    help="Column of the --sentences table that contains each pair's subcorpus. The command also prints figures for "
    "each subcorpus.",
)
@click.option(
    "--by-prefix",
    "separator",
    metavar="SIGN",
    help="The subcorpus of a pair is the part of its ID before the first SIGN. With “-”, for example, the subcorpus of "
    "news-17 is news.",
)
@seed_option
@from_option
@format_options
def agreement(
    first: str,
    second: str,
    sentences: tuple[str, ...],
    ignore_identical: bool,
    phrases: bool,
    prealignment: str | None,
    resamples: int,
    samples: int,
    column: str | None,
    separator: str | None,
    seed: int,
    format_name: str | None,
    output_format: str,
) -> None:
    """Calculate the agreement between the annotators of files A and B.

    The figures are those of Cohn, Callison-Burch and Lapata (2008): precision, recall and F1 of possible and of sure
    links, with B as the reference and 95% intervals. The coefficient C corrects for the agreement expected if
    annotators edited the pre-alignment equally often, but at random.

    \b
    Examples:
        accord align agreement anna.wa ben.wa --sentences pairs.tsv --ignore-identical
        accord align agreement a.json b.json --sentences a.json --phrases --prealignment pre.pharaoh --json
        accord align agreement a.talp b.talp --sentences source.txt --sentences target.txt
        accord align agreement a.json b.json --sentences a.json --by-prefix -
        accord align agreement a.wa b.wa --sentences pairs.tsv --format latex > agreement.tex
        accord align agreement a.wa b.wa --sentences pairs.tsv --prealignment pre --samples 1000 --by subcorpus
    """
    from accord_core.words.formats.figures import agreement_table
    from accord_core.words.numerics.agreement import phrase_agreement, word_agreement

    if column is not None and separator is not None:
        raise click.UsageError("--by and --by-prefix exclude each other.")
    refuse_second_stdin(first, second, *sentences, prealignment)
    words = read_sentences_of(sentences)
    begun = read_links(prealignment, sentences=words) if prealignment else None
    pairs = _pairs(read_links(first, format_name, words), read_links(second, format_name, words), begun)
    measures = {"words": word_agreement} | ({"phrases": phrase_agreement} if phrases else {})

    def figures(some: Sequence[AlignedPair]) -> dict[str, Any]:
        return {
            name: measure(some, ignore_identical=ignore_identical, seed=seed, resamples=resamples, samples=samples)
            for name, measure in measures.items()
        }

    found = figures(pairs)
    names = None
    if column is not None:
        names = read_subcorpora_of(sentences, column)
    elif separator is not None:
        names = prefixes_of(words, separator)
    groups = {} if names is None else _by_subcorpus(pairs, names)
    by_group = {name: figures(members) for name, members in groups.items()}
    settings = {"ignore_identical": ignore_identical, "seed": seed, "resamples": resamples, "samples": samples}
    subcorpora = {} if names is None else {"by": column or "prefix", "subcorpora": by_group}
    print_result(
        output_format,
        agreement_table(found, by_group, ignore_identical=ignore_identical),
        text=(f"{line}\n" for line in _lines(found, by_group, ignore_identical=ignore_identical)),
        figures={**settings, **found, **subcorpora},
    )


def _lines(found: dict[str, Any], by_group: Mapping[str, dict[str, Any]], *, ignore_identical: bool) -> Iterator[str]:
    from accord_core.words.formats.figures import agreement_lines

    yield from agreement_lines(found, ignore_identical=ignore_identical)
    for name, part in by_group.items():
        yield from ("", name or "(empty)", *agreement_lines(part, ignore_identical=ignore_identical))


def _by_subcorpus(pairs: Sequence[AlignedPair], subcorpora: Sequence[str]) -> dict[str, list[AlignedPair]]:
    groups: dict[str, list[AlignedPair]] = {}
    for pair, name in zip(pairs, subcorpora, strict=True):
        groups.setdefault(name, []).append(pair)
    return groups


def _pairs(first: Corpus, second: Corpus, begun: Corpus | None) -> list[AlignedPair]:
    """Return the pairs of all files. The files must contain the same sentences as the file passed with `--sentences`,
    in the same order.
    """
    from accord_core.words.numerics.agreement import AlignedPair

    started = [pair.alignment.links for pair in begun.pairs] if begun else [None] * len(first.pairs)
    return [
        AlignedPair(a.source or (), a.target or (), a.alignment, b.alignment, start)
        for a, b, start in zip(first.pairs, second.pairs, started, strict=True)
    ]
