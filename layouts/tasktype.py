"""The task type for layouts of Mechanical Turk projects, in which annotators fill in the researcher's own HTML form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from accord_core.layouts.formats.fields import TEXT, Field
from accord_core.numerics.gold_measures import Ratios
from annotate.tasktypes import (
    GUESSER,
    GUESSES,
    AnswerPart,
    Choices,
    Design,
    Elicitation,
    Export,
    FileColumn,
    Formats,
    Grade,
    ItemDraft,
    ItemsRead,
    LikelyErrors,
    Methods,
    Option,
    Outcome,
    Panel,
    PaperFigure,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Reports,
    StudyData,
    Systems,
    TaskType,
)
from layouts import columns, design, exports, gold, grading, report, rows
from layouts.answer import clean_answer
from layouts.archive import read_archived
from layouts.description import answer_in_words, describe_measure, differing_fields
from layouts.elicitation import elicitation
from layouts.errors import ERRORS
from layouts.explanations import EXPLANATIONS
from layouts.figure_tables import FIGURES
from layouts.guidelines import GUIDELINES
from layouts.json_formats import FORMATS
from layouts.methods import methods
from layouts.options import OPTIONS, check_options, faults_for_columns, hosts_of, layout_of, placeholders
from layouts.outcomes import outcomes
from layouts.paper_figures import paper_figures
from layouts.simulation import first_options, simulate_answer
from layouts.systems import SYSTEMS
from layouts.targets import TARGETS

Options = Mapping[str, Any]


class MechanicalTurkLayout(TaskType):
    """The task type. Payloads have the form {"item": key, "choices": {column: cell}}, with the cells that the choices
    of fields depend on. Payloads of gold questions from a file have the form {"content": {column: cell}}.

    A stored value is {"fields": {name: value}}.
    """

    slug: ClassVar[str] = "layout"
    name: ClassVar[str] = "Mechanical Turk layout"
    purpose: ClassVar[str] = "answer the questions of your own form"
    asks: ClassVar[str] = "{heading}"
    needed: ClassVar[str] = "layout"
    module: ClassVar[str] = "layouts/dist/layouts.js"
    formats: ClassVar[Formats] = FORMATS
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report},
        headline=report.HEADLINE,
        explanations=EXPLANATIONS,
        figures=FIGURES,
        targets=TARGETS,
        pages={"": "layouts.console.report:summary"},
        label_sets=report.label_sets,
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    likely_errors: ClassVar[LikelyErrors] = ERRORS
    systems: ClassVar[Systems] = SYSTEMS
    panels: ClassVar[Sequence[Panel]] = (
        Panel("layout", "Layout", "layouts.console.layout:layout_panel", place="settings", guide="layouts"),
    )
    site_urls: ClassVar[str] = "layouts.urls"
    reads_archives: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, str]] = grading.MEASURES
    measure_ratios: ClassVar[Mapping[str, Ratios]] = grading.RATIOS
    # A HIT in a Mechanical Turk project is one row of the batch.
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 3, "questions_per_hit": 5, "gold_block": 5}
    guide: ClassVar[str] = "layouts"
    guidelines: ClassVar[str] = GUIDELINES
    items_help: ClassVar[str] = (
        "Import the project's batch file, which must have a column for each placeholder in the layout. The column `id` "
        "is optional. Items with `yes` in the column `gold_only` are used only for gold and practice questions. A "
        "results file also works: each HIT becomes one item."
    )
    item_columns: ClassVar[Sequence[FileColumn]] = rows.COLUMNS
    cell_limit: ClassVar[int] = 50_000  # batches contain documents and HTML
    options: ClassVar[Sequence[Option]] = OPTIONS
    details_disagree: ClassVar[bool] = False  # comments need no decision

    def clean_options(self, raw: Options) -> dict[str, Any]:
        """Check the layout and the hosts. Forms submit different line breaks from files, which must not count as a
        change of the layout.
        """
        options = super().clean_options(raw)
        options["layout"] = options["layout"].replace("\r\n", "\n")
        check_options(options)
        return options

    def faults_for_items(self, options: Options, content: Any) -> Mapping[str, str]:
        return faults_for_columns(options, list(content))

    def warnings_for_options(self, options: Options) -> Sequence[str]:
        return [str(warning) for warning in layout_of(options).warnings]

    def helps_for_items(self, content: Any) -> Mapping[str, str]:
        return {"layout": f"Placeholders: {placeholders(list(content))}."}

    def methods(self, facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
        return methods(result)

    def paper_figures(self, result: Mapping[str, Any]) -> Sequence[PaperFigure]:
        return paper_figures(result)

    def elicitation(self, options: Options) -> Elicitation:
        return elicitation(layout_of(options))

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Options, limits: Mapping[str, int]) -> ItemsRead:
        return rows.read_items(data, name, layout_of(options) if options["layout"] else None, limits)

    def columns_of_items(self, options: Options) -> Sequence[FileColumn]:
        return rows.item_columns(layout_of(options) if options["layout"] else None)

    def gold_columns(self, options: Options) -> Sequence[FileColumn]:
        return gold.gold_columns(layout_of(options))

    def read_gold(self, data: bytes, name: str, options: Options, items: Mapping[str, ItemDraft]) -> QuestionsRead:
        return gold.read_gold(data, name, layout_of(options))

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(self, items: Sequence[ItemDraft], options: Options, seed: int, progress: Progress) -> Design:
        return design.build(items, layout_of(options), hosts_of(options), seed, progress)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Options, seed: int
    ) -> list[QuestionDraft]:
        return gold.draw_candidates(items, taken, count, layout_of(options), seed)

    def item_texts(self, content: Any) -> Sequence[str]:
        """Return the whole row as one text, because cells such as categories or image numbers occur in many rows."""
        return ["\t".join(content.values())]

    def item_keys(self, payload: Any) -> Sequence[str]:
        """Return the item's key. A gold question from a file contains its own cells and does not refer to an item."""
        return [payload["item"]] if "item" in payload else []

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Options) -> dict[str, Any]:
        from layouts.policy import frame_url  # imports Django, which the command line must not need

        layout = layout_of(options)
        row = rows.row_of(payload, items)
        return {
            "frame": frame_url(hosts_of(options), scripts=options["scripts"]),
            "html": layout.fill(row),
            "hosts": hosts_of(options),
            "scripts": options["scripts"],
            "fields": [_in_browser(field, row) for field in layout.fields],
            "heading": options["heading"],
        }

    def features(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Options) -> dict[str, float]:
        row = rows.row_of(payload, items)
        return {f"characters in {column}": len(row.get(column, "")) for column in layout_of(options).columns}

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Options) -> dict[str, Any]:
        return clean_answer(layout_of(options), rows.choice_row(payload), raw, scripts=options["scripts"])

    def read_archived(self, payload: Any, cells: Mapping[str, str], options: Options) -> dict[str, Any]:
        return read_archived(layout_of(options), rows.choice_row(payload), cells, scripts=options["scripts"])

    def reveal(self, payload: Any, shown: Any, value: Any) -> Any:
        return value

    def grade(self, payload: Any, gold: Any, value: Any, options: Options) -> Grade:
        fields = {field.name: field for field in layout_of(options).fields}
        return grading.grade(grading.expected_fields(fields, gold, scripts=options["scripts"]), value)

    def missed(self, payload: Any, gold: Any) -> Grade:
        return grading.missed(grading.expected_fields({}, gold, scripts=True))

    def alike(self, payload: Any, one: Any, other: Any, options: Options) -> float:
        return grading.alike(one, other, {field.name for field in layout_of(options).fields if field.kind == TEXT})

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        return outcomes(data)

    def choices(self, payload: Any, values: Sequence[Any], options: Options) -> Sequence[Choices]:
        return grading.choices(layout_of(options).fields_for(rows.choice_row(payload)), values)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, Any],
        options: Options,
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, Any]:
        fields = layout_of(options).fields_for(rows.choice_row(payload))
        key = payload.get("item", "")
        return simulate_answer(fields, key, truth.get(key), careless, generator)

    def careless_answers(
        self, payload: Any, options: Options, generator: np.random.Generator
    ) -> Mapping[str, Sequence[Any]]:
        fields = layout_of(options).fields_for(rows.choice_row(payload))
        guesses = [simulate_answer(fields, "", None, True, generator) for _ in range(GUESSES)]
        return {GUESSER: guesses, "always first option": [first_options(fields)]}

    # ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────
    def in_words(self, payload: Any, shown: Any, value: Any, options: Options) -> str:
        return answer_in_words(value)

    def question_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return list(rows.row_of(payload, contents).values())

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Options
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        return differing_fields(given, expected)

    def describe_measure(self, measure: str) -> str:
        return describe_measure(measure)


def _in_browser(field: Field, row: Mapping[str, str]) -> dict[str, Any]:
    """Return the data about a field for the frame. A list of choices in a single attribute is split only here, when the
    row is known."""
    known: dict[str, Any] = {"name": field.name, "kind": field.kind, "required": field.required}
    if field.listed:
        known["choices"] = [choice.value for choice in field.for_row(row).choices]
    return known
