"""Functions that deal the gold questions of a study to its HITs.

Everyone who takes a HIT gets the same gold questions, so annotators who compare their screens cannot tell the gold
questions from the others. A HIT that an annotator has opened keeps its gold set. See docs/allocation.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

from django.db.models import Count, Exists, IntegerField, Max, OuterRef, Subquery
from django.db.models.functions import Mod

from annotate.models import Assignment, GoldSet, GoldSetQuestion, Hit, Question, Slot, Study
from annotate.numerics.draws import draw
from annotate.selectors.design import gold_in_hit

AT_ONCE = 5_000  # HITs per statement


def deal_gold(study: Study) -> int:
    """Deal the gold questions to all HITs that nobody has opened, and return the number of these HITs.

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
    """Deal the existing gold sets to these HITs in turn. Nobody can have opened the HITs."""
    sets = GoldSet.objects.filter(study=study, number__isnull=False)
    size = sets.count()
    if not size:
        return
    turn = sets.filter(number=Mod(OuterRef("number"), size, output_field=IntegerField()))
    for start in range(0, len(hits), AT_ONCE):
        chosen = Hit.objects.filter(study=study, pk__in=hits[start : start + AT_ONCE])
        chosen.update(gold_set=Subquery(turn.values("pk")))
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
    size, dealt = gold_in_hit(study), _dealt(study)
    gold = list(study.questions.filter(kind=Question.Kind.GOLD).values_list("pk", "ref"))
    order = [pk for pk, ref in sorted(gold, key=lambda question: draw(study.seed, "gold set", question[1]))]
    new = [pk for pk in order if pk not in dealt]
    if not new or not size:
        return
    completed = [*new, *(pk for pk in order if pk in dealt), *new]
    last = GoldSet.objects.filter(study=study).aggregate(last=Max("number"))["last"]
    for number, start in zip(count(0 if last is None else last + 1), range(0, len(new), size), strict=False):
        _store(study, number, completed[start : start + min(size, len(order))])


def _deal_longer_set(study: Study, hit: Hit, missing: int) -> None:
    """Give a short HIT a set of its own with `missing` additional gold questions, while there are any, so that all HITs
    have the same number of questions.
    """
    own = _questions_of(hit.gold_set_id)
    others = [pk for pk in _dealt(study) if pk not in own]
    turned = hit.number % len(others) if others else 0
    hit.gold_set = _store(study, None, [*own, *(others[turned:] + others[:turned])[:missing]])
    hit.save(update_fields=["gold_set"])


def _deal_shorter_set(study: Study, hit: Hit, size: int) -> None:
    """Give a short HIT for skipped questions a set of its own with `size` gold questions, or none, so that the share of
    gold questions is at most as large as in other HITs. Annotators who know what others have skipped would recognize
    all other questions in the HIT as gold questions.
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
