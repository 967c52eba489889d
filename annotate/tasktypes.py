"""What a task type provides, and the registry of those that are installed.

A task type says what an item, a question and an answer *are*. Everything else (allocation, gold, standing, dashboards,
exports, API, audit) is written once in `annotate` and calls the methods below. A new task type is a new application
that registers an instance in its `AppConfig.ready()`; nothing in `annotate` names one.

Plain data goes in and out, so that a task type can be tried without a database; only the pages of its own in the
console, `report_page` and `console_panels`, are given models. `docs/task-types.md` walks through a complete small one.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotate.exchange.faults import Fault

# Part of the contract, and so of this module.
from annotate.options import InvalidOptions as InvalidOptions
from annotate.options import Option as Option
from annotate.options import clean_options

if TYPE_CHECKING:
    from annotate.models import Report, Study

Json = Any
Columns = dict[str, NDArray[Any]]
Progress = Callable[[float, str], None]
Row = TypeVar("Row")


class InvalidAnswer(ValueError):
    """An answer that cannot be taken. `path` names the field of the answer, as in `least`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class CannotBuild(ValueError):
    """There is no design for these items and options; the message says what would help."""


@dataclass(frozen=True)
class ItemDraft:
    key: str
    content: Json
    metadata: dict[str, str] = field(default_factory=dict)
    held_out: bool = False


@dataclass(frozen=True)
class QuestionDraft:
    """A question to be stored. `judgements` overrides how many annotators the study wants for each question."""

    ref: str
    payload: Json
    judgements: int | None = None
    gold: Json = None
    explanation: str = ""


@dataclass(frozen=True)
class ItemsRead:
    items: list[ItemDraft]
    faults: list[Fault]
    warnings: list[Fault]
    columns: list[str]


@dataclass(frozen=True)
class QuestionsRead:
    questions: list[QuestionDraft]
    faults: list[Fault]


@dataclass(frozen=True)
class Design:
    """Questions in the order in which they should go out, and what can be said of their quality.

    `report["checks"]` is a list of {name, value, detail, state: ok|advice|fault}; `report["charts"]` maps
    names to {columns: [counted by, what is counted], rows: [[label, count], …]}.
    """

    questions: list[QuestionDraft]
    report: dict[str, Json]


@dataclass(frozen=True)
class Grade:
    """What grading one answer gave. The tallies of an annotator are summed; `TaskType.accuracy` reads the sums."""

    tally: dict[str, float]
    passed: bool
    message: str = ""


@dataclass(frozen=True)
class AnswerRow:
    """A given answer with all that reports and exports may want to know of it."""

    ref: str
    kind: str
    value: Json
    shown: Json
    pseudonym: str
    hit: int | None
    position: int
    seconds: float | None
    given_at: datetime
    counts: bool
    reason: str
    passed: bool | None
    tally: dict[str, float] | None
    pilot: bool = False
    payload: Json = None  # payload of the question, so that a file can be written row by row


class Stored(Sequence[Row]):
    """Rows that are read from the database with each iteration."""

    @abstractmethod
    def named(self, names: Collection[str]) -> Iterator[Row]:
        """The rows with these keys or refs, in the order of all rows."""


@dataclass(frozen=True)
class StudyData:
    """Everything of a study, as plain rows. `facts` holds title, instructions, options and the like."""

    facts: dict[str, Json]
    items: Sequence[ItemDraft]
    questions: Sequence[QuestionDraft]
    gold: Sequence[QuestionDraft]
    answers: Sequence[AnswerRow]
    hits: Sequence[Sequence[str]] = ()  # refs of each HIT's questions, in the order of the HITs
    decisions: Mapping[str, Json] = field(default_factory=dict)  # what researchers decided, by a question's ref


@dataclass(frozen=True)
class Export:
    """A file that can be downloaded. `write` yields its bytes; `note` says what the format cannot hold."""

    filename: str
    content_type: str
    description: str
    write: Callable[[StudyData, Mapping[str, Json] | None], Iterable[bytes]]
    needs_report: bool = False
    note: str = ""


@dataclass(frozen=True)
class Panel:
    """A page of the task type's own in the console, at `<study>/x/<slug>/`; `view(request, study)` answers it."""

    slug: str
    title: str
    view: Callable[..., Any]


@dataclass(frozen=True)
class Shown:
    """A page of a report: a template that extends `console/report.html` and fills its block `part`, and its context."""

    template: str
    context: dict[str, Any]


@dataclass(frozen=True)
class Mark:
    """What an answer says of one item of its question, as a badge beside it: `ink` stands out before `ochre`."""

    item: str
    label: str
    icon: str = "check"
    tone: str = "ink"


