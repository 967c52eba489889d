"""The task type of chunk alignment: annotators link matching chunks of two sentences, with a type and a score (SemEval
2015, 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from alignment_ui.chunks import columns, design, evaluate, exports, guidelines_de, headline, report
from alignment_ui.chunks.answer import clean_answer, in_words, to_pair
from alignment_ui.chunks.columns import pair_f1
from alignment_ui.chunks.description import describe_measure, differing_parts
from alignment_ui.chunks.gold import draw_candidates, read_gold
from alignment_ui.chunks.guidelines import GUIDELINES, WORKED_EXAMPLES
from alignment_ui.chunks.items import read_items
from alignment_ui.chunks.numerics.scores import ists_scores
from alignment_ui.chunks.simulation import simulate_answer
from annotate.tasktypes import (
    AnswerPart,
    Design,
    Export,
    Grade,
    ItemDraft,
    ItemsRead,
    Option,
    Panel,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Reports,
    StudyTexts,
    Systems,
    TaskType,
    share_of_graded,
)


class Chunks(TaskType):
    slug: ClassVar[str] = "chunks"
    name: ClassVar[str] = "Chunk alignment"
    module: ClassVar[str] = "chunks/dist/chunks.js"
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report},
        headline=headline.NAME,
        pages={
            "": "alignment_ui.chunks.console.report:summary",
            "disagreements": "alignment_ui.chunks.console.disagreements:disagreements",
        },
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    panels: ClassVar[Sequence[Panel]] = (
        Panel("two-files", "Import two files", "alignment_ui.chunks.console.two_files:two_chunk_files"),
        Panel("against", "Score a file", "alignment_ui.chunks.console.scoring:against_a_file", post="look"),
    )
    batch: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of gold pairs that pass",
        "f1": "mean alignment F1 on gold pairs",
    }
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 2, "questions_per_hit": 5}
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    translated_texts: ClassVar[Mapping[str, StudyTexts]] = {
        "de": StudyTexts(guidelines_de.GUIDELINES, guidelines_de.WORKED_EXAMPLES)
    }
    items_help: ClassVar[str] = (
        "Import a table, or a `.wa` file in the interpretable STS format. The name of a `.wa` file, up to the first "
        "full stop, "
        "becomes the name of the dataset. A table needs the columns `id`, `source` and `target`. Words are "
        "separated by spaces, "
        "and chunks can be enclosed in brackets, such as `[ A cat ] [ sleeps ]`. Rows with `yes` in the column "
        "`gold_only` "
        "are used only for gold and practice questions. To import two files with one sentence per line, use the "
        "page “Import two files”."
    )
    options: ClassVar[Sequence[Option]] = (
        Option(
            "many",
            "Several links per chunk",
            False,
            "boolean",
            locked=True,
            help="If this option is on, chunks are linked many to many, as in the 2016 task, and a chunk without a "
            "link counts as NOALI. If the option is off, chunks are linked one to one, as in the 2015 task, "
            "and annotators mark each "
            "unlinked chunk as NOALI or ALIC.",
        ),
        Option(
            "begin",
            "Initial annotation",
            "chunks",
            "choice",
            (
                ("words", "words only; annotators make the chunks"),
                ("chunks", "chunks, if the file contains them"),
                ("links", "chunks and links, if the file contains them"),
            ),
            locked=True,
            help="Choose this option before you import items, because the option determines what Accord reads from "
            "a `.wa` file.",
        ),
        Option(
            "dataset",
            "Metadata column with the dataset",
            "dataset",
            locked=True,
            help="Reports show the agreement for each value in this column.",
        ),
        Option(
            "f1",
            "Minimum F1 to pass a gold question",
            0.7,
            "number",
            minimum=0.01,
            maximum=1,
            help="F1 compares the links with the expected links and ignores types and scores.",
        ),
    )

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        return read_items(data, name, options, limits)

    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        return read_gold(data, name, options, items)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Design:
        return design.build(items, options, seed)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        return draw_candidates(items, taken, count, options, seed)

    def item_keys(self, payload: Any) -> Sequence[str]:
        return [payload["item"]] if "item" in payload else []

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: payload.get(name) for name in ("source", "target", "chunks", "links", "left")}
        return {**fields, **self.present_shared(options)}

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"many": options["many"], "f1": options["f1"]}

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        return clean_answer(payload, raw, many_to_many=options["many"])

    def reveal(self, payload: Any, shown: Any, value: Any) -> Any:
        """Return the answer unchanged, with its log, because it already uses screen positions."""
        return value

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        """Calculate the F1 of an answer, compared with the expected alignment. An answer passes if its F1 is at least
        the value of the option `f1`.
        """
        expected, drawn = to_pair("", payload, gold), to_pair("", payload, value)
        nothing = not any(link.source and link.target for link in (*expected.links, *drawn.links))
        f1 = 1.0 if nothing else ists_scores([expected], [drawn]).total.figures("f1_ali").f1
        message = _("Agreement between your links and the expected links: %(percent)d%%. The pass mark is %(mark)d%%.")
        percents = {"percent": round(100 * f1), "mark": round(100 * options["f1"])}
        return Grade.of(f1 >= options["f1"], message % percents, f1=f1)

    def missed(self, payload: Any, gold: Any) -> Grade:
        return Grade.of(passed=False, f1=0.0)

    def accuracy(self, tallies: Mapping[str, float], measure: str) -> float | None:
        return share_of_graded(tallies, "f1" if measure == "f1" else "right")

    def agreed(self, values: Sequence[Any]) -> Any | None:
        """Return the common annotation if the annotations of all authors are equal. Their logs can differ."""
        annotations = [{name: value[name] for name in ("chunks", "links", "left")} for value in values]
        pairs = {_comparable(value) for value in values}
        return annotations[0] if len(pairs) == 1 else None

    def alike(self, payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
        """Return the F1 of type and score between two answers, calculated as in the reports."""
        return pair_f1(to_pair("", payload, one), to_pair("", payload, other))

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, Any],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, Any]:
        return simulate_answer(payload, truth.get(payload.get("item", "")), careless, options["many"], generator)

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Any) -> list[str]:
        return [" ".join(content["source"]), " ".join(content["target"])]

    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        return in_words(payload, value)

    # ── texts for annotators ──────────────────────────────────────────────────────────────────────────────────────
    def question_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return self.texts(payload)

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        return differing_parts(to_pair("", payload, given), to_pair("", payload, expected))

    def describe_measure(self, measure: str) -> str:
        return describe_measure(measure)


def _comparable(value: Mapping[str, Any]) -> frozenset[Any]:
    """Return the links and the unlinked chunks of an answer as an unordered set of token numbers, types and scores."""
    chunks = {side: [tuple(chunk) for chunk in value["chunks"][side]] for side in ("source", "target")}
    links = {
        (
            chunks["source"][link["source"]],
            chunks["target"][link["target"]],
            link["type"],
            tuple(link["flags"]),
            link["score"],
        )
        for link in value["links"]
    }
    return frozenset(links | {(one["side"], chunks[one["side"]][one["chunk"]], one["type"]) for one in value["left"]})
