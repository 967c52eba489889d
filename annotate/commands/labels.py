"""The `accord labels` commands, which work on plain label files. NumPy is imported only when one of these commands
runs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from annotate.cli_options import output_option
from annotate.exchange.files import STANDARD, read_bytes, source_name, write_whole

if TYPE_CHECKING:
    from annotate.exchange.labels import LabelFile
    from annotate.numerics.bootstrap import Coefficient
    from annotate.numerics.labels import Aggregate, Ints

NEGATIVE_NAMES = frozenset(["0", "no", "n", "false", "f", "negative", "neg", "bad", "-1"])
TITLES = {
    "raw_agreement": "raw agreement",
    "cohen_kappa_mean": "Cohen's κ, mean of pairs",
    "cohen_kappa_mean_by_items": "Cohen's κ, by shared items",
    "fleiss_kappa": "Fleiss' κ",
    "krippendorff_alpha_nominal": "Krippendorff's α, nominal",
    "krippendorff_alpha_ordinal": "Krippendorff's α, ordinal",
    "krippendorff_alpha_interval": "Krippendorff's α, interval",
    "gwet_ac1": "Gwet's AC1",
}


@click.group()
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
    help="The negative label. Accord recognizes negative labels such as 0, no and false.",
)
@click.option(
    "--gold",
    metavar="FILE",
    help="File of known labels, with the columns “item” and “label”, for the method `weighted`.",
)
@output_option
def aggregate(labels: str, method: str, ties: str, negative_label: str | None, gold: str | None, output: str) -> None:
    """Choose one label for each item in LABELS.csv.

    The columns are either item,annotator,label, or item and one column per annotator. An empty cell counts as a missing
    label. The result has the columns item,label,votes,n: votes is the number of the n labels that are equal to label.
    All methods except majority add the column probability.

    \b
    Examples:
        accord labels aggregate labels.csv -o majority.csv
        accord labels aggregate labels.csv --method dawid-skene --ties negative
        accord labels aggregate - --method weighted --gold gold.csv < labels.csv
    """
    from annotate.exchange.labels import UNDECIDED_NAME, read_known_labels, read_labels, write_labels
    from annotate.numerics.labels import UNDECIDED

    if (method == "weighted") != (gold is not None):
        raise click.UsageError(
            "The method `weighted` requires --gold FILE." if gold is None else "--gold needs --method weighted."
        )
    if negative_label is not None and ties != "negative":
        raise click.UsageError("--negative-label needs --ties negative.")
    if gold == STANDARD and labels == STANDARD:
        raise click.UsageError("LABELS.csv and the --gold file cannot both be read from standard input.")
    known = {} if gold is None else read_known_labels(read_bytes(gold), name=source_name(gold))
    file = read_labels(read_bytes(labels), name=source_name(labels), also=known.values())
    if UNDECIDED_NAME in file.names:
        message = (
            f"{source_name(labels)}: the label {UNDECIDED_NAME} is reserved, because Accord uses this name for ties. "
            "Rename the label."
        )
        raise click.ClickException(message)
    tie_label = UNDECIDED if ties == "undecided" else _negative(file.names, negative_label)
    result = _aggregate(file, method, known, tie_label)
    for warning in result.warnings:
        _note(warning)
    write_whole(output, write_labels(file.items, file.names, result))


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
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="Number of resamples of the items for the confidence intervals. 0 turns them off.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Seed of the resamples. The same seed gives the same result.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def agreement(labels: str, level: str, resamples: int, seed: int, as_json: bool) -> None:
    """Calculate the agreement between the annotators in LABELS.csv.

    The columns are the same as for aggregate. Each coefficient has a 95% interval from resampled items. If a
    coefficient is undefined, for example because all labels are equal, the result states the reason.

    \b
    Examples:
        accord labels agreement labels.csv
        accord labels agreement ratings.csv --level ordinal
        accord labels agreement labels.csv --json | jq .fleiss_kappa.value
    """
    from annotate.exchange.labels import numbers_of, read_labels
    from annotate.numerics.agreement import agreement as coefficients_of
    from annotate.numerics.agreement import krippendorff_alpha

    file = read_labels(read_bytes(labels), name=source_name(labels))
    coefficients = coefficients_of(file.labels, resamples=resamples, seed=seed)
    if level != "nominal":
        values = numbers_of(file.names)
        if values is None:
            raise click.ClickException(
                f"{source_name(labels)}: --level {level} requires numeric labels, and each number must always be "
                f"written in the same way. Labels: {', '.join(file.names[:5])}."
            )
        coefficients[f"krippendorff_alpha_{level}"] = krippendorff_alpha(
            file.labels,
            "ordinal" if level == "ordinal" else "interval",
            values=values,
            resamples=resamples,
            seed=seed,
        )
    if as_json:
        figures = {name: _figures(coefficient) for name, coefficient in coefficients.items()}
        write_whole(STANDARD, [json.dumps(figures, indent=2, ensure_ascii=False), "\n"])
    else:
        write_whole(STANDARD, [_overview(file), *(_line(name, each) for name, each in coefficients.items())])


def _aggregate(file: LabelFile, method: str, known: dict[str, str], tie_label: int) -> Aggregate:
    from annotate.numerics.em import dawid_skene, one_coin
    from annotate.numerics.labels import majority, weighted

    if method == "weighted":
        return weighted(file.labels, _gold_numbers(file, known), tie_label=tie_label)
    return {"majority": majority, "one-coin": one_coin, "dawid-skene": dawid_skene}[method](
        file.labels, tie_label=tie_label
    )


def _gold_numbers(file: LabelFile, known: dict[str, str]) -> Ints:
    import numpy as np

    number = {name: n for n, name in enumerate(file.names)}
    labelled = sum(item in known for item in file.items)
    if not labelled:
        raise click.ClickException(
            "none of the items with known labels is in LABELS.csv, so annotators have no accuracy."
        )
    if labelled < len(known):
        _note(f"{len(known) - labelled:,} of {len(known):,} items with known labels are not in LABELS.csv")
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


def _figures(coefficient: Coefficient) -> dict[str, Any]:
    from annotate.numerics.cohen import MeanKappa

    figures: dict[str, Any] = {"value": coefficient.value, "low": coefficient.low, "high": coefficient.high}
    if coefficient.reason is not None:
        figures["reason"] = coefficient.reason
    if coefficient.undefined_resamples:
        figures["undefined_resamples"] = coefficient.undefined_resamples
    if isinstance(coefficient, MeanKappa):
        figures |= {"pairs": coefficient.pairs, "pairs_left_out": coefficient.pairs_left_out}
    return figures


def _overview(file: LabelFile) -> str:
    several = int((file.labels.counts.sum(axis=1) > 1).sum())
    return (
        f"The file contains {len(file.labels):,} labels for {len(file.items):,} items by {len(file.annotators):,} "
        f"annotators. "
        f"{several:,} items have two or more labels.\n"
    )


def _line(name: str, coefficient: Coefficient) -> str:
    from annotate.numerics.cohen import MeanKappa

    text = f"  {TITLES[name]:<28}"
    if coefficient.value is None:
        text += f"undefined: {coefficient.reason}"
    else:
        text += _decimals(coefficient.value)
        if coefficient.low is not None and coefficient.high is not None:
            text += f"  [{_decimals(coefficient.low)}, {_decimals(coefficient.high)}]"
    if coefficient.undefined_resamples:
        text += f"; undefined in {coefficient.undefined_resamples:,} resamples"
    if isinstance(coefficient, MeanKappa):
        text += f"; {coefficient.pairs:,} pairs of annotators, {coefficient.pairs_left_out:,} excluded"
    return f"{text}\n"


def _decimals(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"


def _note(message: str) -> None:
    click.echo(f"accord: note: {message}", err=True)
