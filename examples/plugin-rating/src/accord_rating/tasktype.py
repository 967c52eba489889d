"""The task type: annotators rate items on scales with named anchors, or put them in an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from accord_core.numerics.gold_measures import RIGHT, Ratio, Ratios
from accord_rating import answer, columns, design, exports, files, report, texts
from accord_rating.options import OPTIONS, check_options, scales_of
from annotate.tasktypes import (
    AnswerPart,
    Design,
    Elicitation,
    Export,
    FileColumn,
    Grade,
    ItemDraft,
    ItemsRead,
    Methods,
    Option,
    Outcome,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Reports,
    StudyData,
    TaskType,
)

Options = Mapping[str, Any]
NEAR = Ratio(("near",), ("parts",))


class Rating(TaskType):
    """Payloads have the form {"items": [key, …], "context": text}. Payloads of gold questions from a file have the form
    {"texts": [text, …], "context": text}. `accord_rating.answer` describes the stored values.
    """

    slug: ClassVar[str] = "rating"
    name: ClassVar[str] = "Rating and ranking"
    purpose: ClassVar[str] = "rate texts on scales, or put them in an order"
    asks: ClassVar[str] = "{ask}"
    in_setup: ClassVar[str] = "mode"
    module: ClassVar[str] = "rating/question.js"
    guide: ClassVar[str] = "rating"
    options: ClassVar[Sequence[Option]] = OPTIONS
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of gold questions answered as expected",
        "parts": "share of expected ratings, or of pairs of items in the expected order",
    }
    measure_ratios: ClassVar[Mapping[str, Ratios]] = {"accuracy": (RIGHT,), "parts": (NEAR,)}
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 5, "questions_per_hit": 5, "gold_block": 5}
    guidelines: ClassVar[str] = texts.GUIDELINES
    items_help: ClassVar[str] = (
        "Import a file with the columns `id` and `text`. Items with the same value in the column `set` are shown "
        "together, below the text in the column `context`. All other columns are stored as metadata."
    )
    item_columns: ClassVar[Sequence[FileColumn]] = files.ITEM_COLUMNS
    arrangements: ClassVar[Sequence[Sequence[str]]] = (("text",), ("id", "text"))
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report},
        headline=report.HEADLINE,
        explanations=texts.EXPLANATIONS,
        figures=texts.FIGURES,
        pages={"": "accord_rating.console:summary"},
        label_sets=report.label_sets,
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    batch: ClassVar[bool] = True

    def clean_options(self, raw: Options) -> dict[str, Any]:
        options = super().clean_options(raw)
        check_options(options)
        return options

    # ── files and questions ───────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Options, limits: Mapping[str, int]) -> ItemsRead:
        return files.read_items(data, name, options, limits)

    def gold_columns(self, options: Options) -> Sequence[FileColumn]:
        return files.gold_columns(options)

    def read_gold(self, data: bytes, name: str, options: Options, items: Mapping[str, ItemDraft]) -> QuestionsRead:
        return files.read_gold(data, name, options)

    def build_questions(self, items: Sequence[ItemDraft], options: Options, seed: int, progress: Progress) -> Design:
        return design.build(items, options, seed)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Options, seed: int
    ) -> list[QuestionDraft]:
        return design.candidates(items, taken, count, options, seed)

    def item_keys(self, payload: Any) -> Sequence[str]:
        return list(payload.get("items", ()))

    def keys_on_screen(self, payload: Any, shown: Any) -> Sequence[str]:
        return answer.to_screen(self.item_keys(payload), shown) if "items" in payload else []

    def shuffle(self, payload: Any, generator: np.random.Generator) -> list[int]:
        order: list[int] = generator.permutation(answer.count_of(payload)).tolist()
        return order

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Options) -> dict[str, Any]:
        on_screen = answer.to_screen(texts_of(payload, items), shown)
        return {"context": payload["context"], "texts": on_screen, **self.present_shared(options)}

    def present_shared(self, options: Options) -> dict[str, Any]:
        scales = [scale.as_json() for scale in scales_of(options)]
        return {"ask": options["ask"], "scales": scales, "ties": options["ties"]}

    def features(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Options) -> dict[str, float]:
        shown_texts = texts_of(payload, items)
        return {"items": len(shown_texts), "characters": sum(map(len, [payload["context"], *shown_texts]))}

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Options) -> dict[str, Any]:
        return answer.clean_answer(payload, shown, raw, options)

    def reveal(self, payload: Any, shown: Any, value: Any) -> dict[str, Any]:
        return answer.reveal_answer(shown, value)

    def grade(self, payload: Any, gold: Any, value: Any, options: Options) -> Grade:
        return answer.grade(gold, value, options)

    def missed(self, payload: Any, gold: Any) -> Grade:
        return answer.missed(gold)

    def alike(self, payload: Any, one: Any, other: Any, options: Options) -> float:
        return answer.alike(one, other, options)

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        return report.outcomes(data)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, Any],
        options: Options,
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, Any]:
        return answer.simulate_answer(payload, shown, truth, options, careless, generator)

    # ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────
    def in_words(self, payload: Any, shown: Any, value: Any, options: Options) -> str:
        return answer.in_words(answer.reveal_answer(shown, value), options)

    def question_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return [text for text in (payload["context"], *texts_of(payload, contents)) if text]

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Options
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        return texts.differing_parts(given, expected, texts_of(payload, contents), options)

    def describe_measure(self, measure: str) -> str:
        if measure == "parts":
            return _("share of your ratings or pairs in check questions that are as expected")
        return _("share of check questions that you answered as expected")

    def elicitation(self, options: Options) -> Elicitation:
        return texts.elicitation(options)

    def methods(self, facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
        return texts.methods(result)


def texts_of(payload: Any, contents: Mapping[str, Any]) -> list[str]:
    """Return the texts of a question in the order of the payload."""
    return payload["texts"] if "texts" in payload else [contents[key]["text"] for key in payload["items"]]
