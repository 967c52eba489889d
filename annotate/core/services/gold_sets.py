"""Functions that deal the gold questions of a study to its HITs.

Everyone who takes a HIT gets the same gold questions, so annotators who compare their screens cannot tell the gold
questions from the others. A HIT that an annotator has opened keeps its gold set. See docs/allocation.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from types import MappingProxyType

from django.db.models import Count, Exists, IntegerField, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce, Mod

from accord_core.numerics.draws import draw
from annotate import tasktypes
from annotate.core.selectors.sizes import gold_in_hit
from annotate.models import (
    Answer,
    Assignment,
    GoldSet,
    GoldSetQuestion,
    Hit,
    HitQuestion,
    Participation,
    Question,
    Slot,
    Study,
)

AT_ONCE = 5_000  # HITs per statement


def deal_gold(study: Study) -> int:
    """Deal the gold questions to all unopened HITs, and return the number of these HITs.

    Gold questions that are not in a set yet form additional sets. In a draft, all sets are made again. The study is
    locked, because the given study can be outdated, and slots that are added at the same time need the same gold sets.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.is_draft:
        Slot.objects.filter(study=study).update(gold_set=None)
        Hit.objects.filter(study=study).update(gold_set=None)
        GoldSet.objects.filter(study=study).delete()
    _add_sets(study)
    unopened = _locked_unopened(study)
    deal_to(study, unopened)
    return len(unopened)


