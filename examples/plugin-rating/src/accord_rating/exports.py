"""The files that researchers can download. The first one is the result of `accord try`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accord_core.exchange.csvtext import write_csv
from accord_rating.options import scales_of
from annotate.tasktypes import ANSWER_FILES, Export, StudyData

CSV = "text/csv; charset=utf-8"
RATED = ("judgements", "mean", "low", "high", "median", "median_low", "median_high", "sd")
ORDERED = ("judgements", "mean_rank", "mean", "low", "high")
Stored = Mapping[str, Any] | None


def scores(data: StudyData, result: Stored) -> Iterable[bytes]:
    """Yield one row per item and scale."""
    if not result or "scales" not in result:
        raise LookupError("There are no scores yet. Calculate the results first.")
    names = ORDERED if result["mode"] == "ranking" else RATED
    rows = (
        [row["item"], row["text"], scale["name"], *("" if row[name] is None else f"{row[name]:g}" for name in names)]
        for scale in result["scales"]
        for row in scale["items"]
    )
    header = ["item", "text", "scale", *("borda" if name == "mean" and names is ORDERED else name for name in names)]
    return (chunk.encode() for chunk in write_csv(rows, header))


def judgements(data: StudyData, result: Stored) -> Iterable[bytes]:
    """Yield one row per judgement, item and scale."""
    scales = [scale.name for scale in scales_of(data.facts["options"])] or ["rank"]

    def rows() -> Iterator[list[str]]:
        for row in data.answers:
            if not row.counts:
                continue
            values = [[rank] for rank in row.value["ranks"]] if "ranks" in row.value else row.value["ratings"]
            for key, cells in zip(row.payload["items"], values, strict=True):
                for scale, cell in zip(scales, cells, strict=True):
                    yield [row.ref, key, row.pseudonym, scale, str(cell)]

    return (chunk.encode() for chunk in write_csv(rows(), ["question", "item", "annotator", "scale", "value"]))


EXPORTS = (
    Export(
        "scores.csv",
        CSV,
        "the mean of each item on each scale, with 95% intervals",
        scores,
        needs_report=True,
        item_column="item",
        note="Orders have the mean rank, and the Borda score from 0 to 1 with its interval. The guide describes each "
        "column.",
    ),
    Export("judgements.csv", CSV, "each rating or rank, with its annotator", judgements, group=ANSWER_FILES),
)
