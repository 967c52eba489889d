"""The options and output shared by the `sample-errors` commands, and the `corrected-precision` command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.printed_tables import PrintedTable
from annotate.cli.options import (
    all_options,
    chosen_label_columns,
    format_options,
    label_column_options,
    note,
    output_option,
    place_for_file,
    print_result,
    resamples_option,
    seed_option,
)
from annotate.cli.types import WholeRange

TITLES = {
    "precision": "precision by the gold standard",
    "corrected": "corrected for accepted errors",
    "judged": "corrected for all judgements",
}
GROUPS = ("errors", "controls")


# The `sample-errors` options, which are the same in every command group.
sample_options = all_options(
    click.option(
        "--errors",
        type=WholeRange(1),
        default=48,
        show_default=True,
        help="Number of false positives to draw from each system.",
    ),
    click.option(
        "--controls",
        type=WholeRange(0),
        default=48,
        show_default=True,
        help="Number of true positives to draw from each system, so that judges cannot guess the answer.",
    ),
    click.option(
        "--key",
        required=True,
        metavar="FILE.json",
        callback=place_for_file,
        help="File for the key, with each question's system and gold answer.",
    ),
    seed_option,
    output_option,
)


def system_names(paths: Sequence[str]) -> list[str]:
    """Return a name for each file: its name without folders or, if two files have the same name, the whole path."""
    names = [Path(source_name(path)).name for path in paths]
    return names if len(set(names)) == len(names) else [source_name(path) for path in paths]


def write_sample(
    systems: Mapping[str, Sequence[Mapping[Any, bool]]],
    sentences: Sequence[tuple[Sequence[str], Sequence[str]]],
    ids: Sequence[str],
    *,
    errors: int,
    controls: int,
    key: str,
    seed: int,
    output: str,
) -> None:
    """Draw the sample, write the questions and the key, and print the number of questions to standard error. Raises
    ClickException if no system has a false positive.
    """
    from accord_core.exchange.error_samples import sample_errors, write_key, write_questions

    if key == output:
        raise click.UsageError("The questions and the key must be two different files.")
    drawn = sample_errors(systems, errors=errors, controls=controls, seed=seed)
    if not any(not correct for checked in drawn.checked.values() for _, correct in checked):
        raise click.ClickException("no system has a false positive, so there is nothing to judge")
    write_whole(output, write_questions(drawn.questions, sentences))
    write_whole(key, write_key(drawn, ids))
    for name, checked in drawn.checked.items():
        wrong = sum(not correct for _, correct in checked)
        of_all = sum(positives - true for true, positives in drawn.counts[name])
        note(f"{name}: {wrong:,} of {of_all:,} false positives and {len(checked) - wrong:,} controls")


@click.command("corrected-precision")
@click.argument("key", metavar="KEY.json")
@click.argument("judgements", metavar="JUDGEMENTS")
@click.option("--accepted", default="correct", show_default=True, help="Label that judges use to accept a question.")
@click.option("--rejected", default="incorrect", show_default=True, help="Label that judges use to reject a question.")
@click.option(
    "--uncertain",
    type=click.Choice(["0", "0.5", "1"]),
    default="0",
    show_default=True,
    help="Value of all other labels, such as “uncertain”: rejected (0), half accepted (0.5) or accepted (1).",
)
@resamples_option()
@label_column_options
@seed_option
@format_options
def corrected_precision(
    key: str,
    judgements: str,
    accepted: str,
    rejected: str,
    uncertain: str,
    resamples: int,
    seed: int,
    output_format: str,
    **columns: tuple[str, ...],
) -> None:
    """Correct the precision of systems, using human judgements of their errors.

    KEY.json comes from sample-errors. JUDGEMENTS has the columns item (a question's ID), annotator and label. Several
    judgements on a question are averaged.

    \b
    Examples:
        accord align corrected-precision errors.key.json judgements.csv
        accord ists corrected-precision errors.key.json judgements.csv --uncertain 0.5 --json
        accord align corrected-precision errors.key.json mturk-results.csv --item Input.id \\
            --annotator WorkerId --label Answer.verdict
    """
    from accord_core.exchange.error_samples import read_key

    systems = read_key(read_bytes(key), name=source_name(key))
    questions = {question for each in systems.values() for question in each.correct}
    labels = _labels(judgements, chosen_label_columns(columns), questions)
    value = {accepted: 1.0, rejected: 0.0}
    results = {
        name: _result(each, labels, value, float(uncertain), resamples=resamples, seed=seed)
        for name, each in systems.items()
    }
    text = "\n\n".join(_text(name, result) for name, result in results.items())
    print_result(output_format, _table(results), text=[text, "\n"], figures=results)


def _labels(path: str, columns: Mapping[str, Sequence[str]], questions: set[str]) -> dict[str, list[str]]:
    """Return the labels for each question. Raises TableError for a label of an unknown question."""
    from accord_core.exchange.labels import read_labels

    file = read_labels(read_bytes(path), name=source_name(path), columns=columns)
    if unknown := [item for item in file.items if item not in questions]:
        message = f"the key has no question {unknown[0]}. Use the key that belongs to the judged questions"
        raise TableError(source_name(path), [Fault(None, "item", message)])
    labels: dict[str, list[str]] = {}
    for item, label in zip(file.labels.item.tolist(), file.labels.label.tolist(), strict=True):
        labels.setdefault(file.items[item], []).append(file.names[label])
    return labels


def _result(
    system: Any, labels: Mapping[str, Sequence[str]], value: Mapping[str, float], other: float, **options: int
) -> dict[str, Any]:
    import numpy as np

    from accord_core.numerics.corrected_precision import corrected_precision as correct

    means: dict[bool, list[float]] = {False: [], True: []}
    shares: dict[bool, dict[str, float]] = {False: {}, True: {}}
    for question, right in system.correct.items():
        if names := labels.get(question):
            means[right].append(sum(value.get(name, other) for name in names) / len(names))
            for name in names:
                shares[right][name] = shares[right].get(name, 0.0) + 1 / len(names)
    figures = correct(np.array(system.counts, dtype=np.float64).reshape(-1, 2), means[False], means[True], **options)
    return asdict(figures) | {
        name: {
            "drawn": sum(answer == right for answer in system.correct.values()),
            "judged": len(means[right]),
            "labels": {label: share / len(means[right]) for label, share in sorted(shares[right].items())},
        }
        for name, right in (("errors", False), ("controls", True))
    }


def _table(results: Mapping[str, Mapping[str, Any]]) -> PrintedTable:
    rows = [
        (
            name,
            title,
            *(result[figure][end] for end in ("value", "low", "high")),
            *(result[group]["judged"] for group in GROUPS),
        )
        for name, result in results.items()
        for figure, title in TITLES.items()
    ]
    columns = ["system", "figure", "value", "low", "high", "judged errors", "judged controls"]
    return PrintedTable(columns, rows, places=4, caption="Precision corrected by judgements, with 95% intervals")


def _text(name: str, result: Mapping[str, Any]) -> str:
    lines = [name]
    for figure, title in TITLES.items():
        ends = result[figure]
        value = "–" if ends["value"] is None else f"{ends['value']:.4f}"
        interval = "" if ends["low"] is None else f" [{ends['low']:.4f}, {ends['high']:.4f}]"
        lines.append(f"  {title:<33}{value}{interval}")
    for group, title in (("errors", "judged errors"), ("controls", "judged controls")):
        found = result[group]
        shares = ", ".join(f"{label} {share:.0%}" for label, share in found["labels"].items())
        lines.append(f"  {title:<33}{found['judged']:,} of {found['drawn']:,}{f' ({shares})' if shares else ''}")
    return "\n".join(lines)
