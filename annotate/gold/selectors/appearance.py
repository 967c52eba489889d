"""The design check that compares the gold questions with a sample of the other questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import mean
from typing import Any

from accord_core.numerics.draws import generator
from accord_core.numerics.gold_appearance import Difference, differences
from annotate import tasktypes
from annotate.core.selectors.sizes import hits_of
from annotate.models import GoldSetQuestion, HitQuestion, Question, Study
from annotate.tasktypes import Check

HITS = 100  # HITs in the sample, so that the check takes equally long in studies of all sizes
GOLD = 500  # gold questions in the comparison
IN_A_ROW = 20  # HITs in which repeated items are counted, as for an annotator who takes the first HITs of the queue
CLEAR = 0.05  # from an AUC of .5: a clear difference between the averages

Asked = tuple[str, Any, Sequence[Any]]  # a question's ref and payload, and the payloads of its HIT's regular questions


def gold_appearance(study: Study) -> Check | None:
    """Check whether gold questions look like the study's other questions, or return None if the study has no gold
    questions or no HITs.
    """
    regular = _sample(study)
    beside = [hit for _ref, _payload, hit in regular]
    gold_rows = study.questions.filter(kind=Question.Kind.GOLD).order_by("pk").values_list("ref", "payload")[:GOLD]
    gold = [(ref, payload, beside[at % len(beside)]) for at, (ref, payload) in enumerate(gold_rows) if beside]
    if not gold:
        return None
    contents = _contents(study, [*regular, *gold])
    repeats_of_gold, repeats_of_others = _repeated_items(study)
    of_gold = _features(study, gold, contents) | repeats_of_gold
    found = differences(of_gold, _features(study, regular, contents) | repeats_of_others)
    if found:
        detail = (
            f"Annotators can recognise gold questions by these features: {'; '.join(map(_in_words, found))}. Choose "
            "gold questions that vary in the same way as the other questions."
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


def _repeated_items(study: Study) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return how often the items of gold questions, and those of other questions, are also in other questions of the
    same HIT and in earlier HITs. The HITs are the first ones of the queue with different gold sets.

    The numbers of earlier questions are relative to the mean of the HIT's other questions, because annotators know more
    items in later HITs. Both dictionaries are empty if questions have no items.
    """
    task = tasktypes.get(study.task_type)
    limit = min(study.hits_per_annotator or IN_A_ROW, IN_A_ROW, study.gold_sets.filter(number__isnull=False).count())
    first_hits: dict[int | None, int] = {}  # annotators prefer HITs with new gold sets
    for gold_set, hit in study.hits.order_by("number").values_list("gold_set", "pk")[: 2 * limit]:
        first_hits.setdefault(gold_set, hit)
    sets = {hit: gold_set for gold_set, hit in islice(first_hits.items(), limit)}
    regular, gold = defaultdict[int, list[set[str]]](list), defaultdict[int | None, list[set[str]]](list)
    for hit, payload in HitQuestion.objects.filter(hit__in=sets).values_list("hit", "question__payload"):
        regular[hit].append(set(task.item_keys(payload)))
    of_sets = GoldSetQuestion.objects.filter(gold_set__in=sets.values(), question__kind=Question.Kind.GOLD)
    for gold_set, payload in of_sets.values_list("gold_set", "question__payload"):
        gold[gold_set].append(set(task.item_keys(payload)))
    of_gold, of_others = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    earlier: Counter[str] = Counter()
    for hit, own_set in sets.items():
        in_hit = Counter(key for keys in (*regular[hit], *gold[own_set]) for key in keys)
        usual = mean(sum(earlier[key] for key in keys) for keys in regular[hit])
        for questions, values in ((gold[own_set], of_gold), (regular[hit], of_others)):
            for keys in filter(None, questions):
                values["items in other questions of the HIT"].append(sum(in_hit[key] > 1 for key in keys))
                values["items from earlier HITs, relative to other questions"].append(
                    sum(earlier[key] for key in keys) - usual
                )
        earlier += in_hit
    return of_gold, of_others


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
    if abs(difference.auc - 0.5) < CLEAR:  # the means do not help if gold questions only vary more or less
        return f"{difference.feature} (mostly {_range(*gold_range)} instead of {_range(*others_range)})"
    auc = f"AUC {difference.auc:.2f}".replace(" 0.", " .")
    return f"{difference.feature} ({_number(gold)} instead of {_number(others)} on average, {auc})"


def _range(low: float, high: float) -> str:
    return f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    value = round(value, 2) + 0.0  # without a negative zero
    digits = 0 if value == int(value) or abs(value) >= 100 else 1 if abs(value) >= 1 else 2
    return f"{value:,.{digits}f}".replace("-", "−")
