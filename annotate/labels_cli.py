"""`accord labels`: labels of many annotators on plain files. numpy is imported only inside commands."""

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
    """Labels of many annotators: one label an item, and how far they agree."""


@group.command()
@click.argument("labels", metavar="LABELS.csv")
@click.option(
    "--method",
    type=click.Choice(["majority", "weighted", "one-coin", "dawid-skene"]),
    default="majority",
    show_default=True,
    help="Majority: more than half. Weighted: by accuracy on gold. One-coin and dawid-skene: by estimated accuracy.",
)
@click.option(
    "--ties",
    type=click.Choice(["undecided", "negative"]),
    default="undecided",
    show_default=True,
    help="What an item gets on which the votes do not decide.",
)
@click.option("--negative", metavar="LABEL", help="Which label is the negative one; 0, no, false and such are known.")
@click.option("--gold", metavar="FILE", help="Known labels, item,label; for the weighted method.")
@output_option
def aggregate(labels: str, method: str, ties: str, negative: str | None, gold: str | None, output: str) -> None:
    """Decide on one label for each item of LABELS.csv.

    The columns are item,annotator,label; or item and a column for each annotator, blank where one gave no label. The
    result has item,label,votes,n (votes: how many of the n labels are this one) and, except for majority, probability.

    \b
    Examples:
        accord labels aggregate labels.csv -o majority.csv
        accord labels aggregate labels.csv --method dawid-skene --ties negative
        accord labels aggregate - --method weighted --gold gold.csv < labels.csv
    """
    from annotate.exchange.labels import UNDECIDED_NAME, read_known_labels, read_labels, write_labels
    from annotate.numerics.labels import UNDECIDED

    if (method == "weighted") != (gold is not None):
        raise click.UsageError("The weighted method needs --gold FILE." if gold is None else "--gold is for weighted.")
    if negative is not None and ties != "negative":
        raise click.UsageError("--negative says which label ties get; it goes with --ties negative.")
    if gold == STANDARD and labels == STANDARD:
        raise click.UsageError("Labels and gold cannot both come from standard input.")
    known = {} if gold is None else read_known_labels(read_bytes(gold), name=source_name(gold))
    file = read_labels(read_bytes(labels), name=source_name(labels), also=known.values())
    if UNDECIDED_NAME in file.names:
        message = f"{source_name(labels)}: a label is called {UNDECIDED_NAME}, as ties are in the result; rename it."
        raise click.ClickException(message)
    tie_label = UNDECIDED if ties == "undecided" else _negative(file.names, negative)
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
    help="Add Krippendorff's α for labels that are numbers: by their order, or by their distances.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="How often to resample items for the intervals; 0 for none.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed draws the same.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def agreement(labels: str, level: str, resamples: int, seed: int, as_json: bool) -> None:
    """Tell how far the annotators of LABELS.csv agree.

    The columns are as for aggregate. Each coefficient has a 95 % interval from resampled items. What is undefined is
    said to be, with the reason: with all labels equal there is nothing to correct for chance.

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
    found = coefficients_of(file.labels, resamples=resamples, seed=seed)
    if level != "nominal":
        values = numbers_of(file.names)
        if values is None:
            text = f"{source_name(labels)}: --level {level} needs labels that are different numbers, not "
            raise click.ClickException(f"{text}{', '.join(file.names[:5])}.")
        found[f"krippendorff_alpha_{level}"] = krippendorff_alpha(
            file.labels,
            "ordinal" if level == "ordinal" else "interval",
            values=values,
            resamples=resamples,
            seed=seed,
        )
    if as_json:
        figures = {name: _figures(coefficient) for name, coefficient in found.items()}
        write_whole(STANDARD, [json.dumps(figures, indent=2, ensure_ascii=False), "\n"])
    else:
        write_whole(STANDARD, [_overview(file), *(_line(name, each) for name, each in found.items())])


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
        raise click.ClickException("not one gold item is among the labelled items; the weights would rest on nothing.")
    if labelled < len(known):
        _note(f"{len(known) - labelled:,} of {len(known):,} gold items are not among the labelled items")
    return np.array([number[known[item]] if item in known else -1 for item in file.items], dtype=np.int64)


def _negative(names: list[str], asked: str | None) -> int:
    if asked is not None:
        if asked not in names:
            raise click.ClickException(f"no label is called {asked}; the labels are {', '.join(names)}.")
        return names.index(asked)
    likely = [n for n, name in enumerate(names) if name.casefold() in NEGATIVE_NAMES]
    if len(likely) != 1:
        raise click.ClickException(
            f"which of the labels {', '.join(names)} is the negative one? Say so with --negative LABEL."
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
        f"{len(file.labels):,} labels of {len(file.items):,} items by {len(file.annotators):,} annotators; "
        f"{several:,} items have two or more\n"
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
        text += f"; {coefficient.pairs:,} pairs of annotators, {coefficient.pairs_left_out:,} left out"
    return f"{text}\n"


def _decimals(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"


def _note(message: str) -> None:
    click.echo(f"accord: note: {message}", err=True)
