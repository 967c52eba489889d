"""The `accord align score` command scores systems' links against gold links, and compares the systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.compared_systems import add_corrected_by_figure, title
from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option
from annotate.cli.options import (
    baseline_option,
    chosen_systems,
    format_options,
    note,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
    systems_argument,
)
from evaluation.cli.split import pairs_in_part, part_file_options

if TYPE_CHECKING:
    from collections.abc import Collection

    from accord_core.pairs.formats.corpus import Corpus
    from accord_core.pairs.numerics.links import Alignment
    from accord_core.words.numerics.system_scores import GoldPair

Parts = dict[str, dict[str, Any]]  # Figures are identified by part and name.
Differences = dict[tuple[str, str], Parts]


@click.command()
@click.argument("gold", metavar="GOLD")
@systems_argument()
@baseline_option
@click.option("--phrases", is_flag=True, help="Also score the phrase pairs that are derived from the links.")
@click.option(
    "--ignore-identical", is_flag=True, help="Exclude links between identical words, ignoring case, and equal phrases."
)
@sentences_option(required=False)
@part_file_options
@resamples_option("sentence pairs")
@seed_option
@from_option
@format_options
def score(
    gold: str,
    systems: tuple[str, ...],
    baseline: str | None,
    phrases: bool,
    ignore_identical: bool,
    sentences: tuple[str, ...],
    split: str | None,
    splits: str | None,
    resamples: int,
    seed: int,
    format_name: str | None,
    output_format: str,
) -> None:
    """Score the links in each SYSTEM against the links in GOLD.

    Name a system with NAME=FILE. Holm's method corrects the p-values of each figure.

    Pairs are matched by ID or, if a file has no IDs, by position. “Sure” compares sure links, and “Possible” compares
    all links. “Och and Ney” compares the system's sure links with all gold links, and all its links with the sure gold
    links. It also shows the alignment error rate. Phrase pairs and identical words need the sentences, from one of the
    files or from --sentences.

    \b
    Examples:
        accord align score gold.wa system.wa
        accord align score gold.json system.pharaoh --phrases --ignore-identical
        accord align score gold.json system.pharaoh other.pharaoh
        accord align score gold.json new.pharaoh old.pharaoh --baseline GIZA=giza/model.A3
        accord align score gold.json system.pharaoh --json | jq .och_ney.aer
        accord align score alignments.json system.pharaoh --split test --splits splits.csv
        fast_align -i corpus.txt -dov | accord align score gold.talp -
    """
    from accord_core.words.formats.figures import score_lines, score_table
    from accord_core.words.numerics.system_scores import counts_by_pair, system_differences, system_figures

    compared = chosen_systems(systems, baseline)
    refuse_second_stdin(gold, *sentences, *compared.paths, splits)
    part = pairs_in_part(split, splits)
    words = read_sentences_of(sentences)
    expected = read_links(gold, format_name, words)
    counts = {}
    for system in compared.systems:
        drawn = read_links(system.path, format_name, words)
        pairs, alignments = _matched(expected, drawn, part, needed=phrases or ignore_identical)
        counts[system.name] = counts_by_pair(pairs, alignments, phrases=phrases, ignore_identical=ignore_identical)
    found = {name: system_figures(each, resamples=resamples, seed=seed) for name, each in counts.items()}
    differences = {
        (one, other): system_differences(counts[one], counts[other], resamples=resamples, seed=seed)
        for one, other in compared.pairs
    }
    correct(differences)
    titled = {title(*pair): parts for pair, parts in differences.items()}
    print_result(
        output_format,
        score_table(found, titled, len(pairs)),
        text=(f"{line}\n" for line in score_lines(found, titled, len(pairs))),
        figures=_as_json(found, differences, intervals=resamples > 0),
    )


def correct(differences: Differences) -> None:
    """Add `p_holm` to the differences of each figure, if several pairs of systems are compared."""
    for part in next(iter(differences.values()), {}):
        add_corrected_by_figure([parts[part] for parts in differences.values()])


def _matched(
    expected: Corpus, found: Corpus, part: Collection[str] | None, *, needed: bool
) -> tuple[list[GoldPair], list[Alignment]]:
    """Return the gold pairs and the system's alignments. If `needed` is true, the sentences of every pair must be
    known. If `part` contains IDs, only the pairs with these IDs are returned.
    """
    from accord_core.pairs.formats.matching import match, refuse_links_outside
    from accord_core.words.numerics.system_scores import GoldPair

    matched = match(expected, found)
    for message in matched.notes:
        note(message)
    refuse_links_outside(matched.pairs, found.name)
    chosen = [each for each in matched.pairs if part is None or each[0].id in part]
    if part is not None and not chosen:
        raise click.ClickException(
            f"{expected.name} contains no sentence pair in this part. Accord looks up each pair’s ID in the file "
            "that lists the parts."
        )
    pairs = []
    for gold, system in chosen:
        source, target = gold.source or system.source, gold.target or system.target
        if needed and not (source and target):
            raise click.UsageError("--phrases and --ignore-identical need the sentences. Use --sentences FILE.")
        pairs.append(GoldPair(source or (), target or (), gold.alignment))
    return pairs, [system.alignment for _, system in chosen]


def _as_json(found: dict[str, Parts], differences: Differences, *, intervals: bool) -> dict[str, Any]:
    """Return the values by part and name, with the ends of the intervals in `intervals`. The figures for multiple
    systems are in `systems`.
    """
    systems = {name: _nested(parts, lambda figure: figure["value"]) for name, parts in found.items()}
    for name, parts in found.items():
        if intervals:
            systems[name]["intervals"] = _nested(parts, lambda figure: [figure["low"], figure["high"]])
    if len(systems) == 1:
        return next(iter(systems.values()))
    return {"systems": systems, "differences": differences_as_json(differences)}


def differences_as_json(differences: Differences) -> list[dict[str, Any]]:
    return [
        {"one": one, "other": other, **_nested(parts, lambda figure: figure)}
        for (one, other), parts in differences.items()
    ]


def _nested(parts: Parts, content: Any) -> dict[str, Any]:
    """Return the contents by part and name. The object `phrases` contains the parts for phrase pairs."""
    nested: dict[str, Any] = {}
    for part, figures in parts.items():
        *outer, inner = part.split(" ")
        place = nested.setdefault(outer[0], {}) if outer else nested
        place[inner] = {name: content(figure) for name, figure in figures.items()}
    return nested
