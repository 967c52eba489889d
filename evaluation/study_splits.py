"""The train, dev and test splits in a release, stored as a file with each item's split and as a column in the
tables.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord_core.evaluation.numerics.splits import PARTS, Split, shared_texts, split_items
from accord_core.exchange.csvtext import unescape_formula, write_csv
from annotate.tasktypes import Export, StudyData, TaskType

PLACE = "data/splits.csv"
NOTE = "part of each item (train, dev or test), its group of linked items and its stratum"
COLUMNS = ("item", "split", "group", "stratum", "kept")
DELIMITERS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True)
class SplitPlan:
    """The settings for dividing a dataset: the percentages of train, dev and test, the seed, and the metadata columns
    whose values keep the same proportions in every split. `earlier` contains the splits in earlier releases.
    """

    seed: int = 1
    percentages: tuple[int, int, int] = (80, 10, 10)
    stratify: tuple[str, ...] = ()
    earlier: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for the description of a release. The settings exclude the earlier splits, which the file
        of splits already contains.
        """
        shares = dict(zip(PARTS, self.percentages, strict=True))
        return {"seed": self.seed, "percentages": shares, "stratify": list(self.stratify)}

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None, earlier: Mapping[str, str]) -> SplitPlan | None:
        """Create the object from a dictionary that `as_dict` returned."""
        if stored is None:
            return None
        train, dev, test = (int(stored["percentages"][part]) for part in PARTS)
        return cls(int(stored["seed"]), (train, dev, test), tuple(stored["stratify"]), dict(earlier))


@dataclass(frozen=True)
class StudySplit:
    """The splits of a study's items, with the strata and the texts that must not occur in two splits."""

    plan: SplitPlan
    keys: list[str]
    texts: list[list[str]]
    strata: list[str]
    split: Split

    @property
    def parts(self) -> dict[str, str]:
        return dict(zip(self.keys, self.split.parts, strict=True))

    @property
    def _kept(self) -> list[bool]:
        return [self.plan.earlier.get(key) == part for key, part in zip(self.keys, self.split.parts, strict=True)]

    def file(self) -> bytes:
        """Return the file with each item's split. `kept` marks the items whose split comes from an earlier release."""
        kept = ["yes" if each else "" for each in self._kept]
        rows = zip(self.keys, self.split.parts, self.split.groups, self.strata, kept, strict=True)
        return "".join(write_csv(rows, COLUMNS)).encode()

    def statement(self) -> str:
        """Return a section of the data statement about the splits."""
        sizes = ", ".join(
            f"{part} {size:,} ({share}%)"
            for (part, size), share in zip(self.split.sizes.items(), self.plan.percentages, strict=True)
        )
        sentences = [
            f"The items are divided into three parts. Items and planned shares: {sizes}.",
            f"A hash of the item IDs with the seed {self.plan.seed} determines the parts.",
            "Items that share a text are in the same part.",
        ]
        if self.plan.stratify:
            columns = ", ".join(self.plan.stratify)
            sentences.append(f"The proportions are the same for each value in the metadata column {columns}.")
        if self.plan.earlier:
            sentences.append(f"{sum(self._kept):,} items have the same part as in an earlier release.")
        if self.split.largest_group > 1:
            sentences.append(
                f"The largest group of items that share texts contains {self.split.largest_group:,} items."
            )
        return " ".join(sentences)


def split_of(task: TaskType, data: StudyData, plan: SplitPlan | None) -> StudySplit | None:
    """Return the parts of the items that are not held out, or None if there is no plan."""
    if plan is None:
        return None
    items = [item for item in data.items if not item.held_out]
    keys = [item.key for item in items]
    texts = [list(task.item_texts(item.content)) for item in items]
    strata = ["/".join(item.metadata.get(column, "") for column in plan.stratify) for item in items]
    train, dev, test = plan.percentages
    shares = (train / 100, dev / 100, test / 100)
    split = split_items(keys, texts, strata, seed=plan.seed, proportions=shares, earlier=plan.earlier)
    return StudySplit(plan, keys, texts, strata, split)


def with_parts(export: Export, data: bytes, split: StudySplit | None) -> bytes:
    """Return a table with the additional column `split` if its rows belong to items. Other files do not change."""
    delimiter = next((sign for ending, sign in DELIMITERS.items() if export.filename.endswith(ending)), None)
    if split is None or not export.item_column or delimiter is None:
        return data
    parts = split.parts
    header, *rows = _cells(data, delimiter)
    place = header.index(export.item_column)
    # An item ID such as =a has an apostrophe in the table, but not in the splits.
    with_part = ([*row, parts.get(unescape_formula(row[place]), "")] for row in rows)
    return _text([[*header, "split"], *with_part], delimiter)


def rows_by_part(export: Export, table: bytes, split: StudySplit | None) -> dict[str, bytes]:
    """Return a mapping from paths to a table's rows in each split, because programs load splits as separate files.

    `table` has the column `split`. Parts without rows have no file. Rows that do not belong to a part, such as the rows
    of held-out items, are only in the whole table.
    """
    delimiter = next((sign for ending, sign in DELIMITERS.items() if export.filename.endswith(ending)), None)
    if split is None or not export.item_column or delimiter is None:
        return {}
    rows = list(_cells(table, delimiter))
    place = rows[0].index("split")
    files = {}
    for part in PARTS:
        chosen = [row for row in rows[1:] if row[place] == part]
        if chosen:
            files[part_path(export.filename, part)] = _text([rows[0], *chosen], delimiter)
    return files


def part_path(filename: str, part: str) -> str:
    """Return the path of the file with the rows of one split, such as `data/train/scores.csv`."""
    return f"data/{part}/{filename}"


def part_note(path: str) -> str:
    """Return the description of a file with the rows of one split."""
    _, part, filename = path.split("/")
    return f"rows of data/{filename} in the {part} part"


def leaks(split: StudySplit, published: Mapping[str, str]) -> list[str]:
    """Return a sentence for each text that occurs in several splits of the published file."""
    texts = shared_texts([published.get(key, "") for key in split.keys], split.texts)
    return [f"{PLACE}: the text “{text[:80]}” occurs in several parts" for text in texts]


def published_rows(files: Mapping[str, bytes]) -> list[dict[str, str]]:
    """Return the rows of the splits file without apostrophes before formulas, or no rows without such a file."""
    rows = csv.DictReader(io.StringIO(files.get(PLACE, b"").decode(), newline=""))
    return [{column: unescape_formula(cell) for column, cell in row.items()} for row in rows]


def _cells(data: bytes, delimiter: str) -> Iterator[list[str]]:
    """Yield each row's cells. Tab-separated files contain no quotation marks around cells."""
    text = data.decode()
    if delimiter == "\t":
        return (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    return csv.reader(io.StringIO(text, newline=""))


def _text(rows: Iterable[Sequence[str]], delimiter: str) -> bytes:
    """Return rows as a file. Cells that would run as formulas already have apostrophes."""
    if delimiter == "\t":
        return "".join("\t".join(row) + "\n" for row in rows).encode()
    header, *rest = rows
    return "".join(write_csv(rest, header, formulas=False)).encode()
