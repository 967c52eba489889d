"""The `accord align agreement` command, which compares the alignments of two annotators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from alignment_ui.words.cli.files import (
    format_option,
    json_option,
    read_links,
    read_sentences_of,
    read_subcorpora_of,
    refuse_one_stdin,
    sentences_option,
)
from annotate.cli_options import seed_option

if TYPE_CHECKING:
    from alignment_ui.pairs.formats.corpus import Corpus
    from alignment_ui.words.numerics.agreement import AlignedPair


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@sentences_option(required=True)
@click.option("--ignore-identical", is_flag=True, help="Exclude links between identical words, ignoring case.")
@click.option("--phrases", is_flag=True, help="Also compare the phrase pairs that are derived from the links.")
@click.option(
    "--prealignment",
    metavar="FILE",
    help="Pre-alignment file from which both annotators started. The file is required to calculate agreement "
    "beyond chance.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="Number of resamples for the confidence intervals. 0 turns the intervals off.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Number of random alignments per pair from which the agreement expected by chance is estimated.",
)
@click.option(
    "--by",
    "column",
    metavar="COLUMN",
    help="Column of the --sentences table with the subcorpus of each pair. The command also prints the figures of each "
    "subcorpus.",
)
@seed_option
@format_option
@json_option
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
    seed: int,
    format_name: str | None,
    as_json: bool,
) -> None:
    """Calculate the agreement between the annotators of the files A and B.

    The figures are defined by Cohn, Callison-Burch and Lapata (2008): precision, recall and F1 of possible links and of
    sure links, with B as the reference and with 95% intervals. The coefficient C corrects for the agreement of two
    annotators who edit the pre-alignment at random as often as the annotators of A and B. The interval of C includes
    the random error of the estimated agreement by chance.

    \b
    Examples:
        accord align agreement anna.wa ben.wa --sentences pairs.tsv --ignore-identical
        accord align agreement a.json b.json --sentences a.json --phrases --prealignment pre.pharaoh --json
        accord align agreement a.talp b.talp --sentences source.txt --sentences target.txt
        accord align agreement a.wa b.wa --sentences pairs.tsv --prealignment pre --samples 1000 --by subcorpus
    """
    from alignment_ui.words.formats.figures import agreement_lines
    from alignment_ui.words.numerics.agreement import phrase_agreement, word_agreement

    refuse_one_stdin(first, second, *sentences, *([prealignment] if prealignment else []))
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
    groups = {} if column is None else _by_subcorpus(pairs, read_subcorpora_of(sentences, column))
    by_group = {name: figures(members) for name, members in groups.items()}
    if as_json:
        settings = {"ignore_identical": ignore_identical, "seed": seed, "resamples": resamples, "samples": samples}
        subcorpora = {} if column is None else {"by": column, "subcorpora": by_group}
        click.echo(json.dumps({**settings, **found, **subcorpora}, indent=2))
        return
    click.echo("\n".join(agreement_lines(found, ignore_identical=ignore_identical)))
    for name, part in by_group.items():
        click.echo("\n".join(["", name or "(empty)", *agreement_lines(part, ignore_identical=ignore_identical)]))


def _by_subcorpus(pairs: Sequence[AlignedPair], subcorpora: Sequence[str]) -> dict[str, list[AlignedPair]]:
    groups: dict[str, list[AlignedPair]] = {}
    for pair, name in zip(pairs, subcorpora, strict=True):
        groups.setdefault(name, []).append(pair)
    return groups


def _pairs(first: Corpus, second: Corpus, begun: Corpus | None) -> list[AlignedPair]:
    """Return the pairs of all files. The files must contain the same sentences as the file passed with `--sentences`,
    in the same order.
    """
    from alignment_ui.words.numerics.agreement import AlignedPair

    started = [pair.alignment.links for pair in begun.pairs] if begun else [None] * len(first.pairs)
    return [
        AlignedPair(a.source or (), a.target or (), a.alignment, b.alignment, start)
        for a, b, start in zip(first.pairs, second.pairs, started, strict=True)
    ]
