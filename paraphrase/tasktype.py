"""Paraphrase in context as a task type: a yes or no for every candidate that might replace a phrase (Pavlick 2015)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from annotate.exchange.faults import TableError
from annotate.exchange.tables import Limits, iter_table
from annotate.tasktypes import (
    CannotBuild,
    Columns,
    Design,
    Export,
    Grade,
    InvalidAnswer,
    ItemDraft,
    ItemsRead,
    Mark,
    Option,
    Panel,
    Progress,
    QuestionDraft,
    QuestionsRead,
    Shown,
    StudyData,
    TaskType,
)
from paraphrase import evaluate
from paraphrase.columns import columns as collect
from paraphrase.design import design_report
from paraphrase.exports import EXPORTS
from paraphrase.formats.items import read_items
from paraphrase.formats.phrases import in_parts
from paraphrase.formats.quality_control import QualityRow, read_quality_control
from paraphrase.guidelines import GUIDELINES, WORKED_EXAMPLES
from paraphrase.headline import NAME as HEADLINE
from paraphrase.numerics.worker_accuracy import balanced_accuracy, plain_accuracy, tally
from paraphrase.report import REPORTS
from paraphrase.ties import one_more

if TYPE_CHECKING:
    from annotate.models import Report, Study

# A quality-control question counts as missed below this balanced accuracy. One wrong candidate of six does not
# interrupt the annotator.
PASSED = 2 / 3
# The probability that an attentive simulated annotator judges a candidate correctly.
ATTENTIVE = 0.9


class ParaphraseInContext(TaskType):
    """Payloads: {"item": key, "paraphrases": […]}; quality control {"content": {…}, "synonyms": how many come first}.

    A stored value is {"votes": [true or false for each candidate]} in the payload's order.
    """

    slug: ClassVar[str] = "paraphrase"
    name: ClassVar[str] = "Paraphrase in context"
    module: ClassVar[str] = "paraphrase/dist/paraphrase.js"
    reports: ClassVar[Sequence[str]] = ("results", "progress")
    headline: ClassVar[str] = HEADLINE
    measures: ClassVar[Mapping[str, str]] = {
        "accuracy": "share of candidates judged as expected",
        "balanced": "mean of synonyms chosen and random words left",
    }
    rule_help: ClassVar[str] = (
        "The measure counts quality-control candidates. With three synonyms and three random words, an annotator "
        "who chooses all "
        "candidates, or none, is right in half of them and passes a rule with the pass mark .5. With more synonyms, "
        "choosing all candidates passes easily. The mean of both shares is always one half for these strategies, so "
        "a pass mark of .51 stops them. The page *Quality control* shows which strategies would pass."
    )
    # The paper uses five judgements and one quality-control question per HIT, and stops annotators below one half after
    # ten HITs.
    settings: ClassVar[Mapping[str, Any]] = {
        "judgements": 5, "questions_per_hit": 3, "gold_block": 3, "rule_unit": "hits", "rule_minimum": 10,
        "rule_threshold": "0.5",
    }  # fmt: skip
    guidelines: ClassVar[str] = GUIDELINES
    worked_examples: ClassVar[str] = WORKED_EXAMPLES
    items_help: ClassVar[str] = (
        "JSON Lines, or a file with a header row: `id`, `sentence`, `phrase`, `start` (the character at which the "
        "phrase begins, counted from 0; not needed where it occurs once), `paraphrases` (separated by `|`, or a JSON "
        "list), `domain`; further columns are kept as metadata."
    )
    systems_help: ClassVar[str] = evaluate.HELP
    systems_options: ClassVar[Sequence[Option]] = evaluate.OPTIONS
    options: ClassVar[Sequence[Option]] = (
        Option(
            "ties", "Rule for ties", "undecided", "choice",
            (("undecided", "leave the label undecided"), ("negative", "count the tie as no"),
             ("one more", "ask one more annotator"), ("adjudicate", "let a reviewer decide")),
        ),
        Option(
            "good_sentences", "Minimum number of good sentences in a domain", 1, "integer", minimum=1,
            maximum=1000, help="The paper requires one.",
        ),
    )  # fmt: skip

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        try:
            # The item reader reports a sentence over the limit as a separate fault.
            table = iter_table(data, name=name, limits=Limits(rows=limits["rows"], bytes=limits["bytes"]))
        except TableError as error:
            return ItemsRead([], error.faults, [], [])
        rows, faults, warnings = read_items(table, longest=limits["cell"])
        items = [ItemDraft(row.key, row.content, row.metadata, row.held_out) for row in rows]
        return ItemsRead(items, faults, warnings, table.columns)

    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        try:
            rows = read_quality_control(iter_table(data, name=name, limits=Limits()))
        except TableError as error:
            return QuestionsRead([], error.faults)
        return QuestionsRead([quality_question(row) for row in rows], [])

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Design:
        """Build one question per item, in an order drawn from the seed, so that all domains are collected at the same
        time.
        """
        if not items:
            raise CannotBuild("There are no items for questions. All items may be marked as gold_only.")
        progress(0.1, f"a question for each of {len(items):,} items")
        order = np.random.default_rng([seed, 0x9A]).permutation(len(items))
        digits = len(str(len(items)))
        questions = [
            QuestionDraft(f"phrase-{number:0{digits}}", item_payload(items[index]))
            for number, index in enumerate(order.tolist(), start=1)
        ]
        progress(0.6, "checking the design")
        return Design(questions, design_report(items))

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        """Draw questions only from held-out items. Questions from the design would be asked twice."""
        used = {payload.get("item") for payload in taken}
        pool = [item for item in items if item.held_out and item.key not in used]
        if len(pool) < count:
            raise CannotBuild(
                f"Candidates are drawn from items marked gold_only, of which {len(pool):,} are left. Mark more items "
                f"before you import them, or draw quality-control questions from WordNet."
            )
        chosen = np.random.default_rng(seed).choice(len(pool), size=count, replace=False)
        return [
            QuestionDraft(f"candidate-{number}", item_payload(pool[index]))
            for number, index in enumerate(chosen.tolist(), start=1)
        ]

    def item_keys(self, payload: Any) -> Sequence[str]:
        """Return the key of the item. A quality-control question contains its own sentence and has no item."""
        return [payload["item"]] if "item" in payload else []

    def shuffle(self, payload: Any, generator: np.random.Generator) -> list[int]:
        """Return indexes into the payload's candidates, in screen order."""
        order: list[int] = generator.permutation(len(candidates(payload))).tolist()
        return order

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sentence in three parts, so that browsers do not need to count characters, and the candidates in
        screen order.
        """
        content = payload["content"] if "content" in payload else items[payload["item"]]
        before, phrase, after = in_parts(content)
        texts = candidates(payload)
        on_screen = [texts[index] for index in _order(payload, shown)]
        return {"before": before, "phrase": phrase, "after": after, "candidates": on_screen}

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, list[bool]]:
        """Convert `{"votes": […]}` from screen order to the order of the payload. Every candidate needs a vote."""
        order = _order(payload, shown)
        sent = raw.get("votes") if isinstance(raw, Mapping) else None
        if not isinstance(sent, list):
            raise InvalidAnswer("votes", "The answer must be an object with `votes`: true or false for each candidate.")
        if len(sent) != len(order):
            raise InvalidAnswer(
                "votes", f"The question has {len(order)} candidates, but the answer has {len(sent)} votes."
            )
        votes = [False] * len(order)
        for place, (index, vote) in enumerate(zip(order, sent, strict=True)):
            if vote is None:
                text = candidates(payload)[index]
                message = _("Choose yes or no for “%(candidate)s”.") % {"candidate": text}
                raise InvalidAnswer(f"votes.{place}", message)
            if not isinstance(vote, bool):
                raise InvalidAnswer(f"votes.{place}", f"A vote must be true or false, not {vote!r}.")
            votes[index] = vote
        return {"votes": votes}

    def reveal(self, payload: Any, shown: Any, value: Any) -> dict[str, list[bool]]:
        return {"votes": [value["votes"][index] for index in _order(payload, shown)]}

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        """Count right and wrong candidates. The answer passes if its balanced accuracy is at least two thirds."""
        counts = tally(gold["votes"], value["votes"])
        right = counts["synonyms_chosen"] + counts["random_words"] - counts["random_chosen"]
        balanced = balanced_accuracy(counts)
        passed = balanced is not None and balanced >= PASSED
        message = _("Answers as expected: %(right)d of %(total)d.") % {"right": right, "total": len(gold["votes"])}
        return Grade(counts, passed=passed, message=message)

    def missed(self, payload: Any, gold: Any) -> Grade:
        """Count every candidate as wrong."""
        return Grade(tally(gold["votes"], [not vote for vote in gold["votes"]]), passed=False)

    def accuracy(self, tallies: Mapping[str, float], measure: str) -> float | None:
        return balanced_accuracy(tallies) if measure == "balanced" else plain_accuracy(tallies)

    def alike(self, one: Any, other: Any) -> float:
        """Return the share of candidates with the same vote in both answers."""
        pairs = list(zip(one["votes"], other["votes"], strict=True))
        return sum(a == b for a, b in pairs) / len(pairs)

    def simulate(
        self, payload: Any, shown: Any, truth: Mapping[str, float], careless: bool, generator: np.random.Generator
    ) -> dict[str, list[bool]]:
        """`truth` is the share of an item's candidates that are good. These are the first in the list, because lists
        are often ranked.
        """
        order = _order(payload, shown)
        if careless:
            return {"votes": (generator.random(len(order)) < 0.5).tolist()}
        attentive = generator.random(len(order)) < ATTENTIVE
        good = truly_good(payload, truth)
        return {"votes": [good[index] == bool(kept) for index, kept in zip(order, attentive, strict=True)]}

    # ── out ───────────────────────────────────────────────────────────────────────────────────────────────────
    def columns(self, data: StudyData, parameters: Mapping[str, Any]) -> Columns:
        return collect(data)

    def report(
        self, kind: str, columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress
    ) -> dict[str, Any]:
        return REPORTS[kind](columns, parameters, seed, progress)

    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        """Return one further judgement for each question with a tie, if the study asks for it and no further judgement
        is in progress.
        """
        return one_more(data) if data.facts["options"]["ties"] == "one more" else {}

    def exports(self) -> Sequence[Export]:
        return EXPORTS

    # ── somebody's system ─────────────────────────────────────────────────────────────────────────────────────
    def evaluate(self, data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return evaluate.evaluate(data, submission, parameters)

    def compare(
        self, data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        return evaluate.compare(data, submissions, parameters)

    # ── in the console ────────────────────────────────────────────────────────────────────────────────────────
    def console_panels(self) -> Sequence[Panel]:
        from paraphrase.console.quality_control import quality_control
        from paraphrase.console.two_files import items_from_two_files

        return (
            Panel("quality-control", "Quality control", quality_control),
            Panel("phrases", "Find phrases", items_from_two_files),
        )

    def report_page(self, study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
        from paraphrase.console.report import report_page  # brings Django, which the rest does without

        return report_page(study, report, page, query)

    def texts(self, content: Any) -> list[str]:
        before, phrase, after = in_parts(content)
        return [f"{before}[{phrase}]{after}", " · ".join(content["paraphrases"])]

    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        texts, votes = candidates(payload), value["votes"]
        order = _order(payload, shown)
        yes = [texts[index] for index in order if votes[index]]
        no = [texts[index] for index in order if not votes[index]]
        said = "; ".join(f"{word}: {', '.join(them)}" for word, them in (("yes", yes), ("no", no)) if them)
        if "content" not in payload:
            return said
        before, phrase, after = in_parts(payload["content"])
        return f"{before}[{phrase}]{after} – {said}"

    def marks(self, payload: Any, value: Any, options: Mapping[str, Any]) -> Sequence[Mark]:
        """Return the chosen candidates. A quality-control question has no item in the list."""
        if "item" not in payload:
            return []
        chosen = [text for text, vote in zip(payload["paraphrases"], value["votes"], strict=True) if vote]
        return [Mark(payload["item"], text) for text in chosen] or [Mark(payload["item"], "none", "bad", "ochre")]


def item_payload(item: ItemDraft) -> dict[str, Any]:
    """Return the question about an item. It contains the candidates, because votes have the same order."""
    return {"item": item.key, "paraphrases": item.content["paraphrases"]}


def quality_question(row: QualityRow) -> QuestionDraft:
    """Return a question with a known answer. The synonyms come first, and the order is shuffled for every annotator."""
    content = {
        "sentence": row.sentence,
        "phrase": row.phrase,
        "start": row.start,
        "paraphrases": [*row.synonyms, *row.random_words],
    }
    votes = [True] * len(row.synonyms) + [False] * len(row.random_words)
    payload = {"content": content, "synonyms": len(row.synonyms)}
    return QuestionDraft(row.ref, payload, gold={"votes": votes}, explanation=row.explanation)


def candidates(payload: Any) -> list[str]:
    texts: list[str] = payload["content"]["paraphrases"] if "content" in payload else payload["paraphrases"]
    return texts


def truly_good(payload: Any, truth: Mapping[str, float]) -> list[bool]:
    """Return whether each candidate is good in the simulation, in the payload's order."""
    if "content" in payload:
        return [index < payload["synonyms"] for index in range(len(candidates(payload)))]
    good = round(truth[payload["item"]] * len(payload["paraphrases"]))
    return [index < good for index in range(len(payload["paraphrases"]))]


def _order(payload: Any, shown: Any) -> Sequence[int]:
    return shown or range(len(candidates(payload)))
