"""The `accord ists score` command scores the links in a file using the official measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import PrintedTable
from accord_core.pairs.formats.tabs import tab_line
from annotate.cli.options import (
    format_options,
    note,
    place_for_file,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from evaluation.cli.split import pairs_in_part, part_file_options

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from accord_core.chunks.numerics.chunks import IstsPair
    from accord_core.chunks.numerics.mismatches import Mismatches
    from accord_core.chunks.numerics.scores import IstsScores, Version
    from annotate.tasktypes import Measure


@click.command()
@click.argument("gold", metavar="GOLD.wa")
@click.argument("system", metavar="SYSTEM.wa")
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    default="2016",
    show_default=True,
    help="Year of the official scorer. The 2015 scorer does not penalise similar types in the Typ+Sco measure.",
)
@click.option("--by-pair", is_flag=True, help="Also print the figures for each sentence pair.")
@click.option("--debug", is_flag=True, help="Print the detailed output of the official scorer instead.")
@click.option(
    "--mismatches",
    "mismatches_to",
    metavar="FILE.csv",
    callback=place_for_file,
    help="Write the links that differ to FILE.csv, and print tables of their types and score differences.",
)
@click.option(
    "--annotations",
    metavar="FILE.wa",
    help="Also score against all annotators' annotations in FILE.wa, such as a study's annotations.wa.",
)
@part_file_options
@resamples_option("sentence pairs")
@seed_option
@format_options
def score(
    gold: str,
    system: str,
    version: str,
    by_pair: bool,
    debug: bool,
    mismatches_to: str | None,
    annotations: str | None,
    split: str | None,
    splits: str | None,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score the links in SYSTEM.wa against GOLD.wa by the four official measures.

    These are the F1 of token links without types and scores, with types, with scores, and with both. The tokens come
    from GOLD.wa. Sentence pairs are matched by ID.

    \b
    Examples:
        accord ists score gold.wa system.wa
        accord ists score gold.wa system.wa --version 2015 --json | jq .f1_typ_sco
        accord ists score gold.wa system.wa --mismatches mismatches.csv
        accord ists score alignment.wa system.wa --annotations annotations.wa
        accord ists score alignment.wa system.wa --split test --splits splits.csv
        accord ists score gold.wa - --by-pair < system.wa | sort -t "$(printf '\\t')" -k2 -n | head
    """
    from accord_core.chunks.formats.ists import read_wa
    from accord_core.chunks.formats.mismatch_files import write_mismatches
    from accord_core.chunks.formats.scorer_log import scorer_log
    from accord_core.chunks.numerics.mismatches import mismatches
    from accord_core.chunks.numerics.score_sums import f1_measures
    from accord_core.chunks.numerics.scores import ists_scores

    refuse_second_stdin(gold, system, annotations, splits)
    if annotations is not None and (debug or by_pair):
        raise click.UsageError("--annotations cannot be combined with --debug or --by-pair.")
    if debug and (output_format != "text" or by_pair):
        raise click.UsageError(
            "--debug replaces the usual output and cannot be combined with --json, --format or --by-pair."
        )
    part = pairs_in_part(split, splits)
    pairs_of_gold = _in_part(read_wa(read_bytes(gold), name=source_name(gold)), part)
    pairs_of_system = _in_part(read_wa(read_bytes(system), name=source_name(system), tokens=False), part)
    if not {pair.id for pair in pairs_of_gold} & {pair.id for pair in pairs_of_system}:
        raise click.ClickException(
            f"{source_name(system)} and {source_name(gold)} have no sentence "
            "pair with the same ID. Pairs are matched by ID"
        )
    _note_missing(pairs_of_gold, pairs_of_system)
    year: Version = 2015 if version == "2015" else 2016
    found = mismatches(pairs_of_gold, pairs_of_system) if mismatches_to is not None else None
    if found is not None and mismatches_to is not None:
        write_whole(mismatches_to, write_mismatches(found))
    if debug:
        write_whole(STANDARD, scorer_log(pairs_of_gold, pairs_of_system, names=(gold, system), version=year))
        return
    scores = ists_scores(pairs_of_gold, pairs_of_system, version=year)
    needed = output_format == "json" or not by_pair
    measures = f1_measures(scores, resamples=resamples if needed else 0, seed=seed)
    lines = list(_lines_by_pair(scores) if by_pair else _score_lines(scores, measures))
    figures = {**scores.all_figures(by_pair=by_pair), "intervals": _intervals(measures)}
    figures |= {} if found is None else {"mismatches": _mismatch_figures(found)}
    expected: list[Measure] = []
    if annotations is not None:
        expected = _expected(annotations, pairs_of_gold, pairs_of_system, version=year, resamples=resamples, seed=seed)
        lines += _expected_lines(expected)
        figures["expected"] = {
            measure: {"value": each.value, "low": each.low, "high": each.high}
            for (measure, _), each in zip(_titles(), expected, strict=True)
        }
    print_result(
        output_format,
        _table_by_pair(scores) if by_pair else _score_table(scores, measures, expected),
        text=[*lines, *([] if found is None else _mismatch_lines(found))],
        figures=figures,
    )


