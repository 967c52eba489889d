"""The best–worst scaling task type: annotators choose the best and the worst of a few items (STR-2021 §2.2, §3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from annotate.tasktypes import (
    GUESSER,
    AnswerAgreement,
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
    Mark,
    Methods,
    Option,
    Outcome,
    Panel,
    PaperFigure,
    PersonFigure,
    Planning,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Reports,
    Rounds,
    StudyData,
    StudyTexts,
    Systems,
    TaskType,
)
from bws import columns, design, evaluate, exports, grading, headline, report, rounds
from bws.answer import all_answers, clean_answer, in_words, keys_on_screen, marks, positions_of
from bws.description import answer_parts, describe_measure
from bws.elicitation import elicitation
from bws.explanations import EXPLANATIONS
from bws.figure_tables import FIGURES
from bws.gold import columns_of, draw_candidates, read_gold
from bws.guidelines import GUIDELINES, WORKED_EXAMPLES
from bws.items import ARRANGEMENTS, COLUMNS, read_items, sentences
from bws.json_formats import FORMATS
from bws.methods import methods
from bws.options import OF_TEXTS, OPTIONS, options_for
from bws.outcomes import outcomes
from bws.paper_figures import paper_figures
from bws.planning import PLANNING
from bws.simulation import simulate_answer
from bws.targets import TARGETS


class BestWorstScaling(TaskType):
    slug: ClassVar[str] = "bws"
    name: ClassVar[str] = "Best–worst scaling"
    purpose: ClassVar[str] = "choose the best and the worst of a few texts or pairs"
    asks: ClassVar[str] = "Which {noun} is {most}, and which is {least}?"
    module: ClassVar[str] = "bws/dist/bws.js"
    formats: ClassVar[Formats] = FORMATS
    checks_only_new_items: ClassVar[bool] = False
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report, "round": rounds.choose},
        headline=headline.NAME,
        explanations=EXPLANATIONS,
        figures=FIGURES,
        targets=TARGETS,
        pages={
            "": "bws.console.report:summary",
            "items": "bws.console.items:ranking",
            "analysis": "bws.console.analysis:correlations",
        },
        ranking="bws.console.items:shared_ranking",
        label_sets=columns.label_sets,
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    agreement: ClassVar[AnswerAgreement] = grading.AGREEMENT
    planning: ClassVar[Planning] = PLANNING
    panels: ClassVar[Sequence[Panel]] = (
        Panel(
            "pairs",
            "Make pairs from your own texts",
            "bws.sampling.console:sampling_panel",
            adds_data=True,
            text="Accord pairs sentences that share words, so that many pairs are related.",
            only_in_draft=True,
            guide="methods#sampling-pairs",
        ),
    )
    person_figures: ClassVar[Sequence[PersonFigure]] = (
        PersonFigure(
            "maxdiff_reliability",
            "Reliability",
            "the estimated share of the annotator’s judgements that follow the MaxDiff model and are not random.",
            low="maxdiff_reliability_low",
            high="maxdiff_reliability_high",
        ),
    )
    rounds: ClassVar[Rounds] = rounds.ROUNDS
    batch: ClassVar[bool] = True
    balanced: ClassVar[bool] = True
    decisions_count: ClassVar[bool] = False  # scores are calculated from the annotators' answers
    guide: ClassVar[str] = "best-worst"
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    items_help: ClassVar[str] = (
        "Import a table with one column of texts, or with two columns for pairs. Accord numbers the items if the file "
        "has no column `id`. All other columns become metadata. Items with `yes` in the column `gold_only` are used "
        "only for gold and practice questions."
    )
    item_columns: ClassVar[Sequence[FileColumn]] = COLUMNS
    arrangements: ClassVar[Sequence[Sequence[str]]] = ARRANGEMENTS
    options: ClassVar[Sequence[Option]] = OPTIONS
    further_texts: ClassVar[Sequence[StudyTexts]] = (OF_TEXTS,)

    def options_for(self, item: Any, columns: Mapping[str, str], language: str) -> Mapping[str, str]:
        return options_for(item, language)

    def methods(self, facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
        return methods(result)

    def paper_figures(self, result: Mapping[str, Any]) -> Sequence[PaperFigure]:
        return paper_figures(result)

    def elicitation(self, options: Mapping[str, Any]) -> Elicitation:
        return elicitation(options)

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        return read_items(data, name, options, limits)

    def gold_columns(self, options: Mapping[str, Any]) -> Sequence[FileColumn]:
        return columns_of(options["size"])

    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        return read_gold(data, name, options, items)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Design:
        return design.build(items, options, seed, progress)

    def extend_questions(
        self,
        new: Sequence[ItemDraft],
        old: Sequence[ItemDraft],
        data: StudyData,
        options: Mapping[str, Any],
        seed: int,
        progress: Progress,
    ) -> Design:
        payloads = [question.payload for question in data.questions]
        return design.extend(new, old, payloads, options, seed, progress)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        return draw_candidates(items, taken, count, options, seed)

    def item_keys(self, payload: Any) -> Sequence[str]:
        keys: Sequence[str] = payload["items"]
        return keys

    def shuffle(self, payload: Any, generator: np.random.Generator) -> list[int]:
        """Return the indexes of the items in the payload, in screen order."""
        order: list[int] = generator.permutation(len(payload["items"])).tolist()
        return order

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        on_screen = [{"sentences": sentences(items[key])} for key in keys_on_screen(payload, shown)]
        return {"items": on_screen, **self.present_shared(options)}

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"ask": {"most": options["most"], "least": options["least"], "noun": options["noun"]}}

    def features(
        self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]
    ) -> dict[str, float]:
        lengths = [sum(map(len, sentences(items[key]))) for key in payload["items"]]
        return {
            "items": len(lengths),
            "characters": sum(lengths),
            "characters of the shortest item": min(lengths),
            "characters of the longest item": max(lengths),
        }

    def keys_on_screen(self, payload: Any, shown: Any) -> Sequence[str]:
        return keys_on_screen(payload, shown)

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, str]:
        return clean_answer(payload, shown, raw, options)

    def reveal(self, payload: Any, shown: Any, value: Any) -> dict[str, int]:
        return positions_of(payload, shown, value)

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        return grading.grade(gold, value)

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        return outcomes(data)

    def choices(self, payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> Sequence[Choices]:
        return grading.choices(payload, values)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, float],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, int]:
        return simulate_answer(payload, shown, truth, careless, generator)

    def careless_answers(
        self, payload: Any, options: Mapping[str, Any], generator: np.random.Generator
    ) -> Mapping[str, Sequence[Any]]:
        return {GUESSER: all_answers(payload)}

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        return in_words(payload, shown, value)

    def marks(self, payload: Any, value: Any, options: Mapping[str, Any]) -> Sequence[Mark]:
        return marks(value)

    # ── texts for annotators ──────────────────────────────────────────────────────────────────────────────────────
    def place_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return [" – ".join(sentences(contents[key])) for key in payload["items"]]

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        return answer_parts(given, contents, options), answer_parts(expected, contents, options)

    def describe_measure(self, measure: str) -> str:
        return describe_measure()
