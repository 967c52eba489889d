"""The chunk alignment task type: annotators link matching chunks of two sentences, and give each link a type and a
score (SemEval 2015, 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from django.templatetags.static import static

from accord_core.numerics.gold_measures import RIGHT, Ratio, Ratios
from accord_core.pairs.formats.pairs import is_pair_table
from alignment_ui.chunks import adaptive, columns, design, evaluate, exports, grading, headline, report
from alignment_ui.chunks.answer import clean_answer, in_words, to_pair
from alignment_ui.chunks.description import describe_measure, differing_parts
from alignment_ui.chunks.elicitation import ELICITATION
from alignment_ui.chunks.errors import ERRORS
from alignment_ui.chunks.explanations import EXPLANATIONS
from alignment_ui.chunks.figure_tables import FIGURES
from alignment_ui.chunks.gold import draw_candidates, read_gold
from alignment_ui.chunks.guidelines import GUIDELINES, WORKED_EXAMPLES
from alignment_ui.chunks.items import item_parts, read_items
from alignment_ui.chunks.json_formats import FORMATS
from alignment_ui.chunks.methods import methods
from alignment_ui.chunks.options import OPTIONS
from alignment_ui.chunks.outcomes import outcomes
from alignment_ui.chunks.paper_figures import paper_figures
from alignment_ui.chunks.planning import PLANNING
from alignment_ui.chunks.simulation import read_truth, simulate_answer, without_links
from alignment_ui.chunks.targets import TARGETS
from alignment_ui.pairs.columns import ARRANGEMENTS, EXPLANATION, GOLD_ID, LINKS, PAIR_COLUMNS, guessed_corpus
from alignment_ui.pairs.languages import NAMES, clean_languages, guessed_languages, languages_of, presented_languages
from alignment_ui.pairs.running_text import running_text
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
    Systems,
    TaskType,
)

VISITS = "chunks/dist/visits.js"  # the module that offers likely matches, types and scores


class Chunks(TaskType):
    slug: ClassVar[str] = "chunks"
    decides: ClassVar[bool] = True
    keeping: ClassVar[str] = (
        "The final alignment will be the answer that agrees best with the others, or the first of two."
    )
    truth_texts: ClassVar[bool] = True
    name: ClassVar[str] = "Chunk alignment"
    languages_option: ClassVar[str] = NAMES[0]
    purpose: ClassVar[str] = "link the phrases of two sentences, with type and similarity"
    asks: ClassVar[str] = "Link the matching chunks, and choose a type and a score for each link"
    in_setup: ClassVar[str] = "begin"
    module: ClassVar[str] = "chunks/dist/chunks.js"
    formats: ClassVar[Formats] = FORMATS
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report, "round": adaptive.choose},
        headline=headline.NAME,
        explanations=EXPLANATIONS,
        figures=FIGURES,
        targets=TARGETS,
        pages={
            "": "alignment_ui.chunks.console.report:summary",
            "disagreements": "alignment_ui.chunks.console.disagreements:disagreements",
        },
        ranking="alignment_ui.chunks.console.disagreements:shared_ranking",
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    likely_errors: ClassVar[LikelyErrors] = ERRORS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    agreement: ClassVar[AnswerAgreement] = grading.AGREEMENT
    planning: ClassVar[Planning] = PLANNING
    rounds: ClassVar[Rounds] = adaptive.ROUNDS
    panels: ClassVar[Sequence[Panel]] = (
        Panel(
            "two-files",
            "Import two files",
            "alignment_ui.chunks.console.two_files:two_chunk_files",
            adds_data=True,
            text="Each file has one sentence per line.",
        ),
        Panel(
            "chunk",
            "Import and chunk",
            "alignment_ui.chunks.console.chunking:import_and_chunk",
            adds_data=True,
            text="Accord divides English sentences into chunks, with a CoNLL-U file or a spaCy model on the server. "
            "Otherwise, annotators make the chunks.",
        ),
        Panel(
            "against",
            "Score a file",
            "alignment_ui.chunks.console.scoring:against_a_file",
            post="look",
            place="results",
            under="systems",
            text="The official measures of a file that is not kept as a system.",
        ),
    )
    person_figures: ClassVar[Sequence[PersonFigure]] = (
        PersonFigure(
            "model_precision",
            "Precision",
            "the estimated share of the annotator’s links that are correct, under the model of annotators’ errors.",
            error="model_precision_error",
        ),
        PersonFigure(
            "model_recall",
            "Recall",
            "the estimated share of the correct links that the annotator drew, under the model of annotators’ errors.",
            error="model_recall_error",
        ),
        PersonFigure(
            "model_type_accuracy",
            "Type accuracy",
            "the estimated share of correct types among the annotator’s correct links, under the model of annotators’ "
            "errors.",
            error="model_type_error",
        ),
    )
    batch: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of gold pairs that pass",
        "f1": "mean alignment F1 on gold pairs",
    }
    measure_ratios: ClassVar[Mapping[str, Ratios]] = {
        "accuracy": (RIGHT,),
        "f1": (Ratio(("f1",), ("right", "wrong")),),
    }
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 2, "questions_per_hit": 5}
    guide: ClassVar[str] = "chunks"
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    items_help: ClassVar[str] = (
        "Import a table, or a `.wa` file in the interpretable STS format. The name of a `.wa` file, up to the first "
        "full stop, becomes the name of the dataset. A table needs two columns with sentences, such as `source` and "
        "`target`. Accord separates attached punctuation from words. Chunks can be enclosed in brackets, such as "
        "`[ A cat ] [ sleeps ]`. Rows with `yes` in the column `gold_only` are used only in gold and practice "
        "questions. Chunk alignments can also be imported from Label Studio JSON or WebAnno TSV 3.3. To import two "
        "files with one sentence per line, use the “Import two files” page. To divide English sentences into chunks, "
        "use the “Import and chunk” page."
    )
    item_columns: ClassVar[Sequence[FileColumn]] = (*PAIR_COLUMNS, FileColumn("links"), FileColumn("dataset"))
    arrangements: ClassVar[Sequence[Sequence[str]]] = ARRANGEMENTS
    plain_tabs: ClassVar[bool] = True
    options: ClassVar[Sequence[Option]] = OPTIONS

    def clean_options(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        return super().clean_options(raw) | clean_languages(raw)

    def item_languages(self, options: Mapping[str, Any], language: str) -> Sequence[str]:
        return list(dict.fromkeys(languages_of(options, language)))

    def options_for(self, item: Any, columns: Mapping[str, str], language: str) -> Mapping[str, Any]:
        return {**guessed_languages(columns, language), **guessed_corpus(columns, "dataset")}

    def methods(self, facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
        return methods(facts, result)

    def paper_figures(self, result: Mapping[str, Any]) -> Sequence[PaperFigure]:
        return paper_figures(result)

    def elicitation(self, options: Mapping[str, Any]) -> Elicitation:
        return ELICITATION

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        return read_items(data, name, options, limits)

    def is_table(self, text: bytes, name: str) -> bool:
        return is_pair_table(text, name)

    def gold_columns(self, options: Mapping[str, Any]) -> Sequence[FileColumn]:
        return (GOLD_ID, *PAIR_COLUMNS[1:], LINKS, EXPLANATION)

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

    def question_content(self, payload: Any) -> Any:
        """Return the words, because the initial links also depend on the other rows of the file and on the study."""
        return [payload["source"], payload["target"]]

    def item_keys(self, payload: Any) -> Sequence[str]:
        return [payload["item"]] if "item" in payload else []

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: payload.get(name) for name in ("source", "target", "chunks", "links", "left")}
        # A study from before this option keeps the page without offers.
        offers = static(VISITS) if options.get("offers", False) else ""
        return {**fields, **self.present_shared(options), "offers": offers}

    def features(
        self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]
    ) -> dict[str, float]:
        chunks = payload.get("chunks") or {}
        return {
            "words in the first sentence": len(payload["source"]),
            "words in the second sentence": len(payload["target"]),
            "initial chunks": sum(map(len, chunks.values())),
            "initial links": len(payload.get("links") or ()),
        }

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options and the languages. A page on another host has no room for the module that makes offers."""
        return {"many": options["many"], "f1": options["f1"], "offers": ""} | presented_languages(options)

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        return clean_answer(payload, raw, many_to_many=options["many"])

    def reveal(self, payload: Any, shown: Any, value: Any) -> Any:
        """Return the answer unchanged, including its log, because it already uses screen positions."""
        return value

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        return grading.grade(payload, gold, value, options)

    def missed(self, payload: Any, gold: Any) -> Grade:
        return Grade.of(passed=False, f1=0.0)

    def agreed(self, values: Sequence[Any]) -> Any | None:
        return grading.agreed(values)

    def ignored_by_alike(self, options: Mapping[str, Any]) -> str:
        return "Links between punctuation marks do not count."

    def alike(self, payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
        return grading.alike(payload, one, other, options)

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        return outcomes(data)

    def choices(self, payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> Sequence[Choices]:
        return grading.choices(payload, values)

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

    def read_truth(self, data: bytes, name: str, items: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return read_truth(data, name)

    def careless_answers(
        self, payload: Any, options: Mapping[str, Any], generator: np.random.Generator
    ) -> Mapping[str, Sequence[Any]]:
        return {**super().careless_answers(payload, options, generator), "no links": [without_links(payload)]}

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Any) -> list[str]:
        return [running_text(content["source"]), running_text(content["target"])]

    def item_parts(self, content: Any) -> Mapping[str, Any]:
        return item_parts(content)

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
