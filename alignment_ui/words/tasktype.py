"""The word alignment task type: annotators link the corresponding words of two sentences (Cohn, Callison-Burch and
Lapata 2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from accord_core.numerics import draws
from accord_core.numerics.gold_measures import RIGHT, Ratio, Ratios
from accord_core.pairs.formats.pairs import is_pair_table
from alignment_ui.pairs.columns import (
    ARRANGEMENTS,
    EXPLANATION,
    GOLD,
    GOLD_ID,
    PAIR_COLUMNS,
    PREALIGNMENT,
    guessed_corpus,
)
from alignment_ui.pairs.languages import (
    NAMES,
    clean_languages,
    crosses,
    guessed_languages,
    languages_of,
    presented_languages,
)
from alignment_ui.pairs.running_text import running_text
from alignment_ui.words import adaptive, columns, design, evaluate, exports, grading, headline, report, suggesting
from alignment_ui.words.answer import clean_answer, in_words
from alignment_ui.words.description import describe_measure, differing_parts
from alignment_ui.words.elicitation import ELICITATION
from alignment_ui.words.errors import ERRORS
from alignment_ui.words.explanations import EXPLANATIONS
from alignment_ui.words.figure_tables import FIGURES
from alignment_ui.words.gold import draw_candidates, read_gold
from alignment_ui.words.guidelines import ABOUT_TRANSLATIONS, GUIDELINES, WORKED_EXAMPLES
from alignment_ui.words.items import TEXTS, read_items, split_again
from alignment_ui.words.json_formats import FORMATS
from alignment_ui.words.methods import methods
from alignment_ui.words.options import OPTIONS, options_after
from alignment_ui.words.outcomes import outcomes
from alignment_ui.words.paper_figures import paper_figures
from alignment_ui.words.planning import PLANNING
from alignment_ui.words.rounds import chosen_round, start_of
from alignment_ui.words.simulation import diagonal_links, read_truth, simulate_answer
from alignment_ui.words.targets import TARGETS
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
    StudyTexts,
    Systems,
    TaskType,
    Update,
    UpdateTexts,
)
from annotate.tasktypes.tasktype import NO_OPTIONS


class Words(TaskType):
    slug: ClassVar[str] = "words"
    decides: ClassVar[bool] = True
    keeping: ClassVar[str] = "The final alignment will contain the links that more than half of the annotators drew."
    truth_texts: ClassVar[bool] = True
    name: ClassVar[str] = "Word alignment"
    languages_option: ClassVar[str] = NAMES[0]
    purpose: ClassVar[str] = "link the words of two sentences"
    asks: ClassVar[str] = "Link the words that could replace each other"
    in_setup: ClassVar[str] = "prealign"
    module: ClassVar[str] = "words/dist/words.js"
    formats: ClassVar[Formats] = FORMATS
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report, "round": adaptive.choose},
        headline=headline.NAME,
        explanations=EXPLANATIONS,
        figures=FIGURES,
        targets=TARGETS,
        pages={
            "": "alignment_ui.words.console.report:summary",
            "disagreements": "alignment_ui.words.console.disagreements:disagreements",
            "phrases": "alignment_ui.words.console.phrases:phrases",
        },
        ranking="alignment_ui.words.console.disagreements:shared_ranking",
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    likely_errors: ClassVar[LikelyErrors] = ERRORS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    agreement: ClassVar[AnswerAgreement] = grading.AGREEMENT
    planning: ClassVar[Planning] = PLANNING
    rounds: ClassVar[Rounds] = adaptive.ROUNDS
    api_urls: ClassVar[str] = "alignment_ui.words.api"
    panels: ClassVar[Sequence[Panel]] = (
        Panel(
            "two-files",
            "Import two files",
            "alignment_ui.words.console.two_files:two_files",
            adds_data=True,
            text="Each file has one sentence per line.",
        ),
        Panel(
            "phrases",
            "Phrase pairs",
            "alignment_ui.words.console.phrase_review:phrase_review",
            post="review",
            place="review",
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
    )
    batch: ClassVar[bool] = True
    demonstrations: ClassVar[Sequence[str]] = ("alignment_ui.words.demonstration:review_phrases",)
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of gold pairs that pass",
        "f1": "mean F1 on gold pairs",
    }
    measure_ratios: ClassVar[Mapping[str, Ratios]] = {
        "accuracy": (RIGHT,),
        "f1": (Ratio(("f1",), ("right", "wrong")),),
    }
    # HITs are assigned in the same order to all annotators. Therefore, two annotators align all pairs that need two
    # annotations, and divide the remaining pairs between them.
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 2, "order": "hits", "questions_per_hit": 5}
    guide: ClassVar[str] = "alignment"
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    further_texts: ClassVar[Sequence[StudyTexts]] = (ABOUT_TRANSLATIONS,)
    items_help: ClassVar[str] = (
        "Sentence pairs, as a table, JSON Lines or jacana JSON. A table needs two columns with sentences, such as "
        "`source` and `target`, with words separated by spaces. All other columns become metadata, such as the "
        "subcorpus. The column `prealignment` can contain links such as `0-0 1-2`. Rows with `yes` in the column "
        "`gold_only` are used only in gold and practice questions."
    )
    item_columns: ClassVar[Sequence[FileColumn]] = (*PAIR_COLUMNS, PREALIGNMENT, FileColumn("subcorpus"))
    arrangements: ClassVar[Sequence[Sequence[str]]] = ARRANGEMENTS
    plain_tabs: ClassVar[bool] = True
    options: ClassVar[Sequence[Option]] = OPTIONS

    update_texts: ClassVar[UpdateTexts] = UpdateTexts(
        "Suggest initial links again",
        "The built-in aligner learns from the study’s final alignments, and suggests new initial links for all pairs "
        "that annotators have not opened yet. Opened pairs keep their initial links. Do not suggest the links again "
        "after you have published pairs on Mechanical Turk, because Accord cannot change published pages.",
        "Suggest the links again",
    )

    def clean_options(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        return super().clean_options(raw) | clean_languages(raw)

    def asks_with(self, options: Mapping[str, Any], language: str) -> str:
        return "Link the words that translate each other" if crosses(options, language) else self.asks

    def texts_in(self, language: str, options: Mapping[str, Any] = NO_OPTIONS) -> StudyTexts:
        if not crosses(options, language):
            return super().texts_in(language, options)
        return ABOUT_TRANSLATIONS.translated(language)

    def item_languages(self, options: Mapping[str, Any], language: str) -> Sequence[str]:
        return list(dict.fromkeys(languages_of(options, language)))

    def options_for(self, item: Any, columns: Mapping[str, str], language: str) -> Mapping[str, Any]:
        guessed = guessed_languages(columns, language)
        starts = {"prealign": "none"} if crosses(guessed, language) else {}
        return {**guessed, **starts, **guessed_corpus(columns, "subcorpus")}

    def options_after(self, before: Mapping[str, Any], after: Mapping[str, Any], language: str) -> Mapping[str, Any]:
        return options_after(before, after, language)

    def methods(self, facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
        return methods(facts, result)

    def paper_figures(self, result: Mapping[str, Any]) -> Sequence[PaperFigure]:
        return paper_figures(result)

    def elicitation(self, options: Mapping[str, Any]) -> Elicitation:
        return ELICITATION

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        return read_items(data, name, options, limits)

    def read_again(self, content: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        return split_again(content, options)

    def is_table(self, text: bytes, name: str) -> bool:
        return is_pair_table(text, name)

    def gold_columns(self, options: Mapping[str, Any]) -> Sequence[FileColumn]:
        return (GOLD_ID, *PAIR_COLUMNS[1:], GOLD, EXPLANATION)

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
        return design.extend(new, data, options, seed, progress)

    def extends_slowly(self, options: Mapping[str, Any]) -> bool:
        return design.learns(options)

    def updates_unopened(self, options: Mapping[str, Any]) -> bool:
        return design.learns(options)

    def update_unopened(
        self,
        unopened: Sequence[QuestionDraft],
        data: StudyData,
        options: Mapping[str, Any],
        seed: int,
        progress: Progress,
    ) -> Update:
        return suggesting.update_unopened(unopened, data, seed, progress)

    def prepare_gold(
        self, questions: Sequence[QuestionDraft], data: StudyData, learned: Any, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        return suggesting.prepare_gold(questions, data, learned, seed)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        return draw_candidates(items, taken, count, options, seed)

    def question_content(self, payload: Any) -> Any:
        """Return the words, because the initial links also depend on the other rows of the file and on the study."""
        return [payload["source"], payload["target"]]

    def item_keys(self, payload: Any) -> Sequence[str]:
        return [payload["item"]] if "item" in payload else []

    def arrange(self, payload: Any, beside: Sequence[Any], generator: np.random.Generator) -> Any:
        # All annotators of a HIT get the same initial links. Otherwise, annotators who compare their screens could tell
        # gold questions from the others.
        pair = (" ".join(payload["source"]), " ".join(payload["target"]))
        return chosen_round(payload, beside, draws.generator("round of a gold question", *pair))

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        words = {name: payload[name] for name in ("source", "target")}
        # A study from before the option has gold questions without probabilities, which would reveal them.
        start = start_of(payload, shown, probabilities=options.get("doubtful", False))
        return words | {"prealignment": start} | self.present_shared(options)

    def features(
        self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]
    ) -> dict[str, float]:
        first, second = len(payload["source"]), len(payload["target"])
        start = start_of(payload, shown) or {}
        return {
            "words in the first sentence": first,
            "words in the second sentence": second,
            "initial links per word": sum(len(start.get(kind, ())) for kind in ("sure", "possible")) / (first + second),
        }

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options with which a standalone page grades answers without a server, whether the page offers
        likely matches, and the languages.
        """
        shared = {name: options[name] for name in ("f1", "ignore_identical")}
        # A study from before this option keeps the page without offers.
        return shared | {"offers": options.get("offers", False)} | presented_languages(options)

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        return clean_answer(payload, raw)

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
        identical = "Links between identical words do not count. " if options["ignore_identical"] else ""
        possible = "If both answers have sure links, a possible link from only one annotator does not count."
        return f"{identical}{possible} Otherwise, different answers have an agreement of 0."

    def alike(self, payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
        return grading.alike(payload, one, other, options)

    def outcomes(self, data: StudyData) -> Sequence[Outcome]:
        return outcomes(data)

    def choices(self, payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> Sequence[Choices]:
        return grading.choices(payload, values, options)

    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        return grading.needs_more(data)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, Any],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, Any]:
        seen = {**payload, "prealignment": start_of(payload, shown)}
        return simulate_answer(seen, truth.get(payload.get("item", "")), careless, generator)

    def read_truth(self, data: bytes, name: str, items: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return read_truth(data, name, items)

    def careless_answers(
        self, payload: Any, options: Mapping[str, Any], generator: np.random.Generator
    ) -> Mapping[str, Sequence[Any]]:
        return {**super().careless_answers(payload, options, generator), "diagonal links": [diagonal_links(payload)]}

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Any) -> list[str]:
        """Return the original sentences, or their words if only these are stored."""
        return content.get(TEXTS) or [running_text(content["source"]), running_text(content["target"])]

    def item_parts(self, content: Any) -> Mapping[str, Any]:
        source, target = self.texts(content)
        links = {"prealignment": in_words(content, content["prealignment"])} if "prealignment" in content else {}
        return {"source": source, "target": target, **links}

    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        description = in_words(payload, value)
        # The console shows the items of a question. If a pair has no item, the description includes the sentences,
        # because the console cannot show them otherwise.
        return description if "item" in payload else f"“{' – '.join(self.texts(payload))}”: {description}"

    # ── texts for annotators ──────────────────────────────────────────────────────────────────────────────────────
    def question_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return self.texts(payload)

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        right, own = grading.graded_links(payload, expected, given, options)
        return differing_parts(payload, own, right)

    def describe_measure(self, measure: str) -> str:
        return describe_measure(measure)
