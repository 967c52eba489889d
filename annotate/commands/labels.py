"""The `accord labels` commands, which process plain label files. NumPy is imported only when one of these commands
runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import (
    CommandGroup,
    chosen_label_columns,
    file_format_option,
    format_options,
    label_column_options,
    missing_option,
    note,
    output_option,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from annotate.commands.labels_convert import convert
from annotate.commands.labels_groups import agreement_within_groups

if TYPE_CHECKING:
    from accord_core.exchange.labels import LabelFile
    from accord_core.numerics.agreement import Level
    from accord_core.numerics.generalising import Over
    from accord_core.numerics.labels import Aggregate, Ints

NEGATIVE_NAMES = frozenset(["0", "no", "n", "false", "f", "negative", "neg", "bad", "-1"])


@click.group(cls=CommandGroup)
def group() -> None:
    """Aggregate the labels of several annotators, and calculate their agreement."""


@group.command()
@click.argument("labels", metavar="LABELS.csv")
@click.option(
    "--method",
    type=click.Choice(["majority", "weighted", "one-coin", "dawid-skene"]),
    default="majority",
    show_default=True,
    help="`majority` requires more than half of the labels. `weighted` uses the accuracy on gold questions. `one-coin` "
    "and `dawid-skene` estimate the accuracy of each annotator.",
)
@click.option(
    "--ties",
    type=click.Choice(["undecided", "negative"]),
    default="undecided",
    show_default=True,
    help="Label for items without a majority.",
)
@click.option(
    "--negative-label",
    metavar="LABEL",
    help="The negative label. Accord recognises negative labels such as 0, no and false.",
)
@click.option(
    "--gold",
    metavar="FILE",
    help="File of known labels, with the columns “item” and “label”. `weighted` needs it. `one-coin` and `dawid-skene` "
    "then also learn from these labels how accurate each annotator is.",
)
@label_column_options
@missing_option
@file_format_option
@output_option
def aggregate(
    labels: str,
    method: str,
    ties: str,
    negative_label: str | None,
    gold: str | None,
    missing: tuple[str, ...],
    output_format: str,
    output: str,
    **columns: tuple[str, ...],
) -> None:
    """Choose one label for each item in LABELS.csv.

    The columns are either item,annotator,label, or item and one column per annotator. An empty cell counts as a missing
    label, and so does each label in --missing. The result has the columns item,label,votes,n: votes is the number of
    the n labels that are equal to label.
    All methods except majority add the column probability.

    \b
    Examples:
        accord labels aggregate labels.csv -o majority.csv
        accord labels aggregate labels.csv --method dawid-skene --ties negative
        accord labels aggregate - --method weighted --gold gold.csv < labels.csv
        accord labels aggregate labels.csv --method one-coin --gold gold.csv
        accord labels aggregate votes.csv --missing UNSURE
    """
    from accord_core.exchange.labels import UNDECIDED_NAME, labels_table, read_known_labels, read_labels
    from accord_core.numerics.labels import UNDECIDED

    if method == "weighted" and gold is None:
        raise click.UsageError("The method `weighted` requires --gold FILE.")
    if method == "majority" and gold is not None:
        raise click.UsageError("The method `majority` does not use --gold FILE. Choose another method with --method.")
    if negative_label is not None and ties != "negative":
        raise click.UsageError("--negative-label needs --ties negative.")
    refuse_second_stdin(labels, gold)
    known = {} if gold is None else read_known_labels(read_bytes(gold), name=source_name(gold))
    file = read_labels(
        read_bytes(labels),
        name=source_name(labels),
        also=known.values(),
        missing=missing,
        columns=chosen_label_columns(columns),
    )
    _note_missing(file, missing)
    if UNDECIDED_NAME in file.names:
        message = (
            f"{source_name(labels)}: the label {UNDECIDED_NAME} is reserved, because Accord uses this name for ties. "
            "Rename the label."
        )
        raise click.ClickException(message)
    tie_label = UNDECIDED if ties == "undecided" else _negative(file.names, negative_label)
    result = _aggregate(file, method, known, tie_label)
    for warning in result.warnings:
        note(warning)
    print_result(output_format, labels_table(file.items, file.names, result), output=output)


@group.command()
@click.argument("labels", metavar="LABELS.csv")
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval"]),
    default="nominal",
    show_default=True,
    help="Add Krippendorff's α for numeric labels: `ordinal` uses the order of the labels, and `interval` uses the "
    "distances between them.",
)
@resamples_option("questions")
@click.option(
    "--over",
    type=click.Choice(["questions", "annotators", "both"]),
    default="questions",
    show_default=True,
    help="Units that the intervals generalise to: other questions, other annotators, or both.",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Column with the question that each item belongs to. Items that belong to one question are resampled "
    "together. By default, each item is a question.",
)
@label_column_options
@missing_option
@seed_option
@format_options
def agreement(
    labels: str,
    level: Level,
    resamples: int,
    over: Over,
    cluster: str | None,
    missing: tuple[str, ...],
    seed: int,
    output_format: str,
    **columns: tuple[str, ...],
) -> None:
    """Calculate the agreement between the annotators in LABELS.csv.

    The columns are the same as for aggregate. Each coefficient has a 95% interval for other questions, other
    annotators, or both (--over). If people judge several items of a question at once, such as all candidates for a
    phrase, name the question's column with --cluster.

    \b
    Examples:
        accord labels agreement labels.csv
        accord labels agreement votes.csv --cluster sentence --missing UNSURE
        accord labels agreement ratings.csv --level ordinal --over both
        accord labels agreement votes.csv --item id --item paraphrase --annotator worker --cluster id
        accord labels agreement labels.csv --format latex > agreement.tex
        accord labels agreement labels.csv --json | jq .fleiss_kappa.value
    """
    from accord_core.exchange.labels import numbers_of, read_labels
    from accord_core.numerics.generalising import agreement_over
    from annotate.commands.label_figures import agreement_as_json, agreement_lines, agreement_table

    file = read_labels(
        read_bytes(labels),
        name=source_name(labels),
        missing=missing,
        cluster=cluster,
        columns=chosen_label_columns(columns),
    )
    _note_missing(file, missing)
    values = None if level == "nominal" else numbers_of(file.names)
    if level != "nominal" and values is None:
        raise click.ClickException(
            f"{source_name(labels)}: --level {level} requires numeric labels, and each number must always be "
            f"written in the same way. Labels: {', '.join(file.names[:5])}."
        )
    found = agreement_over(
        file.labels,
        over=over,
        clusters=None if file.clusters is None else _numbered(file.clusters),
        resamples=resamples,
        seed=seed,
        level=level,
        values=values,
    )
    if resamples and found.caution:
        note(found.caution)
    print_result(
        output_format,
        agreement_table(file, found, intervals=resamples > 0),
        text=agreement_lines(file, found, intervals=resamples > 0),
        figures=agreement_as_json(found, intervals=resamples > 0),
    )


group.add_command(convert)
group.add_command(agreement_within_groups)


def _aggregate(file: LabelFile, method: str, known: dict[str, str], tie_label: int) -> Aggregate:
    from accord_core.numerics.em import dawid_skene, one_coin
    from accord_core.numerics.labels import UNDECIDED, majority, weighted

    if method == "weighted":
        return weighted(file.labels, _gold_numbers(file, known), tie_label=tie_label)
    if method == "majority":
        return majority(file.labels, tie_label=tie_label)
    estimate = one_coin if method == "one-coin" else dawid_skene
    if not known:
        return estimate(file.labels, tie_label=tie_label)
    gold = _gold_numbers(file, known)
    result, without = (estimate(file.labels, gold=each, tie_label=tie_label) for each in (gold, None))
    others = gold == UNDECIDED
    changed = int((result.label != without.label)[others].sum())
    note(f"with the known labels, {changed:,} of the {int(others.sum()):,} other items have a different label")
    return result


def _gold_numbers(file: LabelFile, known: dict[str, str]) -> Ints:
    import numpy as np

    number = {name: n for n, name in enumerate(file.names)}
    labelled = sum(item in known for item in file.items)
    if not labelled:
        raise click.ClickException(
            "none of the items with known labels is in LABELS.csv, so annotators have no accuracy."
        )
    if labelled < len(known):
        note(f"{len(known) - labelled:,} of {len(known):,} items with known labels are not in LABELS.csv")
    return np.array([number[known[item]] if item in known else -1 for item in file.items], dtype=np.int64)


def _negative(names: list[str], chosen: str | None) -> int:
    if chosen is not None:
        if chosen not in names:
            raise click.ClickException(f"the file has no label {chosen}. Labels: {', '.join(names)}.")
        return names.index(chosen)
    likely = [n for n, name in enumerate(names) if name.casefold() in NEGATIVE_NAMES]
    if len(likely) != 1:
        raise click.ClickException(
            f"the negative label is not clear from the labels {', '.join(names)}. Use --negative-label LABEL to "
            f"specify the negative label."
        )
    return likely[0]


def _numbered(names: list[str]) -> list[int]:
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    return [number[name] for name in names]


def _note_missing(file: LabelFile, missing: tuple[str, ...]) -> None:
    if missing:
        note(f"{file.not_votes:,} labels count as no vote: {', '.join(missing)}")
    if empty := [name for name in file.names if name in ("NA", "NaN", "nan", "#N/A", "NULL", "None")]:
        note(f"{empty[0]} counts as a label. If it stands for missing labels, use --missing {empty[0]}")
