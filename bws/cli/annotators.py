"""The `accord bws check-annotators` command applies the gold rule of STR-2021 to an annotation file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from annotate.cli.options import format_options, note, place_for_file, print_result, seed_option
from annotate.cli.types import NumberRange, WholeRange

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from accord_core.bws.formats import AnnotationRow, Annotations
    from accord_core.bws.numerics.gold_answers import Rule
    from accord_core.bws.numerics.scoring import Judgements


@click.command("check-annotators")
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.option(
    "--gold",
    metavar="GOLD.csv",
    help="File that contains each gold question's items and its expected best and worst items.",
)
@click.option(
    "--threshold",
    type=NumberRange(0, 1),
    default=0.7,
    show_default=True,
    help="Remove annotators whose share of correct gold answers is below this threshold.",
)
@click.option(
    "--minimum",
    type=WholeRange(1),
    default=1,
    show_default=True,
    help="Minimum number of gold answers before the rule applies to an annotator.",
)
@click.option(
    "--rule",
    type=click.Choice(["total", "running"]),
    default="total",
    show_default=True,
    help="When to apply the threshold: to all of an annotator's gold answers, or after each gold answer in file order.",
)
@click.option("--remove-flagged", is_flag=True, help="Also remove annotators who show signs of careless answers.")
@click.option("--keep-gold", is_flag=True, help="Keep the remaining annotators’ gold answers in the cleaned file.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME=COLUMN",
    help="Name of a column in the annotation format, and its name in the file, such as Item1=Input.pair1. You can "
    "repeat this option.",
)
@click.option(
    "--positions", is_flag=True, help="Read the choices in the file as positions, such as 2 or Item2, instead of items."
)
@click.option(
    "--cleaned",
    metavar="FILE",
    callback=place_for_file,
    help="Write the remaining judgements to FILE, as an annotation file.",
)
@seed_option
@format_options
def check_annotators(
    annotations: str,
    gold: str | None,
    threshold: float,
    minimum: int,
    rule: Rule,
    remove_flagged: bool,
    keep_gold: bool,
    columns: tuple[str, ...],
    positions: bool,
    cleaned: str | None,
    seed: int,
    output_format: str,
) -> None:
    """Check the annotators in ANNOTATIONS.csv, and remove the judgements of careless annotators.

    ANNOTATIONS.csv has the column Annotator, or is a results file from Mechanical Turk. The command prints each
    annotator's gold accuracy, agreement with others and signs of careless answers. As in STR-2021, all judgements by
    annotators below the threshold are removed, and gold answers do not count for scores.

    \b
    Examples:
        accord bws check-annotators annotations.csv --gold gold.csv --cleaned cleaned.csv
        accord bws check-annotators batch_results.csv --gold gold.csv --column Item1=Input.pair1 \\
            --column Item2=Input.pair2 --column BestItem=Answer.most --column WorstItem=Answer.least
    """
    from accord_core.bws.formats import read_annotations, write_annotations
    from accord_core.bws.formats.checked_annotators import checks_table, removal_reason
    from accord_core.bws.formats.mturk_annotations import merged_columns, mturk_columns, rejected_lines
    from accord_core.bws.numerics.annotator_checks import check_annotators as checks_of
    from accord_core.bws.numerics.gold_answers import gold_records

    data, name = read_bytes(annotations), source_name(annotations)
    renamed = merged_columns(mturk_columns(data, name=name), _requested(columns))
    table = read_annotations(data, name=name, renamed=renamed, positions=positions)
    if table.judgements.annotator is None:
        message = "the file names no annotators. Add a column Annotator, or use --column Annotator=COLUMN"
        raise TableError(name, [Fault(1, None, message)])
    rejected = _lines_in(table, rejected_lines(data, name=name))
    is_gold, is_correct = _gold_masks(gold, table, accepted=~rejected)
    annotator = table.judgements.annotator
    counts = ~rejected
    records = gold_records(
        annotator[counts],
        is_gold[counts],
        is_correct[counts],
        len(table.annotators),
        threshold=threshold,
        minimum=minimum,
        rule=rule,
    )
    seconds = None if table.seconds is None else table.seconds[counts]
    checks = checks_of(table.judgements.take(counts), is_gold[counts], records, seconds, seed=seed)
    removals = [removal_reason(check, remove_flagged=remove_flagged) for check in checks]
    removed = _flags(bool(reason) for reason in removals)[annotator]
    _note_removed(rejected, removed & counts, is_gold & counts & ~removed, sum(map(bool, removals)), keep_gold)
    kept = counts & ~removed & (keep_gold | ~is_gold)
    if cleaned is not None:
        if not kept.any():
            raise click.ClickException(f"{name}: no judgements remain, so {cleaned} was not written.")
        size = table.judgements.items.shape[1]
        write_whole(cleaned, write_annotations(_rows(table, kept), size=size))
        note(f"{int(kept.sum()):,} of {len(table.lines):,} rows were written to {cleaned}")
    print_result(output_format, checks_table(table.annotators, checks, removals))


def _requested(columns: tuple[str, ...]) -> dict[str, str]:
    requested = {}
    for each in columns:
        own, equals, column = (part.strip() for part in each.partition("="))
        if not (own and equals and column):
            raise click.UsageError(f"--column needs the form Item1=Input.pair1, not {each}.")
        requested[own] = column
    return requested


def _gold_masks(
    path: str | None, table: Annotations, *, accepted: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the rows that answer gold questions, and those that answer them correctly."""
    import numpy as np

    from accord_core.bws.formats import read_annotations
    from accord_core.bws.numerics.gold_answers import gold_rows

    if path is None:
        nothing = np.zeros(len(table.lines), np.bool_)
        return nothing, nothing
    if path == STANDARD:
        raise click.UsageError("--gold needs the name of a file.")
    gold = read_annotations(read_bytes(path), name=source_name(path))
    size = table.judgements.items.shape[1]
    if gold.judgements.items.shape[1] != size:
        raise TableError.of_file(
            path, f"the gold questions have {gold.judgements.items.shape[1]} items, but the annotations have {size}"
        )
    try:
        is_gold, is_correct = gold_rows(table.judgements, _numbered_as(gold, table))
    except ValueError as error:
        raise TableError.of_file(path, str(error).rstrip(".")) from error
    if not (is_gold & accepted).any():
        raise TableError.of_file(
            path, "no annotation has the items of a gold question. Check that both files use the same items"
        )
    return is_gold, is_correct


