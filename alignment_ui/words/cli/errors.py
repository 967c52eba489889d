"""The `accord align sample-errors` command draws a blind sample of a system's errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from alignment_ui.pairs.cli.error_samples import sample_options, system_names, write_sample
from alignment_ui.words.cli.files import from_option, read_links, sentences_option
from alignment_ui.words.cli.phrase_scores import directed_option, gold_with_sentences, occurring, read_list
from annotate.cli.options import refuse_second_stdin

if TYPE_CHECKING:
    from accord_core.exchange.error_samples import Positive
    from accord_core.pairs.formats.corpus import Corpus, SentencePair
    from accord_core.pairs.numerics.links import Kind


@click.command("sample-errors")
@click.argument("gold", metavar="GOLD")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option(
    "--units",
    type=click.Choice(["phrases", "links", "list"]),
    default="phrases",
    show_default=True,
    help="Units to judge: the atomic phrase pairs that follow from SYSTEM's links, the links themselves, or the phrase "
    "pairs in lists, as in `accord align score-phrases`.",
)
@click.option(
    "--kind",
    type=click.Choice(["sure", "possible"]),
    default="sure",
    show_default=True,
    help="Gold links that count: the sure links, or all links. The system's links are compared with all gold links.",
)
@click.option("--ignore-identical", is_flag=True, help="Exclude pairs of identical words or phrases, ignoring case.")
@directed_option
@sentences_option(required=False)
@from_option
@sample_options
def sample_errors(
    gold: str,
    systems: tuple[str, ...],
    units: str,
    kind: str,
    ignore_identical: bool,
    directed: bool,
    sentences: tuple[str, ...],
    format_name: str | None,
    errors: int,
    controls: int,
    key: str,
    seed: int,
    output: str,
) -> None:
    """Draw false positives from each SYSTEM for a blind human check, mixed with true positives as controls.

    The CSV file has the columns id, source, target, source_phrase and target_phrase, with the phrases in brackets in
    their sentences, but neither systems nor gold answers. Afterwards, run `accord align corrected-precision` with the
    key and the judgements.

    \b
    Examples:
        accord align sample-errors gold.json giza.pharaoh --key errors.key.json -o questions.csv
        accord align sample-errors gold.json a.tsv b.tsv --units list --key errors.key.json -o questions.csv
    """
    from accord_core.pairs.numerics.links import KINDS

    refuse_second_stdin(gold, *systems, *sentences)
    expected = gold_with_sentences(gold, format_name, sentences)
    chosen = next(each for each in KINDS if each == kind)
    positives = {}
    for name, path in zip(system_names(systems), systems, strict=True):
        if units == "list":
            found = _listed(path, expected.pairs, chosen, directed=directed)
        else:
            found = _aligned(read_links(path, format_name, expected), expected, chosen, phrases=units == "phrases")
        positives[name] = [
            _different(each, pair) if ignore_identical else each
            for each, pair in zip(found, expected.pairs, strict=True)
        ]
    write_sample(
        positives,
        [(pair.source or (), pair.target or ()) for pair in expected.pairs],
        [pair.id or str(number) for number, pair in enumerate(expected.pairs, start=1)],
        errors=errors,
        controls=controls,
        key=key,
        seed=seed,
        output=output,
    )


def _aligned(system: Corpus, gold: Corpus, kind: Kind, *, phrases: bool) -> list[dict[Positive, bool]]:
    """Return the links or the atomic phrase pairs of each sentence pair, and whether they are in the gold standard."""
    from accord_core.pairs.formats.matching import match
    from accord_core.words.numerics.phrases import PhrasePair, atomic_phrase_pairs, phrase_pairs

    found = []
    for place, (pair, other) in enumerate(match(gold, system).pairs):
        sizes = pair.sizes or (0, 0)
        if phrases:
            expected = set(phrase_pairs(pair.alignment.of_kind(kind), *sizes))
            predicted: Iterable[PhrasePair] = atomic_phrase_pairs(other.alignment.of_kind(kind), *sizes)
        else:
            expected = {PhrasePair(i, i + 1, j, j + 1) for i, j in pair.alignment.links}
            predicted = (PhrasePair(i, i + 1, j, j + 1) for i, j in other.alignment.links)
        found.append({_positive(place, span): span in expected for span in predicted})
    return found


def _listed(path: str, pairs: list[SentencePair], kind: Kind, *, directed: bool) -> list[dict[Positive, bool]]:
    """Return the listed phrase pairs that occur in each sentence pair. If a phrase pair occurs in several places, its
    place in the gold standard is judged or, if there is none, the first place.
    """
    from accord_core.words.numerics.phrases import phrase_pairs

    found = []
    for place, (pair, predicted) in enumerate(
        zip(pairs, occurring(read_list(path, pairs), pairs, directed=directed), strict=True)
    ):
        gold = set(phrase_pairs(pair.alignment.of_kind(kind), *(pair.sizes or (0, 0))))
        judged = {}
        for each in predicted:
            if kind in each.kinds and each.atomic:
                span = min(each.spans & gold or each.spans)
                judged[_positive(place, span)] = span in gold
        found.append(judged)
    return found


def _positive(place: int, span: tuple[int, int, int, int]) -> Positive:
    from accord_core.exchange.error_samples import Positive

    return Positive(place, tuple(range(span[0], span[1])), tuple(range(span[2], span[3])))


def _different(positives: Mapping[Positive, bool], pair: SentencePair) -> dict[Positive, bool]:
    """Return the system's phrase pairs whose two phrases differ, ignoring case."""
    source, target = ([word.casefold() for word in side or ()] for side in (pair.source, pair.target))
    return {
        positive: correct
        for positive, correct in positives.items()
        if [source[token] for token in positive.source] != [target[token] for token in positive.target]
    }
