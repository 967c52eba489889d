"""Word alignment as a task type: annotators link the corresponding words of two sentences (Cohn, Callison-Burch and
Lapata 2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from alignment_ui.pairs.numerics.links import Alignment, Link, identical_links, link_f1, pair_f1, without
from alignment_ui.words import columns, design, evaluate, exports, guidelines_de, headline, report
from alignment_ui.words.answer import as_alignment, as_value, clean_answer, in_words
from alignment_ui.words.description import describe_measure, differing_parts
from alignment_ui.words.gold import draw_candidates, read_gold
from alignment_ui.words.guidelines import GUIDELINES, WORKED_EXAMPLES
from alignment_ui.words.items import read_items
from alignment_ui.words.simulation import simulate_answer
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
    StudyData,
    StudyTexts,
    Systems,
    TaskType,
    share_of_graded,
)


class Words(TaskType):
    slug: ClassVar[str] = "words"
    name: ClassVar[str] = "Word alignment"
    module: ClassVar[str] = "words/dist/words.js"
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report},
        headline=headline.NAME,
        pages={
            "": "alignment_ui.words.console.report:summary",
            "disagreements": "alignment_ui.words.console.disagreements:disagreements",
            "phrases": "alignment_ui.words.console.phrases:phrases",
        },
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    panels: ClassVar[Sequence[Panel]] = (
        Panel("two-files", "Import two files", "alignment_ui.words.console.two_files:two_files"),
        Panel(
            "phrases", "Review phrase pairs", "alignment_ui.words.console.phrase_review:phrase_review", post="review"
        ),
    )
    batch: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of gold pairs that pass",
        "f1": "mean F1 on gold pairs",
    }
    # HITs are assigned in order. Two annotators therefore both align the pairs that need two annotations, and divide
    # the other pairs between them.
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 2, "order": "hits", "questions_per_hit": 5}
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    translated_texts: ClassVar[Mapping[str, StudyTexts]] = {
        "de": StudyTexts(guidelines_de.GUIDELINES, guidelines_de.WORKED_EXAMPLES)
    }
    items_help: ClassVar[str] = (
        "Sentence pairs as a table, as JSON Lines or as jacana JSON. A table needs the columns `id`, `source` and "
        "`target`, with words separated by spaces. All other columns become metadata, such as the subcorpus. The "
        "column "
        "`prealignment` can contain links such as `0-0 1-2`. "
        "Rows with `yes` in the column `gold_only` are used only for gold and practice questions."
    )
    options: ClassVar[Sequence[Option]] = (
        Option(
            "tokenise",
            "Split sentences into words",
            False,
            "boolean",
            locked=True,
            help="If this option is off, sentences are split only at spaces. Turn this option off for tokenised text.",
        ),
        Option(
            "longest",
            "Maximum sentence length, in words",
            49,
            "integer",
            minimum=1,
            maximum=100,
            locked=True,
            help="Pairs that contain a longer sentence are excluded.",
        ),
        Option(
            "ratio",
            "Maximum ratio of the sentence lengths",
            9.0,
            "number",
            minimum=1,
            maximum=100,
            locked=True,
            help="Pairs with a higher ratio are excluded, because such pairs are rarely paraphrases.",
        ),
        Option(
            "equivalent",
            "Column that marks equivalent pairs",
            "",
            locked=True,
            help="Annotators get only pairs with “yes”, “true” or “1” in this metadata column. If the setting is "
            "empty, "
            "annotators get all pairs.",
        ),
        Option(
            "subcorpus",
            "Metadata column with the subcorpus",
            "subcorpus",
            locked=True,
            help="Pairs are sampled separately for each value of this column, and reports show results per value.",
        ),
        Option(
            "sample",
            "Pairs to sample from each subcorpus",
            0,
            "integer",
            minimum=0,
            locked=True,
            help="The seed determines the sample. 0 uses all pairs that are not excluded.",
        ),
        Option(
            "double",
            "Pairs per subcorpus with two annotations",
            -1,
            "integer",
            minimum=-1,
            locked=True,
            help="Agreement is calculated on the pairs that several annotators align. The other pairs are annotated "
            "once. With a value of −1, every pair gets the number of judgements that is set for the study.",
        ),
        Option(
            "prealign",
            "Initial links",
            "built-in",
            "choice",
            (
                ("built-in", "links from the built-in aligner, trained on the study’s pairs"),
                ("given", "links from the imported file"),
                ("none", "no links"),
            ),
            locked=True,
            help="Choose this option before you import gold and practice questions, because these questions show "
            "the same kind of initial links.",
        ),
        Option(
            "blank",
            "Share of pairs without initial links",
            0.0,
            "number",
            minimum=0,
            maximum=1,
            locked=True,
            help="The pairs without initial links are drawn at random. The report uses the pairs without initial "
            "links to measure how much the initial links influence annotators.",
        ),
        Option(
            "f1",
            "Minimum F1 to pass a gold question",
            0.7,
            "number",
            minimum=0.01,
            maximum=1,
            help="F1 compares the annotator’s links with the expected links.",
        ),
        Option(
            "ignore_identical",
            "Ignore links between identical words",
            True,
            "boolean",
            help="Grading and agreement ignore links between identical words, as is usual in the literature, "
            "because nearly all annotators draw these links. A gold pair without other expected links is "
            "graded on all links.",
        ),
        Option(
            "third_below",
            "Minimum F1 of two annotators before a third is asked",
            0.0,
            "number",
            minimum=0,
            maximum=1,
            help="If the links of two annotators have a lower F1, a third annotator aligns the pair. 0 turns this off.",
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
        return design.build(items, options, seed, progress)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        return draw_candidates(items, taken, count, options, seed)

    def item_keys(self, payload: Any) -> Sequence[str]:
        return [payload["item"]] if "item" in payload else []

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        return {name: payload[name] for name in ("source", "target", "prealignment")} | self.present_shared(options)

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that a standalone page needs to grade answers without a server."""
        return {"f1": options["f1"], "ignore_identical": options["ignore_identical"]}

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        return clean_answer(payload, raw)

    def reveal(self, payload: Any, shown: Any, value: Any) -> Any:
        """Return the answer unchanged, with its log, because it already uses screen positions."""
        return value

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        """Calculate the F1 of an answer, compared with the expected alignment. An answer passes if its F1 is at least
        the value of the option `f1`.
        """
        f1 = link_f1(*_to_grade(payload, as_alignment(gold), as_alignment(value), options))
        message = _("Agreement between your links and the expected links: %(percent)d%%. The pass mark is %(mark)d%%.")
        message %= {"percent": round(100 * f1), "mark": round(100 * options["f1"])}
        if options["ignore_identical"]:
            message += " " + _("Links between identical words are ignored.")
        return Grade.of(f1 >= options["f1"], message, f1=f1)

    def missed(self, payload: Any, gold: Any) -> Grade:
        return Grade.of(passed=False, f1=0.0)

    def accuracy(self, tallies: Mapping[str, float], measure: str) -> float | None:
        return share_of_graded(tallies, "f1" if measure == "f1" else "right")

    def agreed(self, values: Sequence[Any]) -> Any | None:
        """Return the common links if all authors drew the same links. Their logs can differ."""
        drawn = {as_alignment(value) for value in values}
        return as_value(drawn.pop()) if len(drawn) == 1 else None

    def alike(self, payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
        """Return the F1 between the links of two annotators, calculated as in the reports."""
        return pair_f1(as_alignment(one), as_alignment(other), _ignored(payload, options))

    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        """Return one additional judgement for each sentence pair on which two annotators disagree.

        No further judgement is needed for pairs that have already been assigned to a third annotator or decided by a
        reviewer.
        """
        options = data.facts["options"]
        below = options["third_below"]
        asked_again = _asked_again(data)
        answers: dict[str, list[Alignment]] = {}
        for row in data.answers:
            if row.counts and row.ref not in data.decisions and row.ref not in asked_again:
                answers.setdefault(row.ref, []).append(as_alignment(row.value))
        payloads = {question.ref: question.payload for question in data.questions}
        return {
            ref: 1
            for ref, drawn in answers.items()
            if len(drawn) == 2 and pair_f1(drawn[0], drawn[1], _ignored(payloads[ref], options)) < below
        }

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, Any],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, Any]:
        return simulate_answer(payload, truth.get(payload.get("item", "")), careless, generator)

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Any) -> list[str]:
        return [" ".join(content["source"]), " ".join(content["target"])]

    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        description = in_words(payload, value)
        # The console shows the items of a question. For a pair without an item, the sentences are shown only in this
        # description.
        return description if "item" in payload else f"“{' – '.join(self.texts(payload))}”: {description}"

    # ── texts for annotators ──────────────────────────────────────────────────────────────────────────────────────
    def question_texts(self, payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
        return self.texts(payload)

    def differing_parts(
        self, payload: Any, given: Any, expected: Any, contents: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
        right, own = _to_grade(payload, as_alignment(expected), as_alignment(given), options)
        return differing_parts(payload, own, right)

    def describe_measure(self, measure: str) -> str:
        return describe_measure(measure)


def _ignored(payload: Mapping[str, Any], options: Mapping[str, Any]) -> frozenset[Link]:
    """Return the links between identical words if the study ignores them. Otherwise, return no links."""
    return identical_links(payload["source"], payload["target"]) if options["ignore_identical"] else frozenset()


def _to_grade(
    payload: Mapping[str, Any], expected: Alignment, drawn: Alignment, options: Mapping[str, Any]
) -> tuple[Alignment, Alignment]:
    """Return both alignments without ignored links. If all expected links are ignored, return both alignments
    unchanged.
    """
    ignored = _ignored(payload, options)
    if not expected.links - ignored:
        return expected, drawn
    return without(expected, ignored), without(drawn, ignored)


def _asked_again(data: StudyData) -> set[str]:
    """Return the references of the questions that were added to another HIT after the design was built."""
    seen: set[str] = set()
    again: set[str] = set()
    for refs in data.hits:
        again |= seen.intersection(refs)
        seen.update(refs)
    return again
