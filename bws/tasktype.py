"""The task type of best–worst scaling: annotators choose the most and the least of a few items (STR-2021 §2.2,
§3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from django.utils.translation import gettext as _

from annotate.exchange.faults import Fault, TableError
from annotate.exchange.tables import Limits, iter_table
from annotate.numerics.draws import sample
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
    Systems,
    TaskType,
)
from bws import evaluate, exports, headline, report
from bws.design import design_report
from bws.formats import read_gold, read_items
from bws.numerics.design import DesignError, best_worst_design
from bws.numerics.design_report import describe_design
from bws.numerics.simulation import choose_best_worst

# The truth in [0, 1] is multiplied by this to get utilities of the choice model. With this factor, an attentive
# simulated annotator answers a question as expected about four times in five if its items are a quarter of the scale
# apart.
SPREAD = 9.0


class BestWorstScaling(TaskType):
    slug: ClassVar[str] = "bws"
    name: ClassVar[str] = "Best–worst scaling"
    module: ClassVar[str] = "bws/dist/bws.js"
    reports: ClassVar[Reports] = Reports(
        report.columns,
        {"results": report.results, "progress": report.progress_report},
        headline=headline.NAME,
        pages={
            "": "bws.console.report:summary",
            "items": "bws.console.items:ranking",
            "analysis": "bws.console.analysis:correlations",
        },
    )
    exports: ClassVar[Sequence[Export]] = exports.EXPORTS
    systems: ClassVar[Systems] = evaluate.SYSTEMS
    panels: ClassVar[Sequence[Panel]] = (
        Panel("pairs", "Sample pairs", "bws.sampling.console:sampling_panel", only_in_draft=True),
    )
    batch: ClassVar[bool] = True
    balanced: ClassVar[bool] = True
    items_help: ClassVar[str] = (
        "A file with a header row and the columns `id` and `text`, or `id`, `sentence1` and `sentence2` for pairs. "
        "All other columns become metadata. Items with `yes` in the column `gold_only` are used only for gold and "
        "practice questions."
    )
    options: ClassVar[Sequence[Option]] = (
        Option("size", "Items per tuple", 4, "integer", minimum=3, maximum=6, locked=True),
        Option(
            "factor", "Tuples per item", 2.0, "number", minimum=0.5, maximum=50, locked=True,
            help="With factor 2, a hundred items make two hundred tuples. In tuples of four items, every item is in "
                 "eight tuples.",
        ),
        Option("most", "Wording of “best”", "most related", help="For example: Which pair is most related?"),
        Option("least", "Wording of “worst”", "least related"),
        Option("noun", "Name for one item", "pair"),
        Option(
            "target", "Target reliability", 0.85, "number", minimum=0.01, maximum=0.99,
            help="The forecast shows how many more judgements would reach this reliability.",
        ),
    )  # fmt: skip

    # ── in ────────────────────────────────────────────────────────────────────────────────────────────────────
    def read_items(self, data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
        try:
            # The item reader reports a sentence over the limit as a separate fault.
            table = iter_table(data, name=name, limits=Limits(rows=limits["rows"], bytes=limits["bytes"]))
        except TableError as error:
            return ItemsRead([], error.faults, [], [])
        rows, faults, warnings = read_items(table, size=options["size"], longest=limits["cell"])
        items = [ItemDraft(row.key, row.content, row.metadata, row.held_out) for row in rows]
        return ItemsRead(items, faults, warnings, table.columns)

    def read_gold(
        self, data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]
    ) -> QuestionsRead:
        try:
            rows = read_gold(iter_table(data, name=name, limits=Limits()), size=options["size"], keys=items)
        except TableError as error:
            return QuestionsRead([], error.faults)
        return QuestionsRead(
            [
                QuestionDraft(
                    row.ref, {"items": list(row.items)}, gold={"best": row.best, "worst": row.worst},
                    explanation=row.explanation,
                )
                for row in rows
            ],
            [] if rows else [Fault(None, None, "the file has no questions")],
        )  # fmt: skip

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────
    def build_questions(
        self, items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Design:
        progress(0.1, f"designing tuples of {len(items):,} items")
        size = options["size"]
        try:
            tuples = best_worst_design(len(items), size=size, factor=options["factor"], seed=seed)
        except DesignError as error:
            raise CannotBuild(str(error)) from error
        progress(0.6, f"checking {len(tuples):,} tuples")
        described = describe_design(tuples, len(items), seed=seed)
        keys = [item.key for item in items]
        digits = len(str(len(tuples)))
        questions = [
            QuestionDraft(f"tuple-{number:0{digits}}", {"items": [keys[item] for item in row]})
            for number, row in enumerate(tuples.tolist(), start=1)
        ]
        return Design(questions, design_report(described, items))

    def draw_candidates(
        self, items: Sequence[ItemDraft], taken: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
    ) -> list[QuestionDraft]:
        size = options["size"]
        held_out = [item.key for item in items if item.held_out]
        pool = held_out if len(held_out) >= size + 2 else [item.key for item in items]
        if len(pool) < size:
            raise CannotBuild(f"Tuples of {size} need at least {size} items, but there are only {len(pool)}.")
        used = {frozenset(payload["items"]) for payload in taken}
        drawn: list[QuestionDraft] = []
        for attempt in range(50 * count):
            keys = [pool[place] for place in sample(len(pool), size, seed, "candidate", attempt)]
            if frozenset(keys) not in used:
                used.add(frozenset(keys))
                drawn.append(QuestionDraft(f"candidate-{len(drawn) + 1}", {"items": keys}))
            if len(drawn) == count:
                return drawn
        raise CannotBuild(f"Only {len(drawn)} further tuples could be drawn from {len(pool)} items.")

    def item_keys(self, payload: Any) -> Sequence[str]:
        keys: Sequence[str] = payload["items"]
        return keys

    def shuffle(self, payload: Any, generator: np.random.Generator) -> list[int]:
        """Return indexes into the payload's items, in screen order."""
        order: list[int] = generator.permutation(len(payload["items"])).tolist()
        return order

    def present(self, payload: Any, shown: Any, items: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        on_screen = [{"sentences": sentences(items[key])} for key in self.keys_on_screen(payload, shown)]
        return {"items": on_screen, **self.present_shared(options)}

    def present_shared(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"ask": {"most": options["most"], "least": options["least"], "noun": options["noun"]}}

    def keys_on_screen(self, payload: Any, shown: Any) -> Sequence[str]:
        return _on_screen(payload, shown)

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────
    def clean(self, payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, str]:
        """Convert `{"best": place, "worst": place}` to item keys. Positions on the screen are counted from 1."""
        keys = _on_screen(payload, shown)
        if not isinstance(raw, Mapping):
            raise InvalidAnswer("value", "The answer must be an object with `best` and `worst`.")
        places = {}
        for name, label in (("best", options["most"]), ("worst", options["least"])):
            place = raw.get(name)
            if place is None:
                message = _("Choose an answer for “%(label)s”.") % {"label": label}
                raise InvalidAnswer(name, message)
            if not isinstance(place, int) or isinstance(place, bool) or not 1 <= place <= len(keys):
                raise InvalidAnswer(name, f"`{name}` must be a position from 1 to {len(keys)}, not {place!r}.")
            places[name] = place
        if places["best"] == places["worst"]:
            message = _("You chose the same answer for “%(most)s” and “%(least)s”. Choose two different answers.")
            raise InvalidAnswer("worst", message % {"most": options["most"], "least": options["least"]})
        return {name: keys[place - 1] for name, place in places.items()}

    def reveal(self, payload: Any, shown: Any, value: Any) -> dict[str, int]:
        keys = _on_screen(payload, shown)
        return {name: keys.index(value[name]) + 1 for name in ("best", "worst")}

    def grade(self, payload: Any, gold: Any, value: Any, options: Mapping[str, Any]) -> Grade:
        """Grade an answer. The answer passes if both choices match the expected answer."""
        right = value == gold
        return Grade.of(right)

    def simulate(
        self,
        payload: Any,
        shown: Any,
        truth: Mapping[str, float],
        options: Mapping[str, Any],
        careless: bool,
        generator: np.random.Generator,
    ) -> dict[str, int]:
        utilities = [0.0 if careless else SPREAD * truth[key] for key in _on_screen(payload, shown)]
        best, worst = choose_best_worst(utilities, generator.random())
        return {"best": best + 1, "worst": worst + 1}

    # ── texts for researchers ─────────────────────────────────────────────────────────────────────────────────────
    def in_words(self, payload: Any, shown: Any, value: Any, options: Mapping[str, Any]) -> str:
        places = self.reveal(payload, shown, value)
        return f"best {places['best']}, worst {places['worst']}"

    def marks(self, payload: Any, value: Any, options: Mapping[str, Any]) -> Sequence[Mark]:
        return [Mark(value["best"], "best", "most"), Mark(value["worst"], "worst", "least", "ochre")]


def sentences(content: Mapping[str, str]) -> list[str]:
    """Return the one or two sentences of an item."""
    return [content["text"]] if "text" in content else [content["sentence1"], content["sentence2"]]


def _on_screen(payload: Any, shown: Any) -> list[str]:
    keys: list[str] = payload["items"]
    return [keys[index] for index in shown] if shown else list(keys)