def _expected(
    annotations: str,
    gold: Sequence[IstsPair],
    system: Sequence[IstsPair],
    *,
    version: Version,
    resamples: int,
    seed: int,
) -> list[Measure]:
    """Return the four expected F1 values for the pairs in the gold file."""
    from accord_core.chunks.formats.annotators import read_annotations
    from accord_core.chunks.numerics.soft_scores import expected_f1

    rows = read_annotations({source_name(annotations): read_bytes(annotations)}, [""])
    by_id = {row.id: list(row.by_annotator.values()) for row in rows}
    ids = list(dict.fromkeys(pair.id for pair in gold))
    if not by_id.keys() & set(ids):
        raise click.ClickException(f"{source_name(annotations)} has no sentence pair with the ID of a gold pair")
    links = {key: [link for pair in system if pair.id == key for link in pair.links] for key in ids}
    answers = [by_id.get(key, []) for key in ids]
    return expected_f1(answers, [links[key] for key in ids], version, resamples=resamples, seed=seed)


def _in_part(pairs: list[IstsPair], part: Collection[str] | None) -> list[IstsPair]:
    return [pair for pair in pairs if part is None or pair.id in part]


def _score_table(scores: IstsScores, measures: Sequence[Measure], expected: Sequence[Measure] = ()) -> PrintedTable:
    figures = scores.total.all_figures()
    intervals = {each.name: (each.low, each.high) for each in measures}
    return PrintedTable(
        columns=["measure", "F1", "low", "high", "precision", "recall"],
        rows=[
            [
                title.removeprefix("F1 "),
                figures[measure],
                *intervals[title],
                figures[measure.replace("f1", "precision")],
                figures[measure.replace("f1", "recall")],
            ]
            for measure, title in _titles()
        ]
        + [[each.name.replace("F1 ", ""), each.value, each.low, each.high, None, None] for each in expected],
        places=4,
    )


def _table_by_pair(scores: IstsScores) -> PrintedTable:
    """Return one row per sentence pair, and one row for all pairs."""
    kinds = ("f1", "precision", "recall")
    columns = [f"{kind.capitalize()} {title.removeprefix('F1 ')}" for kind in kinds for _, title in _titles()]
    names = [measure.replace("f1", kind) for kind in kinds for measure, _ in _titles()]
    rows: list[list[str | float]] = [
        [pair, *(overlap.all_figures()[name] for name in names)]
        for pair, overlap in [*scores.pairs.items(), ("all", scores.total)]
    ]
    return PrintedTable(["id", *columns], rows, places=4)


def _score_lines(scores: IstsScores, measures: Sequence[Measure]) -> Iterator[str]:
    figures = scores.total.all_figures()
    yield f"{'':<12}{'F1':<8}{'95% interval':<20}{'precision':<11}recall\n"
    for measure, title in _titles():
        estimate = next(each for each in measures if each.name == title)
        interval = "–" if estimate.low is None else f"{estimate.low:.4f} to {estimate.high:.4f}"
        precision, recall = (figures[measure.replace("f1", name)] for name in ("precision", "recall"))
        yield f"{title:<12}{figures[measure]:.4f}  {interval:<20}{precision:<11.4f}{recall:.4f}\n"


def _expected_lines(expected: Sequence[Measure]) -> Iterator[str]:
    yield f"\n{'expected over the annotators':<30}{'F1':<8}95% interval\n"
    for each in expected:
        interval = "–" if each.low is None else f"{each.low:.4f} to {each.high:.4f}"
        yield f"{each.name.removeprefix('Expected '):<30}{each.value or 0:.4f}  {interval}\n"


def _lines_by_pair(scores: IstsScores) -> Iterator[str]:
    table = _table_by_pair(scores)
    for cells in [table.columns, *table.cells()]:
        yield tab_line(cell or "" for cell in cells)


def _mismatch_lines(found: Mismatches) -> Iterator[str]:
    from accord_core.chunks.formats.ists_links import score_name

    yield "\ngold types (rows) and the system's types (columns)\n"
    names, counts = found.type_table
    yield f"{'':<8}" + "".join(f"{name:>8}" for name in names) + "\n"
    for name, row in zip(names, counts, strict=True):
        yield f"{name:<8}" + "".join(f"{count:>8,}" for count in row) + "\n"
    yield "\ndifferences between links\n"
    for kind, count in found.kinds.most_common():
        yield f"  {kind:<16}{count:>7,}\n"
    mean, absolute = found.mean_score_difference, found.mean_absolute_score_difference
    if mean is not None and absolute is not None:
        yield f"\nscore differences (system minus gold), mean {mean:+.3f}, mean without signs {absolute:.3f}\n"
        for each in sorted(found.differences):
            name = ("+" if each > 0 else "") + score_name(each)
            yield f"  {name:<16}{found.differences[each]:>7,}\n"


def _mismatch_figures(found: Mismatches) -> dict[str, object]:
    from accord_core.chunks.formats.ists_links import score_name

    names, counts = found.type_table
    return {
        "kinds": dict(found.kinds),
        "types": {"names": names, "counts": counts},
        "score_differences": {score_name(each): found.differences[each] for each in sorted(found.differences)},
        "mean_score_difference": found.mean_score_difference,
        "mean_absolute_score_difference": found.mean_absolute_score_difference,
    }


def _intervals(measures: Sequence[Measure]) -> dict[str, list[float | None] | None]:
    titles = {title: measure for measure, title in _titles()}
    return {titles[each.name]: None if each.low is None else [each.low, each.high] for each in measures}


def _titles() -> list[tuple[str, str]]:
    from accord_core.chunks.numerics.score_sums import TITLES

    return list(TITLES.items())


def _note_missing(gold: list[IstsPair], system: list[IstsPair]) -> None:
    ids_of_gold, ids_of_system = {pair.id for pair in gold}, {pair.id for pair in system}
    for missing, where in ((ids_of_gold - ids_of_system, "the system's file"), (ids_of_system - ids_of_gold, "gold")):
        if missing:
            note(f"{len(missing):,} sentence pairs are missing from {where}. These pairs lower the scores")
