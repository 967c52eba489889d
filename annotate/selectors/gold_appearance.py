"""The design check that compares the gold questions with a sample of the other questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from annotate import tasktypes
from annotate.models import HitQuestion, Question, Study
from annotate.numerics.draws import generator
from annotate.numerics.gold_appearance import Difference, differences
from annotate.tasktypes import Check

from .sizes import hits_of

HITS = 100  # HITs in the sample, so that the check takes equally long in studies of all sizes
GOLD = 500  # gold questions in the comparison

Asked = tuple[str, Any, Sequence[Any]]  # a question's ref and payload, and the payloads of its HIT's regular questions


def gold_appearance(study: Study) -> Check | None:
    """Return a check of whether gold questions look like the other questions of the study, or None if the study has no
    gold questions or no HITs.
    """
    regular = _sample(study)
    beside = [hit for _ref, _payload, hit in regular]
    gold_rows = study.questions.filter(kind=Question.Kind.GOLD).order_by("pk").values_list("ref", "payload")[:GOLD]
    gold = [(ref, payload, beside[at % len(beside)]) for at, (ref, payload) in enumerate(gold_rows) if beside]
    if not gold:
        return None
    contents = _contents(study, [*regular, *gold])
    of_gold, of_others = _features(study, gold, contents), _features(study, regular, contents)
    found = differences(of_gold, of_others)
    if found:
        detail = (
            f"Annotators can recognize gold questions: {'; '.join(map(_in_words, found))}. Choose gold questions "
            "whose appearance varies in the same way as that of the other questions."
        )
        return Check("Appearance of gold questions", "differs", detail, "advice")
    compared = ", ".join(of_gold)
    detail = f"No difference between gold questions and other questions was found. Compared: {compared}."
    return Check("Appearance of gold questions", "alike", detail)


def _sample(study: Study) -> list[Asked]:
    """Return the regular questions of HITs at equal distances."""
    last = hits_of(study)
    numbers = {1 + at * last // HITS for at in range(HITS)} if last else set()
    rows = HitQuestion.objects.filter(
        hit__study=study, hit__number__in=numbers, question__kind=Question.Kind.REGULAR
    ).order_by("hit__number", "position")
    hits: dict[int, list[tuple[str, Any]]] = defaultdict(list)
    for number, ref, payload in rows.values_list("hit__number", "question__ref", "question__payload"):
        hits[number].append((ref, payload))
    return [
        (ref, payload, [each for _ref, each in questions]) for questions in hits.values() for ref, payload in questions
    ]


def _contents(study: Study, questions: Iterable[Asked]) -> dict[str, Any]:
    task = tasktypes.get(study.task_type)
    keys = {key for _ref, payload, _beside in questions for key in task.item_keys(payload)}
    return dict(study.items.filter(key__in=keys).values_list("key", "content"))


def _features(study: Study, questions: Iterable[Asked], contents: dict[str, Any]) -> dict[str, list[float]]:
    task = tasktypes.get(study.task_type)
    values: dict[str, list[float]] = defaultdict(list)
    for ref, payload, beside in questions:
        shown = task.arrange(payload, beside, generator(study.seed, "appearance", ref))
        for name, value in task.features(payload, shown, contents, study.options).items():
            values[name].append(value)
    return dict(values)


def _in_words(difference: Difference) -> str:
    (gold, *gold_range), (others, *others_range) = difference.gold, difference.others
    return (
        f"{difference.feature} (mean {_number(gold)}, from {_number(gold_range[0])} to {_number(gold_range[1])}, in "
        f"gold questions; mean {_number(others)}, from {_number(others_range[0])} to {_number(others_range[1])}, in "
        f"others; AUC {difference.auc:.2f})"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
