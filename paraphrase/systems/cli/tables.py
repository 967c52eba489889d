"""The `accord evaluate paraphrase-tables` command scores a list of paraphrases against labels by domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import PrintedTable, figure_table
from annotate.cli.options import (
    format_options,
    note,
    place_for_file,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from annotate.cli.types import WholeRange
from evaluation.cli.figures import figure_line

if TYPE_CHECKING:
    from accord_core.paraphrase.systems.formats.paraphrase_tables import Pair


@click.command("paraphrase-tables")
@click.argument("labels", metavar="LABELS.csv")
@click.argument("table", metavar="TABLE")
@click.option(
    "--curve",
    metavar="FILE.csv",
    callback=place_for_file,
    help="Use the column score of TABLE to write the precision–recall curves to FILE.csv and choose a score threshold.",
)
@click.option(
    "--folds",
    type=WholeRange(2),
    default=5,
    show_default=True,
    help="Number of folds, with --curve, for choosing the threshold by cross-validation.",
)
@click.option(
    "--split",
    type=click.Choice(["train", "dev", "test"]),
    help="Score only the pairs in this part. The column split contains each pair's part.",
)
@click.option(
    "--splits",
    metavar="FILE",
    help="File with the columns phrase, paraphrase, domain and split, such as labels-by-sentence.csv from a release. "
    "By default, the parts are in LABELS.csv.",
)
@resamples_option()
@seed_option
@format_options
def paraphrase_tables(
    labels: str,
    table: str,
    curve: str | None,
    folds: int,
    split: str | None,
    splits: str | None,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score the paraphrases in TABLE against the labels for each domain.

    LABELS.csv has the columns phrase, paraphrase, domain and label (good, bad or undecided). TABLE has the columns
    phrase and paraphrase, and the column domain if the system distinguishes domains. Pairs without judgements affect
    only the coverage.

    \b
    Examples:
        accord evaluate paraphrase-tables labels-by-domain.csv ppdb.csv
        accord evaluate paraphrase-tables labels-by-domain.csv ppdb.csv --json | jq .domains.biology.precision
        accord evaluate paraphrase-tables labels-by-domain.csv ppdb-with-scores.csv --curve curve.csv
        accord evaluate paraphrase-tables labels-by-domain.csv ppdb.csv --split test --splits labels-by-sentence.csv
    """
    from accord_core.paraphrase.systems.formats.paraphrase_tables import read_domain_labels, read_table_pairs
    from accord_core.paraphrase.systems.formats.scored_tables import read_table_scores, write_curves
    from accord_core.paraphrase.systems.numerics.paraphrase_tables import table_scores
    from accord_core.paraphrase.systems.numerics.thresholds import threshold_figures

    refuse_second_stdin(labels, table, splits)
    data = read_bytes(labels)
    of_domains = read_domain_labels(data, name=source_name(labels))
    content = read_bytes(table)
    listed, twice = read_table_pairs(content, list(of_domains), name=source_name(table))
    if twice:
        note(f"{source_name(table)}: {twice:,} rows repeat a pair. Each pair counts once")
    every_domain = list(of_domains)
    of_domains, listed = _in_part(of_domains, listed, split, splits, data, labels)
    figures = table_scores(of_domains, listed, resamples=resamples, seed=seed)
    if curve is not None:
        scores, _ = read_table_scores(content, every_domain, name=source_name(table))
        for domain, of_pairs in of_domains.items():
            figures["domains"][domain]["thresholds"] = threshold_figures(
                of_pairs, scores[domain], folds=folds, resamples=resamples, seed=seed
            )
        write_whole(curve, write_curves({name: each["thresholds"] for name, each in figures["domains"].items()}))
    print_result(output_format, _domain_table(figures), text=_table_lines(figures), figures=figures)


def _in_part(
    of_domains: dict[str, dict[Pair, str]],
    listed: dict[str, set[Pair]],
    split: str | None,
    splits: str | None,
    data: bytes,
    labels: str,
) -> tuple[dict[str, dict[Pair, str]], dict[str, set[Pair]]]:
    """Return the labels of the pairs in one `split`, and the listed pairs with the same phrases. Listed pairs with
    other phrases would lower the coverage.
    """
    from accord_core.paraphrase.systems.formats.pair_parts import read_pairs_in_part

    if split is None:
        if splits is not None:
            raise click.UsageError("--splits FILE needs --split train, --split dev or --split test.")
        return of_domains, listed
    name = source_name(labels if splits is None else splits)
    part = read_pairs_in_part(data if splits is None else read_bytes(splits), split, name=name)
    if part.divided:
        note(f"{part.divided:,} pairs have sentences in several parts and are excluded")
    chosen = part.restrict(of_domains)
    if not chosen:
        raise click.ClickException(f"{source_name(labels)} has no label for a pair in the {split} part of {name}.")
    phrases = {phrase for of_pairs in chosen.values() for phrase, _ in of_pairs}
    return chosen, {domain: {pair for pair in listed[domain] if pair[0] in phrases} for domain in chosen}


def _domain_table(figures: Mapping[str, Any]) -> PrintedTable:
    names = {"precision": "precision", "recall": "recall", "f1": "F1"}
    rows = [
        ([domain, scores["listed"], scores["judged"], scores["good"], title], scores[name])
        for domain, scores in figures["domains"].items()
        for name, title in names.items()
    ]
    rows += [
        ([domain, scores["listed"], scores["judged"], scores["good"], title], figure)
        for domain, scores in figures["domains"].items()
        for title, figure in _threshold_figures(scores.get("thresholds"))
    ]
    return figure_table(["domain", "listed", "judged", "good", "figure"], rows)


def _table_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    for name, scores in figures["domains"].items():
        coverage = "" if scores["coverage"] is None else f" ({scores['coverage']:.1%})"
        yield (
            f"{name}: {scores['listed']:,} pairs listed, {scores['judged']:,} of them judged{coverage}, "
            f"{scores['undecided']:,} undecided; {scores['good']:,} pairs are good\n"
        )
        for figure, title in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
            yield figure_line(title, scores[figure])
        if "thresholds" in scores:
            yield from _threshold_lines(scores["thresholds"])
    for each in figures["contrasts"]:
        yield (
            f"good in {each['good_in']}, bad in {each['bad_in']}: {each['pairs']:,} pairs, listed "
            f"{each['listed_where_good']:,} where good, {each['listed_where_bad']:,} where bad, "
            f"{each['told_apart']:,} distinguished\n"
        )


def _threshold_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield figure_line("average precision", figures["average_precision"])
    if figures["threshold"] is not None:
        yield f"  largest F1 (optimistic)        {figures['largest_f1']:.3f} for scores from {figures['threshold']:g}\n"
    validated = figures["cross_validated"]
    if validated is None:
        yield "  a threshold cannot be chosen by cross-validation, because the domain has only one phrase\n"
        return
    thresholds = ", ".join("none" if each is None else f"{each:g}" for each in validated["thresholds"])
    yield f"  thresholds chosen by cross-validation in {validated['folds']} folds: {thresholds}\n"
    yield from (figure_line(title, figure) for title, figure in list(_threshold_figures(figures))[1:])


def _threshold_figures(figures: Mapping[str, Any] | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if figures is not None:
        yield "average precision", figures["average_precision"]
        for name, title in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
            if figures["cross_validated"] is not None:
                yield f"{title} of the test folds", figures["cross_validated"][name]
