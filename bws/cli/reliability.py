"""The `accord bws reliability` command, which estimates the split-half reliability of the scores."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click

from annotate.cli_options import seed_option

from .files import annotations_of, drop_option, judgements_to_use, repeats_option

if TYPE_CHECKING:
    from bws.numerics.reliability import SplitHalf
    from bws.numerics.scoring import Judgements, Repeats

Unit = Literal["judgements", "tuples"]
SPLITS = {"counting": 1000, "maxdiff": 50}


@click.command()
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.option(
    "--method",
    type=click.Choice(["counting", "maxdiff"]),
    default="counting",
    show_default=True,
    help="Method that scores both halves. The maxdiff method is much slower.",
)
@click.option("--splits", type=click.IntRange(1), help="How often to split. Default: 1,000, or 50 with maxdiff.")
@drop_option
@repeats_option
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
    annotations: str,
    method: str,
    splits: int | None,
    drop_inconsistent: bool,
    repeats: Repeats,
    seed: int,
    unit: Unit | None,
    target: float | None,
    as_json: bool,
) -> None:
    """Estimate the split-half reliability of the scores.

    The command calculates the split-half reliability of the scores from ANNOTATIONS.csv. Splits of each
    tuple's judgements give optimistic figures, because both halves share the tuples. Splits by whole tuples give
    conservative figures. Both kinds of figures describe half of the data.

    \b
    Examples:
        accord bws reliability annotations.csv
        accord bws reliability annotations.csv --unit tuples --target 0.9
        accord bws reliability annotations.csv --method maxdiff --drop-inconsistent
        accord bws reliability annotations.csv --json | jq .spearman.mean
    """
    from bws.formats.reliability import forecast_judgements, reliability_figures, reliability_lines

    table = annotations_of(annotations, repeats)
    judgements = judgements_to_use(table, method=method, drop_requested=drop_inconsistent)
    splits = splits or SPLITS[method]
    shown: list[Unit] = [unit] if unit else (["judgements"] if as_json else ["judgements", "tuples"])
    units: list[Unit] = shown if target is None or "tuples" in shown else [*shown, "tuples"]
    results = {each: _split(judgements, method, splits, seed, each) for each in units}
    forecast = None if target is None else forecast_judgements(results["tuples"], target)
    if as_json:
        click.echo(json.dumps(reliability_figures(results[shown[0]], seed, forecast), indent=2))
    else:
        click.echo("\n".join(reliability_lines([results[each] for each in shown], seed, forecast)))


def _split(judgements: Judgements, method: str, splits: int, seed: int, unit: Unit) -> SplitHalf:
    from bws.numerics.model_reliability import maxdiff_reliability
    from bws.numerics.reliability import split_half_reliability

    reliability_of = maxdiff_reliability if method == "maxdiff" else split_half_reliability
    with _progress(f"Splitting {unit}", splits) as progress:
        return reliability_of(judgements, splits=splits, seed=seed, unit=unit, progress=progress)


@contextmanager
def _progress(label: str, length: int) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield lambda done, _: bar.update(done - bar.pos)
