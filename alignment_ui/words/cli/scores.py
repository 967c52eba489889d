"""The `accord align score` command, which compares a system's links with gold links, and with another system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option
from annotate.cli_options import (
    against_option,
    format_options,
    note,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)

if TYPE_CHECKING:
    from alignment_ui.pairs.formats.corpus import Corpus
    from alignment_ui.pairs.numerics.links import Alignment
    from alignment_ui.words.numerics.system_scores import GoldPair


@click.command()
@click.argument("gold", metavar="GOLD")
@click.argument("system", metavar="SYSTEM")
@against_option("links")
@click.option("--phrases", is_flag=True, help="Also score the phrase pairs that are derived from the links.")
@click.option(
    "--ignore-identical", is_flag=True, help="Exclude links between identical words, ignoring case, and equal phrases."
)
@sentences_option(required=False)
@resamples_option("sentence pairs")
@seed_option
@from_option
@format_options
def score(
    gold: str,
    system: str,
    against: str | None,
    phrases: bool,
    ignore_identical: bool,
    sentences: tuple[str, ...],
    resamples: int,
    seed: int,
    format_name: str | None,
    output_format: str,
) -> None:
    """Score the links of SYSTEM against the links of GOLD.

    Pairs are matched by ID if both files contain IDs, and otherwise by position. “Sure” compares only sure links, and
    “Possible” compares all links. “Och and Ney” compares the system's sure links with all gold links and all system
    links with the sure gold links, and reports the alignment error rate. Phrase pairs and identical words need the
    sentences, from one of the files or from --sentences.

    \b
    Examples:
        accord align score gold.wa system.wa
        accord align score gold.json system.pharaoh --phrases --ignore-identical
        accord align score gold.json system.pharaoh --against other.pharaoh
        accord align score gold.json system.pharaoh --json | jq .och_ney.aer
        fast_align -i corpus.txt -dov | accord align score gold.talp -
    """
    from alignment_ui.words.formats.figures import score_lines, score_table
    from alignment_ui.words.numerics.system_scores import counts_by_pair, system_differences, system_figures

    refuse_second_stdin(gold, system, *sentences, against)
    words = read_sentences_of(sentences)
    expected = read_links(gold, format_name, words)
    systems = {"system": system} | ({"against": against} if against else {})
    counts = {}
    for name, path in systems.items():
        pairs, drawn = _matched(expected, read_links(path, format_name, words), needed=phrases or ignore_identical)
        counts[name] = counts_by_pair(pairs, drawn, phrases=phrases, ignore_identical=ignore_identical)
    found = {name: system_figures(each, resamples=resamples, seed=seed) for name, each in counts.items()}
    differences = None
    if against:
        differences = system_differences(counts["system"], counts["against"], resamples=resamples, seed=seed)
    print_result(
        output_format,
        score_table(found, differences, len(expected.pairs)),
        text=(f"{line}\n" for line in score_lines(found, differences, len(expected.pairs))),
        figures=_as_json(found, differences, intervals=resamples > 0),
    )


def _matched(expected: Corpus, found: Corpus, *, needed: bool) -> tuple[list[GoldPair], list[Alignment]]:
    """Return the gold pairs and the system's alignments. If the sentences are `needed`, they must be known."""
    from alignment_ui.pairs.formats.matching import match, refuse_links_outside
    from alignment_ui.words.numerics.system_scores import GoldPair

    matched = match(expected, found)
    for message in matched.notes:
        note(message)
    refuse_links_outside(matched.pairs, found.name)
    pairs = []
    for gold, system in matched.pairs:
        source, target = gold.source or system.source, gold.target or system.target
        if needed and not (source and target):
            raise click.UsageError("--phrases and --ignore-identical need the sentences. Use --sentences FILE.")
        pairs.append(GoldPair(source or (), target or (), gold.alignment))
    return pairs, [system.alignment for _, system in matched.pairs]


def _as_json(
    found: dict[str, dict[str, Any]], differences: dict[str, Any] | None, *, intervals: bool
) -> dict[str, Any]:
    """Return the values by part and name, the ends of the intervals in `intervals`, and the second system."""
    figures = _nested(found["system"], lambda figure: figure["value"])
    if intervals:
        figures["intervals"] = _nested(found["system"], lambda figure: [figure["low"], figure["high"]])
    if differences is not None:
        figures["against"] = _nested(found["against"], lambda figure: figure["value"])
        figures["differences"] = _nested(differences, lambda figure: figure)
    return figures


def _nested(parts: dict[str, dict[str, Any]], content: Any) -> dict[str, Any]:
    """Return the contents by part and name. The parts of phrase pairs are in the object `phrases`."""
    nested: dict[str, Any] = {}
    for part, figures in parts.items():
        *outer, inner = part.split(" ")
        place = nested.setdefault(outer[0], {}) if outer else nested
        place[inner] = {name: content(figure) for name, figure in figures.items()}
    return nested
