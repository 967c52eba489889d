"""The `accord evaluate split` command, and the options --split and --splits for commands that score systems."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, TypeVar

import click

from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.numbers import decimal_hint, read_number
from annotate.cli.options import note, output_option, refuse_second_stdin, seed_option
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from accord_core.evaluation.formats.splits import ItemsToSplit
    from accord_core.evaluation.numerics.splits import Proportions, Split

F = TypeVar("F", bound=Callable[..., Any])
PARTS = ("train", "dev", "test")


def split_options(command: F) -> F:
    """Add the options --split and --splits, which restrict a score to one split of the items."""
    command = click.option(
        "--splits",
        metavar="FILE",
        help="File with the columns item and split, if the collected data has no column split.",
    )(command)
    return click.option(
        "--split",
        type=click.Choice(PARTS),
        help="Score only the items in this part. The column split names each item's part.",
    )(command)


def part_file_options(command: F) -> F:
    """Add the options --split and --splits to a command whose gold data cannot contain the splits."""
    command = click.option(
        "--splits",
        metavar="FILE",
        help="File with the columns item and split, such as splits.csv from a release. The items are sentence pairs.",
    )(command)
    return click.option(
        "--split",
        type=click.Choice(PARTS),
        help="Score only the sentence pairs in this part. The file in --splits contains each pair's part.",
    )(command)


def pairs_in_part(split: str | None, splits: str | None) -> set[str] | None:
    """Return the IDs of the sentence pairs in one `split` of the file `splits`, or None if all pairs are scored.

    Raises TableError if no pair belongs to the part.
    """
    if split is not None and splits is None:
        raise click.UsageError("--split needs --splits FILE with the part of each sentence pair.")
    return items_in_part(split, splits, b"", "")


def items_in_part(split: str | None, splits: str | None, data: bytes, path: str) -> set[str] | None:
    """Return the items in one `split`, or None if all items are scored.

    The parts are in the file `splits` or, by default, in the collected data. Raises TableError if no item belongs to
    the part.
    """
    from accord_core.evaluation.formats.splits import read_split

    if split is None:
        if splits is not None:
            raise click.UsageError("--splits FILE needs --split train, --split dev or --split test.")
        return None
    name = source_name(path if splits is None else splits)
    parts = read_split(data if splits is None else read_bytes(splits), name=name)
    chosen = {item for item, part in parts.items() if part == split}
    if not chosen:
        raise TableError(name, [Fault(None, "split", f"no item belongs to the {split} part")])
    return chosen


def percentages(text: str) -> Proportions:
    """Return the shares of train, dev and test from a text such as 80,10,10."""
    try:
        numbers = [read_number(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not all(0 <= number <= 100 for number in numbers) or abs(sum(numbers) - 100) > 1e-6:
        message = "The proportions must be three percentages for train, dev and test that sum to 100, such as 80,10,10"
        raise click.UsageError(f"{message}, not {text}.")
    return numbers[0] / 100, numbers[1] / 100, numbers[2] / 100


@click.command()
@click.argument("items", metavar="ITEMS")
@click.option(
    "--proportions",
    default="80,10,10",
    show_default=True,
    metavar="TRAIN,DEV,TEST",
    help="Percentage of the items in each part.",
)
@click.option(
    "--link",
    "linked",
    multiple=True,
    metavar="COLUMN",
    help="Column whose texts must not occur in more than one part. You can repeat this option. By default, the columns "
    "text, sentence, sentence1 and sentence2, and the columns source and target if the file contains both.",
)
@click.option(
    "--stratify",
    multiple=True,
    metavar="COLUMN",
    help="Column whose values keep the same proportions in every part, such as source or label. This option can be "
    "repeated.",
)
@click.option(
    "--score",
    metavar="COLUMN",
    help="Numeric column to divide into bins. Each bin keeps the same proportions in every part.",
)
@click.option("--bins", type=WholeRange(2), default=5, show_default=True, help="Number of bins for --score.")
@click.option(
    "--keep",
    metavar="FILE",
    help="Earlier file with the columns item and split. Items in this file keep their part.",
)
@seed_option
@output_option
def split(
    items: str,
    proportions: str,
    linked: tuple[str, ...],
    stratify: tuple[str, ...],
    score: str | None,
    bins: int,
    keep: str | None,
    seed: int,
    output: str,
) -> None:
    """Assign the items in ITEMS to train, dev and test splits.

    Items that share a text, directly or through other items, get the same part. A hash of the item IDs and the seed
    determines the parts, so the order of the rows has no effect. The result has the columns item, split, group and
    stratum.

    \b
    Examples:
        accord evaluate split items.csv --stratify source -o splits.csv
        accord evaluate split scores-full.csv --score score --proportions 70,15,15 -o splits.csv
        accord evaluate split more-items.csv --keep splits.csv -o splits-2.csv
    """
    from accord_core.evaluation.formats.splits import read_items_to_split, read_split, write_split
    from accord_core.evaluation.numerics.splits import split_items

    refuse_second_stdin(items, keep)
    shares = percentages(proportions)
    columns = [*stratify, *([score] if score else [])]
    file = read_items_to_split(read_bytes(items), name=source_name(items), linked=linked or None, strata=columns)
    strata = _strata(file, score, bins, source_name(items))
    earlier = None if keep is None else read_split(read_bytes(keep), name=source_name(keep))
    found = split_items(file.keys, file.texts, strata, seed=seed, proportions=shares, earlier=earlier)
    _notes(file, found, shares)
    write_whole(output, write_split(file.keys, found, strata))


def _strata(file: ItemsToSplit, score: str | None, bins: int, name: str) -> list[str]:
    from accord_core.evaluation.numerics.splits import score_bins

    if score is None:
        return ["/".join(cells) for cells in file.cells]
    numbers, faults = [], []
    for key, cells in zip(file.keys, file.cells, strict=True):
        try:
            numbers.append(read_number(cells[-1]))
        except ValueError:
            numbers.append(nan)
        if not isfinite(numbers[-1]):
            faults.append(Fault(None, score, f"{key}: “{cells[-1][:40]}” is not a number{decimal_hint(cells[-1])}"))
    raise_faults(name, faults)
    of_score = score_bins(numbers, bins)
    return ["/".join([*cells[:-1], number]) for cells, number in zip(file.cells, of_score, strict=True)]


def _notes(file: ItemsToSplit, found: Split, shares: Proportions) -> None:
    total = len(file.keys)
    if file.linked:
        note(f"no text in the columns {', '.join(file.linked)} occurs in two parts")
    else:
        note("the file has no column with texts, so each item is a group of its own. Choose the columns with --link")
    note(", ".join(f"{part} {size:,} ({100 * size / total:.1f}%)" for part, size in found.sizes.items()))
    if found.largest_group > min(share for share in shares if share > 0) * total:
        note(
            f"{found.largest_group:,} of {total:,} items are linked by shared texts and must stay in one part, so the "
            "proportions cannot be exact"
        )
    if found.moved:
        note(f"{found.moved:,} items of the earlier file have another part, because new items link them to other parts")
