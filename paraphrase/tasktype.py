"""Paraphrase in context as a task type: a yes or no for every candidate that might replace a phrase (Pavlick 2015)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from annotate.exchange.faults import TableError
from annotate.exchange.tables import Limits, iter_table
from annotate.numerics.draws import draw
from annotate.tasktypes import (
    CannotBuild,
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
    Reports,
    StudyData,
    Systems,
    TaskType,
    draw_held_out,
)
from paraphrase import columns, evaluate, exports, headline, report
from paraphrase.design import design_report
from paraphrase.formats.items import read_items
from paraphrase.formats.phrases import in_parts
from paraphrase.formats.quality_control import QualityRow, read_quality_control
from paraphrase.guidelines import GUIDELINES, WORKED_EXAMPLES
from paraphrase.numerics.worker_accuracy import balanced_accuracy, plain_accuracy, tally
from paraphrase.ties import one_more

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
    reports: ClassVar[Reports] = Reports(
        columns.columns,
        {"results": report.results, "progress": report.progress_report},
        headline=headline.NAME,
        pages={
            "": "paraphrase.console.report:summary",
            "labels": "paraphrase.console.labels:labels",
            "domains": "paraphrase.console.domains:domains",
        },
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    panels: ClassVar[Sequence[Panel]] = (
        Panel("quality-control", "Quality control", "paraphrase.console.quality_control:quality_control"),
        Panel("phrases", "Find phrases", "paraphrase.console.two_files:items_from_two_files"),
    )
    batch: ClassVar[bool] = True
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
        ordered = sorted(items, key=lambda item: draw(seed, "order", item.key))
        digits = len(str(len(items)))
        questions = [
            QuestionDraft(f"phrase-{number:0{digits}}", item_payload(item))
            for number, item in enumerate(ordered, start=1)
        ]
        progress(0.6, "checking the design")
        return Design(questions, design_report(items))

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        """Draw held-out items. Other items are excluded because annotators answer them in the study."""
        drawn = draw_held_out(items, taken, count, seed, only_held_out=True)
        return [QuestionDraft(f"candidate-{number}", item_payload(item)) for number, item in enumerate(drawn, start=1)]

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

    def alike(self, payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> float:
        """Return the share of candidates with the same vote in both answers."""
        pairs = list(zip(one["votes"], other["votes"], strict=True))
        return sum(a == b for a, b in pairs) / len(pairs)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, float],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
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

    def needs_more(self, data: StudyData) -> Mapping[str, int]:
        """Return one more judgement for each question with a tied vote, if the option `ties` asks for it."""
        return one_more(data) if data.facts["options"]["ties"] == "one more" else {}

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
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
