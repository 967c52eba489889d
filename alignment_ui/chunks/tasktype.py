"""Chunk alignment as a task type: which chunks of two sentences match, how, and how closely (SemEval 2015, 2016)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from alignment_ui.chunks import design, evaluate, exports, report
from alignment_ui.chunks.answer import clean_answer, in_words, to_pair
from alignment_ui.chunks.columns import alike, columns
from alignment_ui.chunks.gold import read_known
from alignment_ui.chunks.guidelines import GUIDELINES, WORKED_EXAMPLES
from alignment_ui.chunks.items import read_items
from alignment_ui.chunks.numerics.scores import ists_scores
from alignment_ui.chunks.simulation import simulate_answer
from alignment_ui.chunks.start import with_starts
from annotate.numerics.draws import draw
from annotate.tasktypes import (
    CannotBuild,
    Columns,
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
    Shown,
    StudyData,
    TaskType,
)

if TYPE_CHECKING:
    from annotate.models import Report, Study


class Chunks(TaskType):
    slug: ClassVar[str] = "chunks"
    name: ClassVar[str] = "Chunk alignment"
    module: ClassVar[str] = "chunks/dist/chunks.js"
    reports: ClassVar[Sequence[str]] = ("results", "progress")
    headline: ClassVar[str] = report.HEADLINE
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of gold pairs whose F1 of the alignment is high enough",
        "f1": "mean F1 of the alignment on gold pairs",
    }
    settings: ClassVar[Mapping[str, Any]] = {"judgements": 2, "questions_per_hit": 5}
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    items_help: ClassVar[str] = (
        "A `.wa` file of interpretable STS, whose name up to the first full stop is its dataset; or a table with the "
        "columns `id`, `source` and `target` and any metadata: sentences with words separated by spaces, or with "
        "chunks in brackets such as `[ A cat ] [ sleeps ]`. `yes` under `gold_only` keeps a pair for gold. Two files, "
        "one sentence a line, come in by the page Two files."
    )
    systems_help: ClassVar[str] = evaluate.HELP
    systems_options: ClassVar[Sequence[Option]] = evaluate.OPTIONS
    options: ClassVar[Sequence[Option]] = (
        Option(
            "many", "A chunk may have several links", False, "boolean", locked=True,
            help="Many to many, as in 2016: what has no link is NOALI. Otherwise one to one, as in 2015: each leftover "
            "chunk is marked NOALI or ALIC.",
        ),
        Option(
            "begin", "Annotators begin with", "chunks", "choice",
            (
                ("words", "words, and make the chunks"),
                ("chunks", "chunks, where the file brings them"),
                ("links", "chunks and links, where the file brings them"),
            ),
            locked=True,
            help="Choose this before items are brought in: a `.wa` file is read for it.",
        ),
        Option(
            "dataset", "Column of the dataset", "dataset", locked=True,
            help="Agreement is told by its values.",
        ),
        Option(
            "f1", "F1 at which a gold pair counts as right", 0.7, "number", minimum=0.01, maximum=1,
            help="F1 of the alignment, types and scores aside, against the expected one.",
        ),
    )  # fmt: skip

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        return read_items(data, name, options, limits)

    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        return read_known(data, name, options, items)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Design:
        return design.build(items, options, seed)

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        used = {payload.get("item") for payload in taken}
        pool = [item for item in items if item.held_out] or list(items)
        free = [item for item in pool if item.key not in used]
        if len(free) < count:
            raise CannotBuild(f"Only {len(free)} further pairs could be drawn: bring in more for gold only.")
        free.sort(key=lambda item: draw(seed, "candidate", item.key))
        begun = with_starts({item.key: design.payload_of(item) for item in free[:count]}, options, items)
        return [QuestionDraft(f"candidate-{number}", payload) for number, payload in enumerate(begun.values(), start=1)]

    def item_keys(self, payload: Any) -> Sequence[str]:
        return [payload["item"]] if "item" in payload else []

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        told = {name: payload.get(name) for name in ("source", "target", "chunks", "links", "left")}
        return {**told, **self.present_shared(options)}

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"many": options["many"], "f1": options["f1"]}

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        return clean_answer(payload, raw, many_to_many=options["many"])

    def reveal(self, payload: Any, shown: Any, value: Any) -> Any:
        """Return the answer unchanged, with its log, because it already uses screen positions."""
        return value

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        """Calculate F1 against the expected alignment. The answer passes if F1 reaches the option `f1`."""
        expected, given = to_pair("", payload, gold), to_pair("", payload, value)
        nothing = not any(link.source and link.target for link in (*expected.links, *given.links))
        f1 = 1.0 if nothing else ists_scores([expected], [given]).total.figures("f1_ali").f1
        passed = f1 >= options["f1"]
        tally = {"right": int(passed), "wrong": int(not passed), "f1": f1}
        return Grade(
            tally,
            passed,
            _("Agreement between your links and the expected links: %(percent)d%%.") % {"percent": round(100 * f1)},
        )

    def missed(self, payload: Any, gold: Any) -> Grade:
        return Grade({"right": 0, "wrong": 1, "f1": 0.0}, passed=False)

    def accuracy(self, tallies: Mapping[str, float], measure: str) -> float | None:
        graded = tallies.get("right", 0) + tallies.get("wrong", 0)
        if not graded:
            return None
        return tallies["f1" if measure == "f1" else "right"] / graded

    def agreed(self, values: Sequence[Any]) -> Any | None:
        """Authors agree if they say the same, however they came to it."""
        said = [{name: value[name] for name in ("chunks", "links", "left")} for value in values]
        pairs = {_comparable(value) for value in values}
        return said[0] if len(pairs) == 1 else None

    def alike(self, one: Any, other: Any) -> float:
        sentence = {side: [""] * _size(side, one, other) for side in ("source", "target")}
        return alike(to_pair("", sentence, one), to_pair("", sentence, other))

    def simulate(
        self, payload: Any, shown: Any, truth: Mapping[str, Any], careless: bool, generator: np.random.Generator
    ) -> dict[str, Any]:
        # The options are not at hand; a leftover chunk that is marked is right in both kinds of study.
        return simulate_answer(payload, truth.get(payload.get("item", "")), careless, False, generator)

    # ── out ───────────────────────────────────────────────────────────────────────────────────────────────────
    def columns(self, data: StudyData, parameters: Mapping[str, Any]) -> Columns:
        return columns(data)

    def report(
        self, kind: str, columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress
    ) -> dict[str, Any]:
        return report.REPORTS[kind](columns, parameters, seed, progress)

    def exports(self) -> Sequence[Export]:
        return exports.EXPORTS

    # ── somebody's system ─────────────────────────────────────────────────────────────────────────────────────
    def evaluate(self, data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return evaluate.evaluate(data, submission, parameters)

    def compare(
        self, data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        return evaluate.compare(data, submissions, parameters)

    # ── in the console ────────────────────────────────────────────────────────────────────────────────────────
    def texts(self, content: Any) -> list[str]:
        return [" ".join(content["source"]), " ".join(content["target"])]

    def console_panels(self) -> Sequence[Panel]:
        from alignment_ui.chunks.console.scoring import against_a_file
        from alignment_ui.chunks.console.two_files import two_chunk_files

        return (
            Panel("two-files", "Two files", two_chunk_files),
            Panel("against", "Against a file", against_a_file),
        )

    def report_page(self, study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
        from alignment_ui.chunks.console.report import report_page  # brings Django, which the rest does without

        return report_page(study, report, page, query)

    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        return in_words(payload, value)


def _comparable(value: Mapping[str, Any]) -> frozenset[Any]:
    """The links of an answer by the words they join, in no order."""
    chunks = {side: [tuple(chunk) for chunk in value["chunks"][side]] for side in ("source", "target")}
    links = {
        (chunks["source"][link["source"]], chunks["target"][link["target"]], link["type"], tuple(link["flags"]),
         link["score"])
        for link in value["links"]
    }  # fmt: skip
    return frozenset(links | {(one["side"], chunks[one["side"]][one["chunk"]], one["type"]) for one in value["left"]})


def _size(side: str, *values: Mapping[str, Any]) -> int:
    return 1 + max((token for value in values for chunk in value["chunks"][side] for token in chunk), default=0)