class TaskType(ABC):
    """The contract. Abstract methods must be written; the rest have defaults that fit most task types."""

    slug: ClassVar[str]
    name: ClassVar[str]
    module: ClassVar[str]  # the ES module under static/ that shows a question and reads the answer
    options: ClassVar[Sequence[Option]] = ()
    measures: ClassVar[Mapping[str, str]] = {"accuracy": "share of gold answered as expected"}
    rule_help: ClassVar[str] = ""  # beside the quality rule: what its measure lets pass
    reports: ClassVar[Sequence[str]] = ("results",)
    balanced: ClassVar[bool] = False  # the design balances what stands where: a batch keeps its order
    headline: ClassVar[str] = ""  # the figure that reports lead with, as in "Krippendorff's alpha"; empty: none
    # What a new study begins with: settings by name, and texts in Markdown. All of it can be changed.
    settings: ClassVar[Mapping[str, Json]] = {}
    guidelines: ClassVar[str] = ""
    worked_examples: ClassVar[str] = ""
    items_help: ClassVar[str] = "A file with a header row and a column `id`; further columns are kept as metadata."
    # What a file of somebody's system looks like, a line of Markdown; empty where systems cannot be scored.
    systems_help: ClassVar[str] = ""
    systems_options: ClassVar[Sequence[Option]] = ()

    def begins_with(self) -> dict[str, Json]:
        """Settings of a new study, its instructions and examples among them."""
        return {"instructions": self.guidelines, "examples": self.worked_examples, **self.settings}

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def read_items(self, data: bytes, name: str, options: Mapping[str, Json], limits: Mapping[str, int]) -> ItemsRead:
        """Read a file of items; every fault is named by line and column, and nothing is left out silently."""

    @abstractmethod
    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Json], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        """Read a file of questions whose answers are known (gold or practice)."""

    def clean_options(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Options with defaults filled in and types checked; raises `InvalidOptions`."""
        return clean_options(self.options, raw)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Json], seed: int, progress: Progress
    ) -> Design:
        """Design the questions; the same input and seed give the same design. Raises `CannotBuild`."""

    @abstractmethod
    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Json], count: int, options: Mapping[str, Json], seed: int
    ) -> list[QuestionDraft]:
        """Draw `count` questions for authors to answer, none of which equals a payload in `taken`."""

    @abstractmethod
    def item_keys(self, payload: Json) -> Sequence[str]:
        """Keys of the items that a question speaks of."""

    def shuffle(self, payload: Json, generator: np.random.Generator) -> Json:
        """What stands where on the screen for one showing; stored with the answer. Nothing is shuffled by default."""
        return []

    @abstractmethod
    def present(
        self, payload: Json, shown: Json, items: Mapping[str, Json], options: Mapping[str, Json]
    ) -> dict[str, Json]:
        """What the browser is told: no keys, no gold. `items` maps keys to contents."""

    def present_shared(self, options: Mapping[str, Json]) -> dict[str, Json]:
        """The part of `present` that is the same for every question; a page that travels carries it once."""
        return {}

    def keys_on_screen(self, payload: Json, shown: Json) -> Sequence[str]:
        """Keys of the question's items in the order in which they are shown."""
        return self.item_keys(payload)

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def clean(self, payload: Json, shown: Json, raw: Json, options: Mapping[str, Json]) -> Json:
        """The stored form of what a browser sent; raises `InvalidAnswer`."""

    @abstractmethod
    def reveal(self, payload: Json, shown: Json, value: Json) -> Json:
        """The inverse of `clean`: a stored value (or a gold one) in the terms of what this annotator saw.

        Here, in `clean` and in `present`, `shown` is empty where nothing was shuffled: an author answers a candidate
        in the question's own order.
        """

    @abstractmethod
    def grade(self, payload: Json, gold: Json, value: Json, options: Mapping[str, Json]) -> Grade:
        """Compare a value with the known answer."""

    def missed(self, payload: Json, gold: Json) -> Grade:
        """The grade of an unanswered gold question, which equals the worst grade. The tallies have the same names as in
        `grade`.
        """
        return Grade({"right": 0, "wrong": 1}, passed=False)

    def accuracy(self, tallies: Mapping[str, float], measure: str) -> float | None:
        """Accuracy in [0, 1] from summed tallies by one of `measures`; None when nothing was graded."""
        graded = tallies.get("right", 0) + tallies.get("wrong", 0)
        return tallies.get("right", 0) / graded if graded else None

    def agreed(self, values: Sequence[Json]) -> Json | None:
        """The answer on which several authors of a candidate gold question agree, else None."""
        return values[0] if values and all(value == values[0] for value in values) else None

    @abstractmethod
    def simulate(
        self, payload: Json, shown: Json, truth: Mapping[str, Json], careless: bool, generator: np.random.Generator
    ) -> Json:
        """A simulated annotator's raw answer; `truth` maps item keys to what is true: numbers in [0, 1], or more."""

    # ── out ───────────────────────────────────────────────────────────────────────────────────────────────────
    @abstractmethod
    def columns(self, data: StudyData, parameters: Mapping[str, Json]) -> Columns:
        """The arrays that a report is computed from; they are kept with it."""

    @abstractmethod
    def report(
        self, kind: str, columns: Columns, parameters: Mapping[str, Json], seed: int, progress: Progress
    ) -> dict[str, Json]:
        """Tables and figures of a report, as JSON; the same arguments give the same digits.

        `judgements` says how many there were; with 0, `reason` may say what is missing. `headline` and `people` are
        read by the console: `docs/task-types.md` has their keys. The rest is the task type's own.
        """

    def exports(self) -> Sequence[Export]:
        return ()

    def texts(self, content: Json) -> list[str]:
        """The texts of an item for a researcher to read and search: every field of its content by default."""
        return [_as_text(part) for part in content.values()] if isinstance(content, Mapping) else [str(content)]

    def alike(self, one: Json, other: Json) -> float:
        """How alike two stored values are, in [0, 1]: the share of their fields that are equal, by default."""
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            fields = one.keys() | other.keys()
            return sum(one.get(name) == other.get(name) for name in fields) / len(fields) if fields else 1.0
        return float(one == other)

    # ── optional hooks ────────────────────────────────────────────────────────────────────────────────────────
    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        """How many further judgements questions want, by ref: to break a tie, or to let a third decide."""
        return {}

    def console_panels(self) -> Sequence[Panel]:
        return ()

    def report_page(self, study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
        """What the console shows of a report of results with judgements; `page` is empty, or a further page's slug.

        None for a page that there is not; for the empty one the console then lists every figure and table plainly.
        """
        return None

    def in_words(self, payload: Json, shown: Json, value: Json, options: Mapping[str, Json]) -> str:
        """A stored value for a researcher to read; `shown` is empty for the question's own order."""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def marks(self, payload: Json, value: Json, options: Mapping[str, Json]) -> Sequence[Mark]:
        """What a stored value says of single items of the question; nothing by default."""
        return ()

    def evaluate(self, data: StudyData, submission: bytes, parameters: Mapping[str, Json]) -> dict[str, Json] | None:
        """Score somebody's system against the study; None where the task type has no such measure.

        `parameters` has the values of `systems_options`, `name` (the file's), `seed`, and `resamples`, on how many of
        which intervals rest: with 0 there are none, which is how a file is checked when it is brought in. What the
        console shows of the result, all plain JSON, the rest being the task type's own:

            measures   [{name, value, low, high, note, lower}]: figures to compare systems by, the leading one first;
                       value is None where undefined, and `note` says why; `lower` is true where less is better
            baselines  [{name, measures}]: what needs no system, in the same measures
            notes      sentences on what was left out
            tables     [{title, columns, rows}] of further figures

        Raises TableError with what is wrong in the file, and where.
        """
        return None

    def compare(
        self, data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Json]
    ) -> list[dict[str, Json]] | None:
        """Whether two systems differ: [{name, value, low, high, p, note}], the first less the second in each measure.

        `parameters` is as in `evaluate`, the files' `names` instead of `name`, and has `permutations`, on how many of
        which p rests. None where the task type does not say.
        """
        return None


def _as_text(part: Json) -> str:
    return " ".join(map(str, part)) if isinstance(part, list) else str(part)


_registry: dict[str, TaskType] = {}


def register(task_type: TaskType) -> None:
    """Make a task type available under its slug; registering another class under it is an error."""
    there = _registry.get(task_type.slug)
    if there is not None and type(there) is not type(task_type):
        raise ValueError(f"two task types are called {task_type.slug!r}: {type(there)} and {type(task_type)}")
    _registry[task_type.slug] = task_type


def get(slug: str) -> TaskType:
    """The task type registered under `slug`."""
    try:
        return _registry[slug]
    except KeyError:
        raise LookupError(f"no task type {slug!r}; installed: {', '.join(sorted(_registry)) or 'none'}") from None


def styles_of(slug: str) -> str:
    """Return the style sheet of a task type: the static file beside its module, with the same name."""
    return get(slug).module.removesuffix(".js") + ".css"


def installed() -> list[TaskType]:
    return [_registry[slug] for slug in sorted(_registry)]
