"""The CSV format for quality-control questions, which researchers can read and edit. Annotators should choose the
synonyms, but not the random words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.tables import Row, Table, TableStream, find_column
from accord_core.paraphrase.formats.candidate_columns import begin, join_numbered
from accord_core.paraphrase.formats.items import LONGEST_SENTENCE
from accord_core.paraphrase.formats.phrases import PhraseChecks, joined

FEWEST = 3  # number of words of each kind in a question: Pavlick et al. (2015), §3
REQUIRED = ("sentence", "phrase", "synonyms", "random_words")
COLUMNS = ("id", "sentence", "phrase", "start", "synonyms", "random_words", "explanation")


class QualityRow(NamedTuple):
    """A quality-control question. `start` is an offset in characters, counted from 0.

    If the question comes from a file, `line` is its line. If the file has no ID for the question, `numbered` is true.
    """

    ref: str
    sentence: str
    phrase: str
    start: int
    synonyms: list[str]
    random_words: list[str]
    explanation: str = ""
    numbered: bool = False
    line: int | None = None


def write_quality_control(rows: Iterable[QualityRow]) -> Iterator[str]:
    """Return the questions as CSV text with the columns in `COLUMNS`. The words in a list are separated by `|`."""
    cells = (
        (
            row.ref,
            row.sentence,
            row.phrase,
            str(row.start),
            joined(row.synonyms),
            joined(row.random_words),
            row.explanation,
        )
        for row in rows
    )
    return write_csv(cells, COLUMNS)


def read_quality_control(table: Table | TableStream, *, longest: int = LONGEST_SENTENCE) -> list[QualityRow]:
    """Return the questions from a table with the columns `sentence`, `phrase`, `synonyms` and `random_words`.

    The columns id, start and explanation can be omitted. Questions without IDs are named quality-1, quality-2, … by
    position. Raises TableError with every error and its line: all errors that `PhraseChecks` finds, fewer than three
    words of either kind, a word that is in both lists, a repeated ID, or a repeated phrase in the same sentence.
    """
    faults: list[Fault] = []
    table = join_numbered(
        begin(table, faults), {"synonyms": ("synonym",), "random_words": ("randomword", "distractor")}
    )
    checks = _Checks(PhraseChecks(faults, longest), faults)
    table_rows = list(table.rows)
    rows = [checks.row(number, row, table.columns) for number, row in enumerate(table_rows, start=1)]
    missing = [column for column in REQUIRED if find_column(table.columns, column) is None]
    if missing and table.columns:
        columns_present = f"the columns are {', '.join(table.columns)}"
        way = f"Quality-control questions have the columns {','.join(COLUMNS)}"
        faults = [fault for fault in faults if fault.column not in missing]
        faults += [Fault(1, column, f"the column is missing: {columns_present}. {way}") for column in missing]
    if not rows and not faults:
        faults.append(Fault(None, None, "the file has no questions"))
    raise_faults(table.name, faults)
    return rows


class _Checks:
    """The values in earlier rows, used to detect repeated rows."""

    def __init__(self, phrases: PhraseChecks, faults: list[Fault]) -> None:
        self.phrases = phrases
        self.faults = faults
        self.line_of_ref: dict[str, int] = {}
        self.line_of_place: dict[tuple[str, str, int], int] = {}

    def row(self, number: int, row: Row, columns: Sequence[str]) -> QualityRow:
        names = {name: find_column(columns, name) or name for name in COLUMNS}
        given = row.values.get(names["id"], "").strip()
        ref = given or f"quality-{number}"
        sentence = self.phrases.sentence(row, names["sentence"])
        phrase = self.phrases.phrase(row, names["phrase"])
        start = self.phrases.start(row, names["start"], names["phrase"], sentence, phrase)
        synonyms = self.phrases.candidates(row, names["synonyms"], phrase)
        random_words = self.phrases.candidates(row, names["random_words"], phrase)
        self._check_kinds(row, names, synonyms, random_words)
        if (earlier := self.line_of_ref.setdefault(ref, row.line)) != row.line:
            self._fault(row, names["id"], f"the ID {shorten(ref)} is already on line {earlier}")
        place = (sentence, phrase, start)
        if sentence and phrase and (earlier := self.line_of_place.setdefault(place, row.line)) != row.line:
            self._fault(
                row, names["sentence"], f"the phrase and the sentence are the same as on line {earlier}. Use them once"
            )
        explanation = row.values.get(names["explanation"], "").strip()
        return QualityRow(
            ref, sentence, phrase, start, synonyms, random_words, explanation, numbered=not given, line=row.line
        )

    def _check_kinds(self, row: Row, names: dict[str, str], synonyms: list[str], random_words: list[str]) -> None:
        for column, texts, kind in (("synonyms", synonyms, "synonyms"), ("random_words", random_words, "random words")):
            if 0 < len(texts) < FEWEST:
                self._fault(
                    row, names[column], f"the row has {len(texts)} {kind}, but a question needs at least {FEWEST}"
                )
        known = {text.casefold() for text in synonyms}
        for text in random_words:
            if text and text.casefold() in known:
                self._fault(row, names["random_words"], f"“{shorten(text)}” is also in the list of synonyms")

    def _fault(self, row: Row, column: str, message: str) -> None:
        self.faults.append(Fault(row.line, column, message))
