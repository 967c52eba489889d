"""Simulated studies of each task type, and repeats of them with new annotators, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from annotate import tasktypes
from annotate.tasktypes import AnswerRow, ItemDraft, StudyData

START = datetime(2026, 1, 1, tzinfo=UTC)
PER_HIT = 5
TYPES = ("EQUI", "EQUI", "SPE1", "SPE2", "SIMI", "REL", "")
CARE = (0.5, 9.5)  # the beta distribution of the share of an annotator's questions that are answered carelessly
CARELESS = (5.0, 5.0)  # the same for careless annotators
WORDS = ("river", "stone", "walks", "quiet", "under", "market", "bright", "seven", "reads", "often", "house", "green")
FORM = (
    '<p>${text}</p><select name="tone"><option value="calm">Calm</option><option value="angry">Angry</option>'
    '<option value="sad">Sad</option></select>'
)
# The numbers of items, judgements per question and annotators
SIZES = {
    "bws": (40, 3, 10),
    "paraphrase": (30, 5, 10),
    "layout": (60, 5, 10),
    "words": (30, 2, 10),
    "chunks": (30, 2, 10),
}


def unanswered(slug: str, generator: np.random.Generator) -> tuple[StudyData, dict[str, Any]]:
    """Return a study without answers, and the true value of each item."""
    task, (size, judgements, _) = tasktypes.get(slug), SIZES[slug]
    items = [_item(slug, f"item-{number}", generator) for number in range(size)]
    options = task.clean_options({"layout": FORM} if slug == "layout" else {})
    design = task.build_questions(items, options, int(generator.integers(2**31)), lambda share, text: None)
    questions = [each.with_payload(_without_links(slug, each.payload)) for each in design.questions]
    facts = {"title": slug, "task_type": slug, "options": options, "judgements": judgements}
    truth = {item.key: _truth(slug, item, generator) for item in items}
    return StudyData(facts=facts, items=items, questions=questions, gold=[], answers=[]), truth


def answered(
    study: StudyData, truth: dict[str, Any], generator: np.random.Generator, care: tuple[float, float] = CARE
) -> StudyData:
    """Return the study with answers from new annotators, who answer some questions carelessly. A HIT has five
    questions.
    """
    slug, options = study.facts["task_type"], study.facts["options"]
    task, (_, judgements, annotators) = tasktypes.get(slug), SIZES[slug]
    careless = generator.beta(*care, size=annotators)
    rows: list[AnswerRow] = []
    for first in range(0, len(study.questions), PER_HIT):
        for who in generator.permutation(annotators)[:judgements].tolist():
            for place, question in enumerate(study.questions[first : first + PER_HIT]):
                shown = task.shuffle(question.payload, generator)
                values = {key: truth[key] for key in task.item_keys(question.payload)}
                is_careless = bool(generator.random() < careless[who])
                raw = task.simulate(question.payload, shown, values, options, is_careless, generator)
                value = task.clean(question.payload, shown, raw, options)
                rows.append(_row(question.ref, question.payload, shown, value, who, first, place, len(rows)))
    return replace(study, answers=rows)


def _row(ref: str, payload: Any, shown: Any, value: Any, who: int, hit: int, place: int, number: int) -> AnswerRow:
    return AnswerRow(
        ref=ref,
        kind="regular",
        value=value,
        shown=shown,
        pseudonym=f"annotator-{who:02}",
        hit=hit,
        position=place,
        seconds=10.0,
        given_at=START + timedelta(minutes=number),
        counts=True,
        reason="",
        passed=None,
        tally=None,
        payload=payload,
    )


def _item(slug: str, key: str, generator: np.random.Generator) -> ItemDraft:
    words = generator.choice(WORDS, size=int(generator.integers(6, 10)), replace=False).tolist()
    if slug == "paraphrase":
        content: dict[str, Any] = {"sentence": " ".join(words), "phrase": words[0], "paraphrases": words[1:5]}
        return ItemDraft(key, content, {"domain": "general"})
    if slug in ("words", "chunks"):
        other = [word if generator.random() < 0.7 else f"{word}s" for word in words]
        return ItemDraft(key, {"source": words, "target": other} | _chunks(slug, len(words)))
    return ItemDraft(key, {"text": " ".join(words)})


def _truth(slug: str, item: ItemDraft, generator: np.random.Generator) -> Any:
    """Return a number for most task types. Most words or chunks of a sentence pair are linked in order."""
    if slug == "words":
        kinds = generator.choice(["-", "?", ""], size=len(item.content["source"]), p=[0.7, 0.15, 0.15]).tolist()
        return " ".join(f"{number}{kind}{number}" for number, kind in enumerate(kinds) if kind)
    if slug == "chunks":
        size = len(item.content["source"])
        types, scores = generator.choice(TYPES, size=size).tolist(), generator.integers(1, 5, size=size).tolist()
        links = [
            {"source": at, "target": at, "type": kind, "flags": [], "score": 5 if kind == "EQUI" else score}
            for at, (kind, score) in enumerate(zip(types, scores, strict=True))
            if kind
        ]
        return {"chunks": item.content["chunks"], "links": links, "left": []}
    return float(generator.random())


def _without_links(slug: str, payload: Any) -> Any:
    """Return the payload without initial word links, because copied initial links would contain few errors."""
    return payload | {"prealignment": None} if slug == "words" else payload


def _chunks(slug: str, size: int) -> dict[str, Any]:
    single = [[number] for number in range(size)]
    return {"chunks": {"source": single, "target": single}} if slug == "chunks" else {}