def deal_to(study: Study, hits: Sequence[int]) -> None:
    """Deal the existing gold sets to these HITs in turn. The HITs must be unopened."""
    sets = GoldSet.objects.filter(study=study, number__isnull=False)
    size = sets.count()
    if not size:
        return
    turn = sets.filter(number=Mod(OuterRef("number"), size, output_field=IntegerField()))
    items = _items_of_sets(study)
    for start in range(0, len(hits), AT_ONCE):
        chosen = Hit.objects.filter(study=study, pk__in=hits[start : start + AT_ONCE])
        chosen.update(gold_set=Subquery(turn.values("pk")))
        _avoid_repeated_items(study, hits[start : start + AT_ONCE], items)
        for hit in chosen.annotate(size=Count("hit_questions")).filter(size__lt=study.questions_per_hit):
            if hit.for_skipped:
                _deal_shorter_set(study, hit, hit.size * gold_in_hit(study) // study.questions_per_hit)
            else:
                _deal_longer_set(study, hit, study.questions_per_hit - hit.size)
        of_hit = Hit.objects.filter(pk=OuterRef("hit")).values("gold_set")
        Slot.objects.filter(study=study, hit__in=hits[start : start + AT_ONCE]).update(gold_set=Subquery(of_hit))
    GoldSet.objects.filter(~Exists(Hit.objects.filter(gold_set=OuterRef("pk"))), study=study, number=None).delete()


def _add_sets(study: Study) -> None:
    """Divide the gold questions that are not in a set yet into sets of equal size. Earlier gold questions complete the
    last set.
    """
    size, dealt, task = gold_in_hit(study), _dealt(study), tasktypes.get(study.task_type)
    gold = study.questions.filter(kind=Question.Kind.GOLD).values_list("pk", "ref", "payload")
    drawn = sorted(gold, key=lambda question: draw(study.seed, "gold set", question[1]))
    items = {pk: frozenset(task.item_keys(payload)) for pk, _ref, payload in drawn}
    new = [pk for pk in items if pk not in dealt]
    if not new or not size:
        return
    earlier = [pk for pk in items if pk in dealt]
    last = GoldSet.objects.filter(study=study).aggregate(last=Max("number"))["last"]
    numbers = count(0 if last is None else last + 1)
    for number, questions in zip(numbers, _divided(new, earlier, min(size, len(items)), items), strict=False):
        _store(study, number, questions)


def _divided(
    new: Sequence[int], earlier: Sequence[int], size: int, items: Mapping[int, Collection[str]]
) -> Iterator[list[int]]:
    """Divide the new questions into sets of `size` questions, in order. Questions with the same item are in different
    sets, except for the last questions, because the other questions of a HIT usually have different items.
    """
    left = list(new)
    while left:
        questions: list[int] = []
        while len(questions) < size:
            candidates = left or [pk for pk in (*earlier, *new) if pk not in questions]
            known = {key for pk in questions for key in items[pk]}
            chosen = next((pk for pk in candidates if known.isdisjoint(items[pk])), candidates[0])
            candidates.remove(chosen)
            questions.append(chosen)
        yield questions


def _items_of_sets(study: Study) -> dict[int, frozenset[str]]:
    """Return the items of each numbered gold set that are also in the design, in the order of the sets. Items that are
    held out of the design are excluded.
    """
    task = tasktypes.get(study.task_type)
    rows = GoldSetQuestion.objects.filter(gold_set__study=study, gold_set__number__isnull=False)
    items: dict[int, set[str]] = defaultdict(set)
    for gold_set, payload in rows.order_by("gold_set__number").values_list("gold_set", "question__payload"):
        items[gold_set].update(task.item_keys(payload))
    if any(items.values()):
        held_out = set(study.items.filter(held_out=True).values_list("key", flat=True))
        return {gold_set: frozenset(keys - held_out) for gold_set, keys in items.items()}
    return {}


def _avoid_repeated_items(study: Study, hits: Sequence[int], items: Mapping[int, frozenset[str]]) -> None:
    """Give a more suitable gold set to HITs that share an item with their gold set.

    The other questions of a HIT usually have different items, so annotators would recognise a gold question by an item
    that also appears in another question.
    """
    in_gold = frozenset[str]().union(*items.values())
    if not in_gold:
        return
    task, of_hits = tasktypes.get(study.task_type), defaultdict[int, set[str]](set)
    rows = HitQuestion.objects.filter(hit__in=hits).values_list("hit", "question__payload")
    for hit_id, payload in rows.iterator():
        if repeated := in_gold.intersection(task.item_keys(payload)):
            of_hits[hit_id] |= repeated
    order, moved = list(items), []
    dealt = Counter(Hit.objects.filter(study=study, gold_set__in=order).values_list("gold_set", flat=True))
    most = 2 * -(-dealt.total() // len(order))
    for hit in Hit.objects.filter(pk__in=list(of_hits)).only("gold_set").order_by("number"):
        before = hit.gold_set_id or 0
        dealt[before] -= 1
        at = order.index(before)
        hit.gold_set_id = _most_suitable((*order[at:], *order[:at]), of_hits[hit.pk], items, dealt, most)
        dealt[hit.gold_set_id] += 1
        if hit.gold_set_id != before:
            moved.append(hit)
    Hit.objects.bulk_update(moved, ["gold_set"], batch_size=500)


def _most_suitable(
    turned: Sequence[int],
    own: Collection[str],
    items: Mapping[int, frozenset[str]],
    dealt: Mapping[int, int],
    most: int,
) -> int:
    """Return a gold set without any of a HIT's `own` items. If there is none, return the set with the fewest shared
    items among the sets dealt least often. Of equally suitable sets, the first one is returned.

    No set goes to more than `most` HITs, because the HITs of an annotator need different gold questions. In a small
    study, in which most HITs contain most items, all HITs could otherwise get the same set.
    """

    def unsuitable(gold_set: int) -> tuple[bool, bool, int, int]:
        shared = len(items[gold_set].intersection(own))
        return dealt[gold_set] >= most, shared > 0, dealt[gold_set], shared

    if dealt[turned[0]] < most and items[turned[0]].isdisjoint(own):
        return turned[0]
    return min(turned, key=unsuitable)


def _deal_longer_set(study: Study, hit: Hit, missing: int) -> None:
    """Give a short HIT its own set with up to `missing` additional gold questions. All HITs then have the same number
    of questions.
    """
    own = _questions_of(hit.gold_set_id)
    others = [pk for pk in _dealt(study) if pk not in own]
    turned = hit.number % len(others) if others else 0
    hit.gold_set = _store(study, None, [*own, *(others[turned:] + others[:turned])[:missing]])
    hit.save(update_fields=["gold_set"])


def _deal_shorter_set(study: Study, hit: Hit, size: int) -> None:
    """Give a short HIT for skipped questions its own set of `size` gold questions, or none. Its share of gold questions
    then does not exceed that of other HITs. Annotators who know which questions others have skipped would recognise all
    other questions in the HIT as gold questions.
    """
    hit.gold_set = _store(study, None, _questions_of(hit.gold_set_id)[:size]) if size else None
    hit.save(update_fields=["gold_set"])


def _store(study: Study, number: int | None, questions: Sequence[int]) -> GoldSet:
    gold_set = GoldSet.objects.create(study=study, number=number)
    GoldSetQuestion.objects.bulk_create(
        GoldSetQuestion(gold_set=gold_set, question_id=question, position=position)
        for position, question in enumerate(questions, start=1)
    )
    return gold_set


def _dealt(study: Study) -> dict[int, None]:
    """Return the gold questions in the study's numbered sets, in the order of the sets."""
    dealt = GoldSetQuestion.objects.filter(gold_set__study=study, gold_set__number__isnull=False)
    return dict.fromkeys(dealt.order_by("gold_set__number", "position").values_list("question", flat=True))


def _questions_of(gold_set_id: int | None) -> list[int]:
    in_set = GoldSetQuestion.objects.filter(gold_set=gold_set_id).order_by("position")
    return list(in_set.values_list("question", flat=True))


def _locked_unopened(study: Study) -> list[int]:
    """Lock the slots of HITs that no annotator has opened, and return these HITs.

    HITs with a slot that another transaction has locked are left out, because an annotator may be claiming them. The
    study is already locked, so waiting for these slots could also lead to a deadlock.
    """
    opened = Assignment.objects.filter(hit=OuterRef("pk"), kind=Assignment.Kind.REGULAR)
    unopened = Hit.objects.filter(~Exists(opened), study=study)
    slots = Slot.objects.select_for_update(skip_locked=True, no_key=True).filter(study=study, open=1)
    locked = Counter(slots.order_by("pk").values_list("hit", flat=True))
    sizes = unopened.annotate(slots_wanted=Count("slots")).order_by("number").values_list("pk", "slots_wanted")
    return [hit for hit, wanted in sizes if locked[hit] == wanted]


GOLD_SUMS = ("tallies", "graded", "forgiven", "forgiven_graded")
Tally = Mapping[str, float]
NO_CHANGES: Mapping[int, Tally] = MappingProxyType({})


def recount(participations: Sequence[Participation], changed: Mapping[int, Tally] = NO_CHANGES) -> None:
    """Set `GOLD_SUMS` from the stored grades, without saving the participations. This needs one query.

    `changed` contains new tallies by the primary key of the answer, which replace the stored tallies.
    """
    at = Coalesce("given_at", "acknowledged_at")  # unanswered gold questions of a batch have no answer
    graded = Answer.objects.filter(
        participation__in=participations, question__kind=Question.Kind.GOLD, tally__isnull=False
    ).annotate(at=at)
    by_participation = defaultdict(list)
    for participation_id, pk, tally, given_at in graded.order_by("pk").values_list(
        "participation", "pk", "tally", "at"
    ):
        by_participation[participation_id].append((changed.get(pk) or tally or {}, given_at))
    for participation in participations:
        _set_sums(participation, by_participation[participation.pk])


def _set_sums(participation: Participation, rows: Sequence[tuple[Tally, datetime]]) -> None:
    participation.tallies, participation.graded = _sum([tally for tally, _ in rows])
    # The quality rule ignores answers graded before the annotator was last restored.
    restored_at = participation.restored_at
    ignored = [tally for tally, at in rows if restored_at and at <= restored_at]
    participation.forgiven, participation.forgiven_graded = _sum(ignored)


def _sum(tallies: list[Tally]) -> tuple[dict[str, float], int]:
    """Return the sum of each tally over all answers, by name, and the number of answers."""
    return {name: sum(tally.get(name, 0) for tally in tallies) for name in _names(tallies)}, len(tallies)


def _names(tallies: Iterable[Tally]) -> list[str]:
    return list(dict.fromkeys(name for tally in tallies for name in tally))
