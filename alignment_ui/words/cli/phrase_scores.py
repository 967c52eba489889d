"""The `accord align score-phrases` command, which compares a system's list of phrase pairs with gold links."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option
from annotate.cli_options import (
    against_option,
    format_options,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from annotate.exchange.files import read_bytes, source_name

if TYPE_CHECKING:
    from alignment_ui.pairs.formats.corpus import Corpus, SentencePair
    from alignment_ui.words.numerics.phrase_lists import ListedPhrase, Prediction
    from annotate.numerics.labels import Floats

directed_option = click.option(
    "--directed",
    is_flag=True,
    help="Look for the first phrase only in source sentences. By default, each phrase pair counts in both directions.",
)


@click.command("score-phrases")
@click.argument("gold", metavar="GOLD")
@click.argument("phrases", metavar="LIST")
@against_option("phrase pairs")
@directed_option
@click.option("--ignore-identical", is_flag=True, help="Exclude pairs of identical phrases, ignoring case.")
@sentences_option(required=False)
@resamples_option("sentence pairs")
@seed_option
@from_option
@format_options
def score_phrases(
    gold: str,
    phrases: str,
    against: str | None,
    directed: bool,
    ignore_identical: bool,
    sentences: tuple[str, ...],
    resamples: int,
    seed: int,
    format_name: str | None,
    output_format: str,
) -> None:
    """Score the phrase pairs in LIST against the phrase pairs that follow from the links of GOLD.

    LIST is tab-separated text. It can be a list of paraphrases with one pair of phrases per line. The command then
    scores only the phrase pairs that occur in a sentence pair, as in Cohn, Callison-Burch and Lapata (2008). LIST can
    also be a file written by `accord align phrases`, in which each phrase pair has a place in a sentence pair.

    \b
    Examples:
        accord align score-phrases gold.json paraphrases.tsv --ignore-identical
        accord align score-phrases gold.json paraphrases.tsv --against other.tsv --json
    """
    from alignment_ui.words.formats.figures import score_lines, score_table
    from alignment_ui.words.numerics.phrase_lists import estimate
    from alignment_ui.words.numerics.system_scores import PHRASES, compared_sums, figures_of_sums

    refuse_second_stdin(gold, phrases, *sentences, against)
    expected = gold_with_sentences(gold, format_name, sentences)
    names = [(part.removeprefix("phrases "), name) for part, last in PHRASES for name in ("precision", "recall", last)]
    counts = {}
    listed = {}
    for name, path in ({"system": phrases} | ({"against": against} if against else {})).items():
        entries = read_list(path, expected.pairs)
        predicted = occurring(entries, expected.pairs, directed=directed)
        counts[name] = _counts(expected.pairs, predicted, ignore_identical=ignore_identical)
        listed[name] = {"listed": len(entries), "occurring": sum(map(len, predicted))}
    found = {
        name: figures_of_sums(names, each, estimate, resamples=resamples, seed=seed) for name, each in counts.items()
    }
    differences = None
    if against:
        both = counts["system"], counts["against"]
        differences = compared_sums(names, *both, estimate, resamples=resamples, seed=seed)
    numbers = [_numbers_line(name, each) for name, each in listed.items()]
    pairs = len(expected.pairs)
    print_result(
        output_format,
        score_table(found, differences, pairs, "Phrase pairs", notes=numbers),
        text=(f"{line}\n" for line in chain(score_lines(found, differences, pairs, "Phrase pairs"), _apart(numbers))),
        figures=_as_json(found, differences, listed),
    )


def _numbers_line(system: str, numbers: dict[str, int]) -> str:
    title = {"system": "", "against": " of the other system"}[system]
    return (
        f"Phrase pairs in the list{title}: {numbers['listed']:,}. "
        f"Phrase pairs in the sentence pairs: {numbers['occurring']:,}."
    )


def _apart(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield from ("", line)


def gold_with_sentences(path: str, format_name: str | None, sentences: tuple[str, ...]) -> Corpus:
    """Return the gold links. Raises a usage error if the sentences are unknown."""
    corpus = read_links(path, format_name, read_sentences_of(sentences))
    if any(pair.sizes is None for pair in corpus.pairs):
        raise click.UsageError(
            f"{corpus.name} contains only links. Use --sentences to specify the files that contain the sentences."
        )
    return corpus


def read_list(path: str, pairs: list[SentencePair]) -> list[ListedPhrase]:
    from alignment_ui.words.formats.phrase_lists import read_phrase_list

    return read_phrase_list(read_bytes(path), pairs, name=source_name(path))


def occurring(phrases: list[ListedPhrase], pairs: list[SentencePair], *, directed: bool) -> list[list[Prediction]]:
    from alignment_ui.words.numerics.phrase_lists import predictions

    return predictions(phrases, [(pair.source or (), pair.target or ()) for pair in pairs], directed=directed)


def _counts(pairs: list[SentencePair], predicted: list[list[Prediction]], *, ignore_identical: bool) -> Floats:
    from alignment_ui.words.numerics.phrase_lists import list_counts
    from alignment_ui.words.numerics.system_scores import GoldPair

    gold = [GoldPair(pair.source or (), pair.target or (), pair.alignment) for pair in pairs]
    return list_counts(gold, predicted, ignore_identical=ignore_identical)


def _as_json(
    found: dict[str, dict[str, Any]], differences: dict[str, Any] | None, listed: dict[str, Any]
) -> dict[str, Any]:
    figures = {name: listed[name] | parts for name, parts in found.items()}
    body = figures["system"]
    if differences is not None:
        body = body | {"against": figures["against"], "differences": differences}
    return body
