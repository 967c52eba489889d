"""The paraphrase-in-context task type: annotators decide for each candidate whether it can replace a phrase (Pavlick et
al., 2015).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from accord_core.exchange.json_lists import is_task_list
from accord_core.numerics.gold_measures import Ratios
from accord_core.paraphrase.formats.items import ONE_DOMAIN
from accord_core.paraphrase.formats.phrases import in_parts
from accord_core.paraphrase.numerics.worker_accuracy import MEASURES
from annotate.tasktypes import (
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
    LikelyErrors,
    Mark,
    Methods,
    Option,
    Outcome,
    Panel,
    PaperFigure,
    Planning,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Reports,
    Rounds,
    StudyData,
    Systems,
    TaskType,
)
from paraphrase import columns, design, evaluate, exports, grading, headline, report, rounds
from paraphrase.answer import candidates, clean_answer, in_words, marks, order_on_screen, votes_on_screen
from paraphrase.description import describe_measure, differing_parts, question_texts
from paraphrase.elicitation import ELICITATION
from paraphrase.errors import ERRORS
from paraphrase.explanations import EXPLANATIONS
from paraphrase.figure_tables import FIGURES
from paraphrase.gold import COLUMNS as GOLD_COLUMNS
from paraphrase.gold import draw_candidates, read_gold
from paraphrase.guidelines import GUIDELINES, WORKED_EXAMPLES
from paraphrase.items import ARRANGEMENTS, COLUMNS, read_items
from paraphrase.json_formats import FORMATS
from paraphrase.methods import methods
from paraphrase.options import OPTIONS
from paraphrase.outcomes import outcomes
from paraphrase.paper_figures import paper_figures
from paraphrase.planning import PLANNING
from paraphrase.simulation import careless_answers, simulate_answer
from paraphrase.targets import TARGETS


class ParaphraseInContext(TaskType):
    """The task type. Payloads have the form {"item": key, "paraphrases": […]}. Payloads of quality-control questions
    have the form {"content": {…}, "synonyms": n}, where n is the number of synonyms. The first n candidates are the
    known synonyms.

    A stored value is {"votes": [true or false for each candidate]} in the payload's order.
    """

    slug: ClassVar[str] = "paraphrase"
    name: ClassVar[str] = "Paraphrase in context"
    purpose: ClassVar[str] = "judge whether phrases can replace a phrase in a sentence"
    asks: ClassVar[str] = "Which of these words could replace the marked words in this sentence?"
    module: ClassVar[str] = "paraphrase/dist/paraphrase.js"
    filled_in: ClassVar[Mapping[str, str]] = {"domain": ONE_DOMAIN}
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
            "": "paraphrase.console.report:summary",
            "labels": "paraphrase.console.labels:labels",
            "domains": "paraphrase.console.domains:domains",
        },
        ranking="paraphrase.console.labels:shared_ranking",
        label_sets=columns.label_sets,
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    likely_errors: ClassVar[LikelyErrors] = ERRORS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    agreement: ClassVar[AnswerAgreement] = grading.AGREEMENT
    planning: ClassVar[Planning] = PLANNING
    rounds: ClassVar[Rounds] = rounds.ROUNDS
    panels: ClassVar[Sequence[Panel]] = (
        Panel(
            "quality-control",
            "Quality control",
            "paraphrase.console.quality_control:quality_control",
            adds_data=True,
            text="Draw questions with known answers from WordNet.",
            guide="paraphrase#quality-control",
        ),
        Panel(
            "phrases",
            "Find phrases",
            "paraphrase.console.two_files:items_from_two_files",
            adds_data=True,
            text="Find phrases of a paraphrase table in your own sentences.",
        ),
    )
    batch: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of candidates judged as expected",
        "balanced": "balanced accuracy",
    }
    measure_ratios: ClassVar[Mapping[str, Ratios]] = MEASURES
    rule_help: ClassVar[str] = (
        "Only quality-control candidates count towards the accuracy. With three synonyms and three random words, an "
        "annotator who chooses all candidates or none is right about half of the candidates, and so passes a rule with "
        "a pass mark of .5. With more synonyms, an annotator who chooses all candidates would pass too easily. "
        "Balanced accuracy is the mean of the shares of synonyms chosen and random words rejected. Annotators who "
        "choose all candidates or none always have a balanced accuracy of one half, so a pass mark of .51 stops them."
    )
    # The paper uses five judgements per question and one quality-control question per HIT. Annotators whose accuracy is
    # below one half after ten HITs are stopped.
    settings: ClassVar[Mapping[str, Any]] = {
        "judgements": 5,
        "questions_per_hit": 3,
        "gold_block": 3,
        "rule_unit": "hits",
        "rule_minimum": 10,
        "rule_threshold": "0.5",
    }
    guide: ClassVar[str] = "paraphrase"
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    items_help: ClassVar[str] = (
        "Import a table with the columns `sentence`, `phrase` and `paraphrases`. Paraphrases are separated by `|` or "
        "`;`, or in columns of their own. The columns `id`, `domain` and `start` are optional. `start` is the "
        "character at which the phrase begins, counted from 0, and is needed only if the phrase occurs several times. "
        "All other columns become metadata. You can also import Label Studio tasks in JSON format."
    )
    item_columns: ClassVar[Sequence[FileColumn]] = COLUMNS
    arrangements: ClassVar[Sequence[Sequence[str]]] = ARRANGEMENTS
    options: ClassVar[Sequence[Option]] = OPTIONS

    def reviewers_decide(self, options: Mapping[str, Any], judgements: int) -> bool:
        """Reviewers decide ties. Only with two judgements is every disagreement a tie."""
        return options["ties"] == "adjudicate" and judgements == 2

    def methods(self, facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
        return methods(facts, result)

    def paper_figures(self, result: Mapping[str, Any]) -> Sequence[PaperFigure]:
        return paper_figures(result)

    def elicitation(self, options: Mapping[str, Any]) -> Elicitation:
        return ELICITATION

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def is_table(self, text: bytes, name: str) -> bool:
        return not is_task_list(text)

    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        return read_items(data, name, options, limits)

    def gold_columns(self, options: Mapping[str, Any]) -> Sequence[FileColumn]:
        return GOLD_COLUMNS

    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        return read_gold(data, name)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Design:
        return design.build(items, seed, progress)

    def extend_questions(
        self,
        new: Sequence[ItemDraft],
        old: Sequence[ItemDraft],
        data: StudyData,
        options: Mapping[str, Any],
        seed: int,
        progress: Progress,
    ) -> Design:
        return design.extend(new, old, seed, progress)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        return draw_candidates(items, taken, count, seed)

    def item_keys(self, payload: Any) -> Sequence[str]:
        """Return the key of a question's item. A quality-control question contains its own sentence and does not refer
        to an item.
        """
        return [payload["item"]] if "item" in payload else []

    def item_texts(self, content: Any) -> Sequence[str]:
        """Return the sentence and the phrase. A phrase has the same candidates in all of its sentences."""
        return [content["sentence"], content["phrase"]]

    def shuffle(self, payload: Any, generator: np.random.Generator) -> list[int]:
        """Return the indexes of the candidates in the payload, in screen order."""
        order: list[int] = generator.permutation(len(candidates(payload))).tolist()
        return order

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sentence in three parts, so that browsers do not need to count characters, and the candidates in
        screen order.
        """
        content = payload["content"] if "content" in payload else items[payload["item"]]
        before, phrase, after = in_parts(content)
        texts = candidates(payload)
        on_screen = [texts[index] for index in order_on_screen(payload, shown)]
        return {"before": before, "phrase": phrase, "after": after, "candidates": on_screen}

    def features(
        self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]
    ) -> dict[str, float]:
        question = self.present(payload, shown, items, options)
        texts = question["candidates"]
        return {
            "candidates": len(texts),
            "characters per candidate": sum(map(len, texts)) / max(len(texts), 1),
            "characters in the phrase": len(question["phrase"]),
            "characters in the sentence": len(question["before"] + question["phrase"] + question["after"]),
        }

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, list[bool]]:
        return clean_answer(payload, shown, raw)

    def reveal(self, payload: Any, shown: Any, value: Any) -> dict[str, list[bool]]:
        return votes_on_screen(payload, shown, value)

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        return grading.grade(gold, value)

    def missed(self, payload: Any, gold: Any) -> Grade:
        return grading.missed(gold)

    def alike(self, payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
        return grading.alike(one, other)

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        return outcomes(data)

    def choices(self, payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> Sequence[Choices]:
        return grading.choices(values)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, float],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, list[bool]]:
        return simulate_answer(payload, shown, truth, careless, generator)

    def careless_answers(
        self, payload: Any, options: Mapping[str, Any], generator: np.random.Generator
    ) -> Mapping[str, Sequence[Any]]:
        return careless_answers(len(candidates(payload)), generator)

    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        return grading.needs_more(data)

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Any) -> list[str]:
        before, phrase, after = in_parts(content)
        return [f"{before}[{phrase}]{after}", ", ".join(content["paraphrases"])]

    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        return in_words(payload, shown, value)

    def marks(self, payload: Any, value: Any, options: Mapping[str, Any]) -> Sequence[Mark]:
        return marks(payload, value)

    # ── texts for annotators ──────────────────────────────────────────────────────────────────────────────────────
    def question_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return question_texts(payload, contents)

    def place_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return candidates(payload)

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        return differing_parts(payload, given, expected)

    def describe_measure(self, measure: str) -> str:
        return describe_measure(measure)
