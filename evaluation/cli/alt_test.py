"""The `accord evaluate alt-test` command tests whether systems can replace annotators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.alt_test_figures import alt_test_figures, alt_test_lines, alt_test_table
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import (
    chosen_systems,
    format_options,
    missing_option,
    note,
    print_result,
    refuse_second_stdin,
    systems_argument,
)
from annotate.cli.types import NumberRange, WholeRange

if TYPE_CHECKING:
    from accord_core.exchange.labels import LabelFile

Alike = Callable[[Any, Any], float]


@click.command(name="alt-test")
@systems_argument()
@click.argument("annotations", metavar="ANNOTATIONS")
@click.option(
    "--annotators",
    type=click.Choice(["experts", "trained", "crowd"]),
    help="Kind of annotator, which determines ε: .2 for experts, .15 for trained annotators, .1 for crowd workers.",
)
@click.option(
    "--epsilon",
    type=NumberRange(0, 1, max_open=True),
    help="Acceptable disadvantage of the system, as a difference in probability. Replaces --annotators.",
)
@click.option(
    "--numeric",
    is_flag=True,
    help="Compare labels by their squared difference, for example ratings. By default, labels are equal or different.",
)
@click.option(
    "--min-questions",
    type=WholeRange(2),
    default=30,
    show_default=True,
    help="Minimum number of questions per annotator. Annotators with fewer questions are excluded.",
)
@missing_option
@format_options
def alt_test(
    systems: tuple[str, ...],
    annotations: str,
    annotators: str | None,
    epsilon: float | None,
    numeric: bool,
    min_questions: int,
    missing: tuple[str, ...],
    output_format: str,
) -> None:
    """Test whether each SYSTEM can replace an annotator of ANNOTATIONS with the alternative annotator test (alt-test).

    ANNOTATIONS has one row for each label (item,annotator,label) or one column for each annotator. SYSTEM has a label
    for each item (item,label). Name a system with NAME=FILE. Each annotator is left out in turn, and compared with the
    system. A system passes if it wins against at least half of them. Choose --annotators or --epsilon.

    \b
    Examples:
        accord evaluate alt-test model.csv votes.csv --annotators crowd
        accord evaluate alt-test small.csv large.csv ratings.csv --epsilon 0.15 --numeric --json
    """
    from accord_core.exchange.labels import read_known_labels, read_labels
    from accord_core.numerics.alternative_annotator import EPSILONS, CannotTest, alternative_annotator_test, rivals

    if (annotators is None) == (epsilon is None):
        raise click.UsageError("Choose either --annotators or --epsilon.")
    chosen = EPSILONS[annotators] if annotators else epsilon or 0.0
    compared = chosen_systems(systems, None)
    refuse_second_stdin(*compared.paths, annotations)
    file = read_labels(read_bytes(annotations), name=source_name(annotations), missing=missing)
    value, alike = _numbers(file.names, source_name(annotations)) if numeric else (str, _equal)
    answers = _by_item(file, value)
    results: dict[str, dict[str, Any]] = {}
    for system in compared.systems:
        name = source_name(system.path)
        labels = read_known_labels(read_bytes(system.path), name=name)
        read = _numbers(sorted(set(labels.values())), name)[0] if numeric else str
        unknown = len(labels.keys() - answers.keys())
        if unknown:
            note(f"{name}: {unknown:,} items are not in the annotations and are ignored")
        try:
            test = alternative_annotator_test(
                rivals(answers, {item: read(label) for item, label in labels.items()}, alike),
                epsilon=chosen,
                fewest_questions=min_questions,
            )
        except CannotTest as error:
            raise click.ClickException(f"{name}: {error}") from error
        results[system.name] = alt_test_figures(test)
    print_result(output_format, alt_test_table(results), text=_lines(results), figures={"systems": results})


def _lines(results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for place, (name, figures) in enumerate(results.items()):
        yield f"{chr(10) if place else ''}{name}\n"
        yield from alt_test_lines(figures)


def _by_item(file: LabelFile, value: Callable[[str], Any]) -> dict[str, dict[str, Any]]:
    values = [value(name) for name in file.names]
    answers: dict[str, dict[str, Any]] = {item: {} for item in file.items}
    rows = zip(file.labels.item.tolist(), file.labels.annotator.tolist(), file.labels.label.tolist(), strict=True)
    for item, annotator, label in rows:
        answers[file.items[item]][file.annotators[annotator]] = values[label]
    return answers


def _equal(one: str, other: str) -> float:
    return float(one == other)


def _squared(one: float, other: float) -> float:
    return -(one - other) * (one - other)  # powers of large numbers raise OverflowError


def _numbers(names: list[str], file: str) -> tuple[Callable[[str], Any], Alike]:
    """Return the functions that read and compare labels as numbers. Raises TableError if a label is not a number."""
    from accord_core.exchange.labels import numbers_of

    for name in names:
        if numbers_of([name]) is None:
            raise TableError(file, [Fault(None, "label", f"“{name}” is not a number, but --numeric needs numbers")])
    return float, _squared
