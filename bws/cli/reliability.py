"""The `accord bws reliability` command estimates the split-half reliability of the scores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, cast

import click

from accord_core.exchange.numbers import is_whole_number
from annotate.cli.options import format_options, note, print_result, seed_option
from annotate.cli.types import NumberRange, WholeRange

from .files import annotations_of, drop_option, judgements_to_use, repeats_option

if TYPE_CHECKING:
    from accord_core.bws.numerics.reliability import SplitHalf
    from accord_core.bws.numerics.reliability_intervals import Method, Over, ReliabilityIntervals
    from accord_core.bws.numerics.scoring import Judgements, Repeats

Unit = Literal["judgements", "tuples"]
SPLITS = {"counting": 1000, "maxdiff": 50}


@click.command()
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.option(
    "--method",
    type=click.Choice(["counting", "maxdiff"]),
    default="counting",
    show_default=True,
    help="Method for scoring both halves. The maxdiff method is much slower.",
)
@click.option("--splits", type=WholeRange(1), help="How often to split. Default: 1,000, or 50 with maxdiff.")
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
    type=NumberRange(0, 1, min_open=True, max_open=True),
    metavar="R",
    help="Forecast the number of judgements needed for a reliability of R.",
)
@click.option(
    "--over",
    type=click.Choice(["tuples", "annotators", "both", "none"]),
    help="Units that the 95% intervals generalise to: other tuples of the same items, other annotators, or both. The "
    "default is `both`, or `tuples` if the file does not name annotators. The value `none` turns off the "
    "intervals.",
)
@click.option(
    "--levels",
    metavar="6,4,2",
    help="Numbers of judgements per tuple to compare. For each number, the command estimates the reliability from a "
    "random sample with that many judgements per tuple.",
)
@format_options
def reliability(
    annotations: str,
    method: str,
    splits: int | None,
    drop_inconsistent: bool,
    repeats: Repeats,
    seed: int,
    unit: Unit | None,
    target: float | None,
    over: str | None,
    levels: str | None,
    output_format: str,
) -> None:
    """Estimate the split-half reliability of the scores.

    Splits of each tuple's judgements are optimistic, because both halves share the tuples. Splits by whole tuples are
    conservative. Both describe half of the data.

    \b
    Examples:
        accord bws reliability annotations.csv
        accord bws reliability annotations.csv --unit tuples --target 0.9
        accord bws reliability annotations.csv --over annotators
        accord bws reliability annotations.csv --method maxdiff --drop-inconsistent
        accord bws reliability pilot.csv --levels 6,4,2
        accord bws reliability annotations.csv --json | jq .spearman.mean
    """
    from accord_core.bws.formats.reliability import (
        forecast_judgements,
        reliability_figures,
        reliability_lines,
        reliability_table,
    )

    table = annotations_of(annotations, repeats)
    judgements = judgements_to_use(table, method=method, drop_requested=drop_inconsistent)
    splits = splits or SPLITS[method]
    if levels is not None:
        if target is not None:
            raise click.UsageError("--levels and --target exclude each other.")
        _print_levels(
            judgements, _level_numbers(levels), method, splits, seed, unit or "judgements", over, output_format
        )
        return
    shown: list[Unit] = [unit] if unit else (["judgements"] if output_format == "json" else ["judgements", "tuples"])
    units: list[Unit] = shown if target is None or "tuples" in shown else [*shown, "tuples"]
    results = {each: _split(judgements, method, splits, seed, each) for each in units}
    forecast = None if target is None else forecast_judgements(results["tuples"], target)
    intervals = {each: _intervals(judgements, results[each], method, over, seed) for each in shown}
    chosen = [results[each] for each in shown]
    print_result(
        output_format,
        reliability_table(chosen, seed, forecast, intervals),
        text=(f"{line}\n" for line in reliability_lines(chosen, seed, forecast, intervals)),
        figures=reliability_figures(chosen[0], seed, forecast, intervals[shown[0]]),
    )


def _print_levels(
    judgements: Judgements,
    levels: list[int],
    method: str,
    splits: int,
    seed: int,
    unit: Unit,
    over: str | None,
    output_format: str,
) -> None:
    """Print the reliability for each number of judgements per tuple."""
    from accord_core.bws.formats.reliability import levels_figures, levels_table
    from accord_core.bws.numerics.reliability import samples_by_judgements

    samples = samples_by_judgements(judgements, levels, seed=seed)
    omitted = [level for level in levels if level not in samples]
    if omitted:
        note(
            f"fewer than half of the tuples have {' or '.join(map(str, omitted))} judgements, so the reliability with "
            "this number of judgements is not calculated"
        )
    if not samples:
        raise click.ClickException("the tuples have too few judgements for these levels.")
    results = {level: _split(sample, method, splits, seed, unit) for level, sample in samples.items()}
    intervals = {level: _intervals(samples[level], results[level], method, over, seed) for level in samples}
    print_result(
        output_format,
        levels_table(results, intervals, seed),
        figures=levels_figures(results, intervals, seed),
    )


def _level_numbers(text: str) -> list[int]:
    numbers = [part.strip() for part in text.split(",")]
    if not all(is_whole_number(number) and int(number) > 0 for number in numbers):
        raise click.UsageError(f"--levels needs numbers separated by commas, such as 6,4,2, not {text}.")
    return list(dict.fromkeys(int(number) for number in numbers))


def _intervals(
    judgements: Judgements, result: SplitHalf, method: str, over: str | None, seed: int
) -> ReliabilityIntervals | None:
    from accord_core.bws.numerics.reliability_intervals import reliability_intervals, widest

    if over == "none":
        return None
    requested = widest(judgements) if over is None else cast("Over", over)
    if requested != "tuples" and judgements.annotator is None:
        raise click.UsageError(
            f"--over {over} needs the column Annotator, which names the annotator of each row. Use --over tuples for a "
            "file without annotators."
        )
    return reliability_intervals(judgements, result, over=requested, method=cast("Method", method), seed=seed)


def _split(judgements: Judgements, method: str, splits: int, seed: int, unit: Unit) -> SplitHalf:
    from accord_core.bws.numerics.model_reliability import maxdiff_reliability
    from accord_core.bws.numerics.reliability import split_half_reliability

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
