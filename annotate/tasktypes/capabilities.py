"""The optional capabilities of a task type: reports, exports, system scores and console pages.

A function that needs Django is named by its dotted path, such as `colours.console.report:summary`, and is imported only
when it is called. A task type can therefore be used from the command line without a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from accord_core.evaluation.measure import Difference
from accord_core.exchange.arrays import Columns, read_json_array
from annotate.tasktypes.options import Option

from .by_group import BATCHES, LabelSet, figures_by_group
from .data import StudyData
from .drafts import Progress
from .explanations import Explanation
from .figure_tables import FigureTable
from .figures import Evaluation, ReportResult
from .row_fields import Lines, Rows
from .targets import TargetFigure

if TYPE_CHECKING:
    from annotate.models import Report, Study

Json = Any
Calculate = Callable[[Columns, Mapping[str, Json], int, Progress], ReportResult]
"""A function that takes the columns, the parameters, the seed and a progress callback. The same arguments must always
give exactly the same result.
"""

RESULTS, PROGRESS, ROUND = "results", "progress", "round"


@dataclass(frozen=True)
class Shown:
    """A page in a report. The template extends `results/report.html` and fills its `part` block."""

    template: str
    context: dict[str, Any]


@dataclass(frozen=True)
class Reports:
    """A task type's reports.

    `columns` converts a study to arrays, which are stored with each report. `kinds` maps each kind of report to the
    function that calculates it from these arrays alone. A task type needs the kind `results`; the kind `progress` is a
    quick report on an open study. `headline` names the main figure, and the console reserves space for it before the
    first report. `pages` maps the slug of each page of a report to the dotted path of a function of (study, report,
    query) that returns `Shown`, or None if the page does not exist. The slug of the first page is empty. Without a
    first page, the console lists all figures and tables. `explanations` describes the figures, and templates show an
    explanation with `{% explain "name" %}`. The explanation with the name `headline` describes the main figure.
    `figures` lists the figures that a comparison of two reports shows, and `targets` the figures for which a study can
    have a target. `ranking` is the dotted path of a function of (study, report) that returns the `Ranking` of a shared
    report. `label_sets` returns the labels whose agreement is calculated by group of annotators.
    """

    columns: Callable[[StudyData], Columns]
    kinds: Mapping[str, Calculate]
    headline: str = ""
    pages: Mapping[str, str] = field(default_factory=dict)
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    figures: Sequence[FigureTable] = ()
    targets: Sequence[TargetFigure] = ()
    ranking: str = ""
    label_sets: Callable[[Columns], Sequence[LabelSet]] | None = None

    @property
    def on_request(self) -> list[str]:
        """The kinds of reports that can be requested by name. The kind `round` is not among them, because rounds need
        the permission to add judgements and have their own page and API operation.
        """
        return [kind for kind in self.kinds if kind != ROUND]

    def calculate(
        self, kind: str, columns: Columns, parameters: Mapping[str, Json], seed: int, progress: Progress
    ) -> dict[str, Json]:
        """Return a report's result in its stored format."""
        return self.kinds[kind](columns, parameters, seed, progress).as_json()

    def by_group(self, columns: Columns, seed: int) -> dict[str, Json] | None:
        """Return the figures by group of annotators, or None without groups, whole batches or labels."""
        if self.label_sets is None or BATCHES not in columns or not len(read_json_array(columns["names"])):
            return None
        return figures_by_group(self.label_sets(columns), columns, seed)

    def show(self, study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
        """Return a page of a report, or None if the task type does not have this page."""
        path = self.pages.get(page)
        shown: Shown | None = resolve(path)(study, report, query) if path else None
        return shown


@dataclass(frozen=True)
class Rounds:
    """The adaptive rounds of a task type, with questions chosen from the answers so far.

    The task type has a report of kind `round`, which chooses the questions. Its parameters are the number `questions`
    of questions and the number `round` of the round. Its result contains a list `questions` with the payloads of new
    questions, each of which is judged once, or a list `again` with the refs of existing questions, which get
    `judgements_each` further judgements. The result also contains a list `checks`. Without questions, the result
    contains the `reason`. `per_item` is the suggested number of questions per item of the study. `choice` describes in
    one sentence how the questions are chosen, and `results` how reports treat the answers. `gain` states what
    simulations have shown.
    """

    choice: str
    results: str
    gain: str
    per_item: float = 0.5


# The groups of files on the page Files, in their order.
RESULT_FILES, ANSWER_FILES, OTHER_FORMATS = "Results", "Questions and answers", "Formats of other programs"
FILE_GROUPS = (RESULT_FILES, ANSWER_FILES, OTHER_FORMATS)


@dataclass(frozen=True)
class Export:
    """A file that researchers can download. `note` describes the information that the format cannot represent.

    `write` receives the study and, if `needs_report` is set, the latest results; it yields the bytes of the file.
    `item_column` names the column with the key of the item, if the file is a table with one item in each row. Releases
    add the column `split` to these tables. `header` is false for tables whose first line contains data. `group` is one
    of `FILE_GROUPS`. `of_columns` writes the same file from a report's columns alone, so that reports contain it.
    `rows` describes the rows, objects or lines of the file. A file without it is described only as a whole.
    """

    filename: str
    content_type: str
    description: str
    write: Callable[[StudyData, Mapping[str, Json] | None], Iterable[bytes]]
    needs_report: bool = False
    note: str = ""
    item_column: str = ""
    header: bool = True
    group: str = RESULT_FILES
    of_columns: Callable[[Columns], Iterable[bytes]] | None = None
    rows: Rows | Lines | None = None


class SystemFile(NamedTuple):
    """A system's file, with the values of its options."""

    system: str
    filename: str
    content: bytes
    parameters: Mapping[str, Json]


@dataclass(frozen=True)
class Systems:
    """The interface for scoring systems on a study.

    `help` describes the file of a system in one line of Markdown, and `options` are further fields of its form. If the
    form of a study differs, `options_of` returns its fields from the study's options.
    `measures` explains names in the table of scores in one line of Markdown.
    `evaluate(data, file, parameters)` scores a file. Its parameters are the options' values, the file's `name`, `seed`
    and `resamples`: with 0 resamples, the score has no intervals. `compare(data, (file, other), parameters)` compares
    two systems; its parameters have `names` instead of `name`, and `permutations`. Both functions raise `TableError`
    with the errors in a file.

    `assisted` is the dotted path of a function of (people, program, files) that returns program-assisted figures as
    JSON: `figures`, `ranks`, `questions`, `judged` and `left_out`, the systems that have none. `people` is the study's
    data, and `program` the same data with a program's answers to all questions. A task type without it has no option
    `people_share`.
    """

    help: str
    evaluate: Callable[[StudyData, bytes, Mapping[str, Json]], Evaluation]
    compare: Callable[[StudyData, tuple[bytes, bytes], Mapping[str, Json]], Sequence[Difference]] | None = None
    options: Sequence[Option] = ()
    measures: str = ""
    options_of: Callable[[Mapping[str, Json]], Sequence[Option]] | None = None
    assisted: str = ""


@dataclass(frozen=True)
class Panel:
    """A console page added to studies by an application, at the path `<study>/x/<slug>/`.

    `view` is a function of (request, study), or its dotted path. All members can open the page. Only members whose role
    allows `post` (`look`, `review`, `manage` or `own`) can submit its forms.

    The page is a tab of a `place` of the study: `data`, `people`, `review`, `results` or `settings`. Two kinds of pages
    have no tab: a page that `adds_data`, because *Add data* leads to it, and a page `under` another page, given by its
    slug. Both pages show its `text`, one line such as “Each file has one sentence per line.”, beside the link.
    """

    slug: str
    title: str
    view: str | Callable[..., Any]
    post: str = "manage"
    place: str = "data"
    adds_data: bool = False
    under: str = ""
    text: str = ""
    only_in_draft: bool = False  # whether the page disappears when the study is opened
    guide: str = ""  # the page's guide in `docs/`, such as `systems` or `formats#systems`. By default the task type's

    def respond(self, request: Any, study: Study) -> Any:
        """Return the response to a request for this console page."""
        view = resolve(self.view) if isinstance(self.view, str) else self.view
        return view(request, study)


def resolve(path: str) -> Callable[..., Any]:
    """Import and return the function at a dotted path such as `colours.console.report:summary`."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def no_columns(data: StudyData) -> Columns:
    """Return an empty set of columns, for a task type without reports."""
    return {}


NO_REPORTS = Reports(no_columns, {})
Generator = np.random.Generator