def _numbered_as(gold: Annotations, table: Annotations) -> Judgements:
    """Return the gold questions, using the item numbers of the annotations. Items that occur only in gold questions get
    additional numbers.
    """
    import numpy as np

    from accord_core.bws.numerics.scoring import Judgements

    number = {item: place for place, item in enumerate(table.items)}
    numbers = np.array([number.setdefault(item, len(number)) for item in gold.items], np.int64)
    old = gold.judgements
    return Judgements(numbers[old.items], numbers[old.best], numbers[old.worst], len(number))


def _note_removed(
    rejected: NDArray[np.bool_], removed: NDArray[np.bool_], gold: NDArray[np.bool_], annotators: int, keep_gold: bool
) -> None:
    if rejected.any():
        note(f"{int(rejected.sum()):,} rows of rejected assignments are removed")
    if annotators:
        note(f"{int(removed.sum()):,} rows of {annotators:,} annotator{'s'[: annotators > 1]} are removed")
    if gold.any() and not keep_gold:
        note(f"{int(gold.sum()):,} gold answers of the other annotators are removed (--keep-gold keeps them)")


def _rows(table: Annotations, kept: NDArray[np.bool_]) -> Iterator[AnnotationRow]:
    from accord_core.bws.formats import AnnotationRow

    judgements, items = table.judgements, table.items
    assert judgements.annotator is not None  # noqa: S101 — the command has refused files without annotators
    for row in kept.nonzero()[0].tolist():
        seconds = None if table.seconds is None else float(table.seconds[row])
        yield AnnotationRow(
            [items[item] for item in judgements.items[row].tolist()],
            items[judgements.best[row]],
            items[judgements.worst[row]],
            table.annotators[judgements.annotator[row]],
            "" if table.tuples is None else table.tuples[row],
            None if seconds is None or seconds != seconds else seconds,
        )


def _lines_in(table: Annotations, lines: set[int]) -> NDArray[np.bool_]:
    return _flags(line in lines for line in table.lines)


def _flags(values: Iterator[bool]) -> NDArray[np.bool_]:
    import numpy as np

    return np.fromiter(values, np.bool_)
