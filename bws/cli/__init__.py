"""The command group `accord bws`, which provides best–worst scaling for plain files, without a server. numpy is
imported only inside commands.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click

from annotate.cli_options import output_option, place_for_file, seed_option
from annotate.exchange.files import read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from bws.formats import Annotations
    from bws.numerics.reliability import SplitHalf
    from bws.numerics.scoring import Judgements

Unit = Literal["judgements", "tuples"]


@click.group()
def group() -> None:
    """Build best–worst tuples, calculate scores, and estimate the reliability of the scores."""


@group.command()
@click.argument("items", metavar="ITEMS")
@click.option("--size", type=click.IntRange(3, 6), default=4, show_default=True, help="Items per tuple.")
@click.option(
    "--factor",
    type=click.FloatRange(0, min_open=True),
    default=2.0,
    show_default=True,
    help="Tuples for each item.",
)
@seed_option
@output_option
@click.option("--report", metavar="FILE.json", callback=place_for_file, help="Write the design report to FILE.json.")
def tuples(items: str, size: int, factor: float, seed: int, output: str, report: str | None) -> None:
    """Draw balanced tuples from ITEMS.

    ITEMS has one item a line, or is CSV or JSON Lines with a column id; items marked gold_only are left out. Each
    line of the result is a tuple, its items (or their ids) separated by tabs.

    \b
    Examples:
        accord bws tuples items.csv -o tuples.tsv --report design.json
        accord bws tuples words.txt --size 5 --factor 1.5 --seed 7
        cut -f1 lexicon.tsv | accord bws tuples - | shuf | head -100
    """
    from bws.formats import read_item_names, write_tuples
    from bws.numerics.design import DesignError, best_worst_design, describe_design

    names = read_item_names(read_bytes(items), name=source_name(items))
    try:
        design = best_worst_design(len(names), size=size, factor=factor, seed=seed)
    except DesignError as error:
        raise click.ClickException(f"{source_name(items)}: {error}") from error
    if report is not None:
        facts = describe_design(design, len(names), seed=seed).as_dict()
        write_whole(report, [json.dumps(facts, indent=2), "\n"])
    write_whole(output, write_tuples([names[item] for item in row] for row in design.tolist()))


@group.command()
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.option(
    "--method",
    type=click.Choice(["counting", "maxdiff"]),
    default="counting",
    show_default=True,
    help="The counting method divides the difference between best and worst choices by the number of appearances. "
    "The maxdiff method fits a model "
    "and gives standard errors.",
)
@click.option(
    "--scale",
    type=click.Choice(["signed", "unit"]),
    default="signed",
    show_default=True,
    help="The signed scale is centred on 0: counting scores range from -1 to 1, and maxdiff scores are logits. "
    "Unit: 0 to 1.",
)
@click.option("--drop-inconsistent", is_flag=True, help="Ignore rows with the same item as best and worst.")
@output_option
def score(annotations: str, method: str, scale: str, drop_inconsistent: bool, output: str) -> None:
    """Score the items in ANNOTATIONS.csv. The item with the highest score comes first.

    The columns are Item1,Item2,…,BestItem,WorstItem; others may be there. The result has item,score and, for
    maxdiff, standard_error (approximate). Counting keeps rows that name the same item best and worst unless told
    otherwise; maxdiff cannot.

    \b
    Examples:
        accord bws score annotations.csv -o scores.csv
        accord bws score annotations.csv --method maxdiff --scale unit
        accord bws score - --drop-inconsistent < annotations.csv | head
    """
    from bws.formats import write_scores

    table = _read_annotations(annotations)
    judgements = _without_inconsistent(table, always=method == "maxdiff", drop_requested=drop_inconsistent)
    scores, errors = (_maxdiff if method == "maxdiff" else _counting)(judgements, scale)
    write_whole(output, write_scores(table.items, scores, errors))


@group.command()
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.option("--splits", type=click.IntRange(1), default=1000, show_default=True, help="How often to split.")
@seed_option
@click.option(
    "--unit",
    type=click.Choice(["judgements", "tuples"]),
    help="Unit of the split: the judgements of each tuple, or whole tuples. The default is `both`, but with --json "
    "the default is `judgements`.",
)
@click.option(
    "--target",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="R",
    help="Forecast the number of judgements at which the scores reach the reliability R.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def reliability(
    annotations: str, splits: int, seed: int, unit: Unit | None, target: float | None, as_json: bool
) -> None:
    """Estimate the split-half reliability of the scores.

    This is split-half reliability of the counting scores from ANNOTATIONS.csv. Splitting the judgements of each
    tuple is optimistic, since both halves then share the tuples; splitting whole tuples is conservative. Both speak
    of half the data.

    \b
    Examples:
        accord bws reliability annotations.csv
        accord bws reliability annotations.csv --unit tuples --target 0.9
        accord bws reliability annotations.csv --json | jq .spearman.mean
    """
    from bws.formats.reliability import forecast_judgements, reliability_figures, reliability_lines

    judgements = _read_annotations(annotations).judgements
    shown: list[Unit] = [unit] if unit else (["judgements"] if as_json else ["judgements", "tuples"])
    units: list[Unit] = shown if target is None or "tuples" in shown else [*shown, "tuples"]
    results = {each: _split(judgements, splits, seed, each) for each in units}
    forecast = None if target is None else forecast_judgements(results["tuples"], target)
    if as_json:
        click.echo(json.dumps(reliability_figures(results[shown[0]], seed, forecast), indent=2))
    else:
        click.echo("\n".join(reliability_lines([results[each] for each in shown], seed, forecast)))


def _counting(judgements: "Judgements", scale: str) -> tuple[list[float], None]:
    from bws.numerics.scoring import counting_scores, unit_scale

    scores = counting_scores(judgements).score
    return (unit_scale(scores) if scale == "unit" else scores).tolist(), None


def _maxdiff(judgements: "Judgements", scale: str) -> tuple[list[float], list[float]]:
    import numpy as np

    from bws.numerics.maxdiff import maxdiff_scores, min_max

    fit = maxdiff_scores(judgements)
    if not fit.converged:
        _note(f"the model was stopped after {fit.iterations:,} steps; its scores may not be the best ones")
    if scale == "signed":
        return fit.utility.tolist(), fit.standard_error.tolist()
    spread = np.nanmax(fit.utility) - np.nanmin(fit.utility)
    errors = fit.standard_error / (spread or np.nan)
    return min_max(fit.utility).tolist(), errors.tolist()


def _split(judgements: "Judgements", splits: int, seed: int, unit: Unit) -> "SplitHalf":
    from bws.numerics.reliability import split_half_reliability

    with _progress(f"Splitting {unit}", splits) as progress:
        return split_half_reliability(judgements, splits=splits, seed=seed, unit=unit, progress=progress)


def _read_annotations(path: str) -> "Annotations":
    from bws.formats import read_annotations

    table = read_annotations(read_bytes(path), name=source_name(path))
    if table.repeated_items:
        _note(f"{table.repeated_items:,} of {len(table.lines):,} rows show an item twice; they are kept")
    return table


def _without_inconsistent(table: "Annotations", *, always: bool, drop_requested: bool) -> "Judgements":
    from bws.numerics.scoring import drop_inconsistent

    consistent, dropped = drop_inconsistent(table.judgements)
    if not dropped:
        return table.judgements
    summary = f"{dropped:,} of {len(table.lines):,} rows name the same item best and worst"
    if not len(consistent) and (always or drop_requested):
        raise click.ClickException(f"{summary}. Without these rows, the file has no judgements to score.")
    if always:
        _note(f"{summary}; maxdiff leaves them out")
        return consistent
    if drop_requested:
        _note(f"{summary}; they are left out")
        return consistent
    _note(f"{summary}; they are counted as they stand (--drop-inconsistent leaves them out)")
    return table.judgements


def _note(message: str) -> None:
    click.echo(f"accord: note: {message}", err=True)


@contextmanager
def _progress(label: str, length: int) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield lambda done, _: bar.update(done - bar.pos)
