"""Tables of questions answered by a program, and some of them also by people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from accord_core.evaluation.formats.predictions import ITEM as ITEMS
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.label_rows import EMPTY
from accord_core.exchange.numbers import decimal_hint, read_number
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows, iter_table

ITEM, PROGRAM, PEOPLE, ANNOTATOR, PROBABILITY = "item", "program", "people", "annotator", "probability"
QUESTION = "question"


@dataclass(frozen=True)
class AssistedTable:
    """The answers of a program and of systems to all items, and people's judgements of some of them.

    `program` and the lists in `systems` have one answer for each of the `items`. `question` contains the number of each
    item's question, which is drawn and judged as a whole. A judgement is an item's place, the annotator's name and the
    answer. `probability` has the inclusion probability of each judged item, by its place, and is empty if all
    probabilities are equal.
    """

    items: list[str]
    program: list[str]
    systems: dict[str, list[str]]
    question: list[int]
    judgements: list[tuple[int, str, str]]
    probability: dict[int, float]
    has_annotators: bool


def read_assisted(data: bytes, systems: Sequence[str], *, name: str) -> AssistedTable:
    """Read a CSV or JSON Lines file with the columns item, program and people, and a column for each of the `systems`.

    `people` is empty for questions that people have not answered. The columns annotator and probability are optional.
    With annotators, an item can have one row per judgement, with the same cells in all other columns. The optional
    column question contains the question of each item, such as the sentence of several candidates. Raises TableError
    with every error.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(iter_rows(stream, faults))
    read = _Reader(stream, systems, faults)
    if not faults:
        for row in rows:
            read.add(row)
    if not faults and not read.judgements:
        faults.append(Fault(None, PEOPLE, "no question has an answer by people"))
    if not faults:
        faults += read.incomplete()
    raise_faults(name, faults)
    return read.table()


def read_probabilities(data: bytes, *, name: str) -> dict[str, float]:
    """Return each item's probability of being drawn, from the columns id (or item) and probability of a file by `accord
    evaluate draw`. Raises TableError with every error.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(iter_rows(stream, faults))
    key = next((column for each in ITEMS if (column := find_column(stream.columns, each))), None)
    column = find_column(stream.columns, PROBABILITY)
    if key is None or column is None:
        present = ", ".join(stream.columns)
        raise TableError(
            name, [*faults, Fault(1, None, f"the file needs the columns id and probability, not {present}")]
        )
    found: dict[str, float] = {}
    for row in rows:
        item = row.values.get(key, "").strip()
        value = _probability(row, column, faults)
        if found.setdefault(item, value) != value:
            faults.append(Fault(row.line, column, f"{item} has a different probability on an earlier line"))
    raise_faults(name, faults)
    return found


def as_numbers(texts: Sequence[str], column: str, *, name: str) -> list[float]:
    """Return the answers as numbers. Raises TableError with the answers that are not numbers."""
    numbers, faults = [], []
    for text in texts:
        try:
            numbers.append(read_number(text))
        except ValueError:
            faults.append(Fault(None, column, f"“{text[:40]}” is not a number{decimal_hint(text)}"))
    if faults:
        raise TableError(name, list(dict.fromkeys(faults)))
    return numbers


@dataclass
class _Reader:
    stream: TableStream
    systems: Sequence[str]
    faults: list[Fault]
    place: dict[str, int] = field(default_factory=dict)
    answers: list[tuple[str, ...]] = field(default_factory=list)
    judgements: dict[tuple[int, str], str] = field(default_factory=dict)
    probability: dict[int, float] = field(default_factory=dict)
    question: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        columns = self.stream.columns
        self.column = {name: find_column(columns, name) for name in (ITEM, PROGRAM, PEOPLE, *self.systems)}
        self.annotator, self.drawn, self.together = (
            find_column(columns, name) for name in (ANNOTATOR, PROBABILITY, QUESTION)
        )
        for name, column in self.column.items():
            if column is None:
                self.faults.append(Fault(1, name, f"the column is missing. The columns are {', '.join(columns)}"))

    def add(self, row: Row) -> None:
        item, *answers = (self._cell(row, self.column[name]) for name in (ITEM, PROGRAM, *self.systems))
        for name, cell in zip((ITEM, PROGRAM, *self.systems), (item, *answers), strict=True):
            if not cell:
                self.faults.append(Fault(row.line, self.column[name], EMPTY))
        place = self.place.setdefault(item, len(self.place))
        is_first = place == len(self.answers)
        question = item if self.together is None else self._cell(row, self.together)
        if is_first:
            self.answers.append(tuple(answers))
            self.question.append(question)
        elif self.question[place] != question:
            self.faults.append(
                Fault(row.line, self.together, f"{item} belongs to {self.question[place]} on an earlier line")
            )
        elif self.answers[place] != tuple(answers):
            self.faults.append(Fault(row.line, None, f"{item} has different program answers on an earlier line"))
        judged = self._cell(row, self.column[PEOPLE])
        if judged:
            self._add_judgement(row, item, place, judged)
        elif not is_first:
            self.faults.append(Fault(row.line, self.column[PEOPLE], f"{item} is already on an earlier line"))

    def _add_judgement(self, row: Row, item: str, place: int, judged: str) -> None:
        annotator = self._cell(row, self.annotator)
        if self.annotator is not None and not annotator:
            self.faults.append(Fault(row.line, self.annotator, EMPTY))
        elif self.judgements.setdefault((place, annotator), judged) is not judged:
            by = f" by {annotator}" if annotator else ""
            self.faults.append(Fault(row.line, self.column[PEOPLE], f"{item} already has an answer{by}"))
        if self.drawn is None:
            return
        known = len(self.faults)
        value = _probability(row, self.drawn, self.faults)
        if len(self.faults) == known and self.probability.setdefault(place, value) != value:
            self.faults.append(Fault(row.line, self.drawn, f"{item} has a different probability on an earlier line"))

    def incomplete(self) -> list[Fault]:
        """Return an error for each question that an annotator has judged only in part, or whose items have different
        probabilities."""
        items = Counter(self.question)
        judged = Counter((self.question[place], annotator) for place, annotator in self.judgements)
        faults = [
            Fault(None, PEOPLE, f"the question {question} has {items[question]} items, but only {count} have an answer")
            for (question, _), count in judged.items()
            if count < items[question]
        ]
        drawn = {(self.question[place], value) for place, value in self.probability.items()}
        several = Counter(question for question, _ in drawn)
        return faults + [
            Fault(None, PROBABILITY, f"the items of {question} have different probabilities")
            for question, count in several.items()
            if count > 1
        ]

    def table(self) -> AssistedTable:
        number = {question: place for place, question in enumerate(dict.fromkeys(self.question))}
        program, *systems = (list(answers) for answers in zip(*self.answers, strict=True))
        return AssistedTable(
            items=list(self.place),
            program=program,
            systems=dict(zip(self.systems, systems, strict=True)),
            question=[number[each] for each in self.question],
            judgements=[(place, annotator, judged) for (place, annotator), judged in self.judgements.items()],
            probability=self.probability,
            has_annotators=self.annotator is not None,
        )

    @staticmethod
    def _cell(row: Row, column: str | None) -> str:
        return "" if column is None else row.values.get(column, "").strip()


def _probability(row: Row, column: str, faults: list[Fault]) -> float:
    """Return a probability above 0 and up to 1, or add an error."""
    cell = row.values.get(column, "").strip()
    try:
        value = read_number(cell)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        faults.append(
            Fault(row.line, column, f"“{cell[:40]}” is not a probability above 0 and up to 1{decimal_hint(cell)}")
        )
    return value
