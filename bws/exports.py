"""The downloads for a best–worst study, in the usual file formats for best–worst scaling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accord_core.bws.formats import AnnotationRow, scores_table, write_annotations, write_scores, write_tuples
from accord_core.evaluation.formats.folds import FOLDS, write_folds
from accord_core.exchange.csvtext import write_csv
from annotate.tasktypes import ANSWER_FILES, Export, StudyData
from bws import row_fields

CSV = "text/csv; charset=utf-8"
FURTHER = ("rank", "appearances", "best", "worst", "maxdiff", "maxdiff_standard_error")
Result = Mapping[str, Any] | None


def scores(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield each item's score from 0 to 1, highest first, with its text. The columns `item,score` come first, as in the
    files of common best–worst scoring scripts. Without the text, generated IDs would tell readers nothing.
    """
    columns = _scores(result)
    contents = {item.key: item.content for item in data.items}
    names = list(next(iter(contents.values()), {}))
    texts = {name: [contents.get(key, {}).get(name, "") for key in columns["key"]] for name in names}
    return _utf8(write_scores(columns["key"], _numbers(columns["unit"]), further=texts))


def scores_in_full(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield each item's figures, text and metadata. The columns `score` and `standard_error` are on the scale from 0 to
    1, as in `scores.csv`, and `signed_score` is on the scale from −1 to 1.
    """
    scores = _scores(result)
    errors = [None if error is None else error / 2 for error in scores["standard_error"]]
    named = {"score": scores["unit"], "standard_error": errors, "signed_score": scores["score"]}
    figures = named | {name: scores[name] for name in FURTHER}
    place = {key: number for number, key in enumerate(scores["key"])}
    first = next(iter(data.items), None)
    content = list(first.content) if first else []
    metadata = list(dict.fromkeys(name for item in data.items for name in item.metadata))

    def rows() -> Iterable[list[str]]:
        for item in data.items:
            if item.key in place:
                yield [
                    item.key,
                    *(_cell(values[place[item.key]]) for values in figures.values()),
                    *(item.content[name] for name in content),
                    *(item.metadata.get(name, "") for name in metadata),
                ]

    return _utf8(write_csv(rows(), ["item", *figures, *content, *metadata]))


def folds(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield the test fold of each scored item, in the order of `scores.csv`. The test folds are the same as for system
    scores, and as for `accord evaluate relatedness` with the same seed.
    """
    columns = _scores(result)
    scored = scores_table(columns["key"], _numbers(columns["unit"]))
    items = [str(item) for item, score in scored.rows if score == score]
    return _utf8(write_folds(items, FOLDS, int(data.facts["seed"])))


def tuples(data: StudyData, result: Result) -> Iterable[bytes]:
    return _utf8(write_tuples(question.payload["items"] for question in data.questions))


def judgements(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield the judgements that count. The items of each question are in the order shown to the annotator."""
    rows = (
        AnnotationRow(
            [row.payload["items"][place] for place in row.shown] if row.shown else row.payload["items"],
            row.value["best"],
            row.value["worst"],
            row.pseudonym,
            row.ref,
            row.seconds,
        )
        for row in data.answers
        if row.counts
    )
    return _utf8(write_annotations(rows, size=int(data.facts["options"]["size"])))


EXPORTS = (
    Export(
        "scores.csv",
        CSV,
        "each item’s score from 0 to 1, with its text",
        scores,
        True,
        item_column="item",
        rows=row_fields.SCORES,
    ),
    Export(
        "scores-full.csv",
        CSV,
        "every figure of every item, with text and metadata; score from 0 to 1, signed_score from −1 to 1",
        scores_in_full,
        True,
        item_column="item",
        rows=row_fields.SCORES_IN_FULL,
    ),
    Export(
        "folds.csv",
        CSV,
        "the test fold of each item, with which systems are scored",
        folds,
        needs_report=True,
        rows=row_fields.FOLDS,
    ),
    Export(
        "tuples.tsv",
        "text/tab-separated-values; charset=utf-8",
        "one tuple per line",
        tuples,
        header=False,
        group=ANSWER_FILES,
        rows=row_fields.TUPLES,
    ),
    Export(
        "annotations.csv",
        CSV,
        "the judgements that count, with the columns Item1–Item4, BestItem, WorstItem and Annotator",
        judgements,
        group=ANSWER_FILES,
        rows=row_fields.ANNOTATIONS,
    ),
)


def _scores(result: Result) -> Mapping[str, Any]:
    if not result or "scores" not in result:
        raise LookupError("There are no scores yet. Calculate the results first.")
    scores: Mapping[str, Any] = result["scores"]
    return scores


def _numbers(values: Iterable[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _utf8(chunks: Iterable[str]) -> Iterable[bytes]:
    return (chunk.encode() for chunk in chunks)
