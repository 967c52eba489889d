"""The `accord align score-phrases` command compares systems' lists of phrase pairs with gold links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.compared_systems import title
from accord_core.exchange.files import read_bytes, source_name
from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option
from alignment_ui.words.cli.scores import Differences, Parts, correct, differences_as_json
from annotate.cli.options import (
    baseline_option,
    chosen_systems,
    format_options,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
    systems_argument,
)

if TYPE_CHECKING:
    from accord_core.numerics.labels import Floats
    from accord_core.pairs.formats.corpus import Corpus, SentencePair
    from accord_core.words.numerics.phrase_lists import ListedPhrase, Prediction

directed_option = click.option(
    "--directed",
    is_flag=True,
    help="Look for the first phrase only in source sentences. By default, each phrase pair counts in both directions.",
)


@click.command("score-phrases")
@click.argument("gold", metavar="GOLD")
@systems_argument("LIST...")
@baseline_option
@directed_option
@click.option("--ignore-identical", is_flag=True, help="Exclude pairs of identical phrases, ignoring case.")
@sentences_option(required=False)
@resamples_option("sentence pairs")
@seed_option
@from_option
@format_options
def score_phrases(
    gold: str,
    systems: tuple[str, ...],
    baseline: str | None,
    directed: bool,
    ignore_identical: bool,
    sentences: tuple[str, ...],
    resamples: int,
    seed: int,
    format_name: str | None,
    output_format: str,
) -> None:
    """Score the phrase pairs in each LIST against the phrase pairs that follow from the links of GOLD.

    Name a system with NAME=FILE. Holm's method corrects the p-values of each figure.

    LIST is tab-separated text: a file from `accord align phrases`, or one pair of phrases per line. In the second case,
    only phrase pairs that occur in a sentence pair are scored (Cohn, Callison-Burch and Lapata 2008).

    \b
    Examples:
        accord align score-phrases gold.json paraphrases.tsv --ignore-identical
        accord align score-phrases gold.json paraphrases.tsv other.tsv --json
    """
    from accord_core.words.formats.figures import score_lines, score_table
    from accord_core.words.numerics.phrase_lists import estimate
    from accord_core.words.numerics.system_scores import PHRASES, compared_sums, figures_of_sums

    compared = chosen_systems(systems, baseline)
    refuse_second_stdin(gold, *sentences, *compared.paths)
    expected = gold_with_sentences(gold, format_name, sentences)
    names = [(part.removeprefix("phrases "), name) for part, last in PHRASES for name in ("precision", "recall", last)]
    counts = {}
    listed = {}
    for system in compared.systems:
        entries = read_list(system.path, expected.pairs)
        predicted = occurring(entries, expected.pairs, directed=directed)
        counts[system.name] = _counts(expected.pairs, predicted, ignore_identical=ignore_identical)
        listed[system.name] = {"listed": len(entries), "occurring": sum(map(len, predicted))}
    resampling = {"resamples": resamples, "seed": seed}
    found = {name: figures_of_sums(names, each, estimate, **resampling) for name, each in counts.items()}
    differences = {
        (one, other): compared_sums(names, counts[one], counts[other], estimate, **resampling)
        for one, other in compared.pairs
    }
    correct(differences)
    titled = {title(*pair): parts for pair, parts in differences.items()}
    pairs, notes = len(expected.pairs), [_numbers_line(name, each) for name, each in listed.items()]
    print_result(
        output_format,
        score_table(found, titled, pairs, "Phrase pairs", notes),
        text=(f"{line}\n" for line in score_lines(found, titled, pairs, "Phrase pairs", notes)),
        figures=_as_json(found, differences, listed),
    )


def _numbers_line(system: str, numbers: dict[str, int]) -> str:
    return (
        f"Phrase pairs in the list {system}: {numbers['listed']:,}. "
        f"Phrase pairs in the sentence pairs: {numbers['occurring']:,}."
    )


def gold_with_sentences(path: str, format_name: str | None, sentences: tuple[str, ...]) -> Corpus:
    """Return the gold links. Raises a usage error if the sentences are unknown."""
    corpus = read_links(path, format_name, read_sentences_of(sentences))
    if any(pair.sizes is None for pair in corpus.pairs):
        raise click.UsageError(
            f"{corpus.name} contains only links. Use --sentences to specify the files that contain the sentences."
        )
    return corpus


def read_list(path: str, pairs: list[SentencePair]) -> list[ListedPhrase]:
    from accord_core.words.formats.phrase_lists import read_phrase_list

    return read_phrase_list(read_bytes(path), pairs, name=source_name(path))


def occurring(phrases: list[ListedPhrase], pairs: list[SentencePair], *, directed: bool) -> list[list[Prediction]]:
    from accord_core.words.numerics.phrase_lists import predictions

    return predictions(phrases, [(pair.source or (), pair.target or ()) for pair in pairs], directed=directed)


def _counts(pairs: list[SentencePair], predicted: list[list[Prediction]], *, ignore_identical: bool) -> Floats:
    from accord_core.words.numerics.phrase_lists import list_counts
    from accord_core.words.numerics.system_scores import GoldPair

    gold = [GoldPair(pair.source or (), pair.target or (), pair.alignment) for pair in pairs]
    return list_counts(gold, predicted, ignore_identical=ignore_identical)


def _as_json(found: dict[str, Parts], differences: Differences, listed: dict[str, Any]) -> dict[str, Any]:
    systems = {name: listed[name] | parts for name, parts in found.items()}
    if len(systems) == 1:
        return next(iter(systems.values()))
    return {"systems": systems, "differences": differences_as_json(differences)}
