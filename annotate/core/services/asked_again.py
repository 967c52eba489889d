"""Services that ask a question again if it was skipped, if its answer was excluded, or if it was left out of a HIT for
a repeated question. One more slot is opened for each question that is asked again. In a study with quotas, this slot
belongs to the annotator's group.

A skipped question goes to another annotator. A question that was left out usually comes back to the same annotator,
because all others of a small team may have answered it. It therefore shares a HIT only with questions left out for the
same annotator, until `fill_up` adds others at the claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, When

from annotate.core.services.gold_sets import deal_to
from annotate.models import Answer, Assignment, Hit, HitQuestion, NamedAnnotator, Participation, Question, Slot, Study

from .slot_counts import note_opened_slots

ANY_HIT = Q()
SHORT_HITS = 20  # HITs that a claim examines to fill up its own


def ask_again(assignment: Assignment, answers: Iterable[Answer]) -> int:
    """Open one more slot for each regular question that was skipped in a submitted HIT, or left out of it. Returns
    their number.

    A surplus HIT opens no slots, because another annotator has answered its questions. If the HIT counts later,
    `balance_slots` opens the slots. The assignment must be locked, and nothing else may be locked after it in this
    transaction.
    """
    skipped = [answer.question_id for answer in answers if answer.skipped and _is_regular(answer)]
    left_out = [answer.replaces_id for answer in answers if answer.replaces_id is not None]
    counts = assignment.state == Assignment.State.DONE and assignment.kind == Assignment.Kind.REGULAR
    if not (skipped or left_out) or not counts:
        return 0
    group_id = assignment.slot.group_id if assignment.slot else None
    open_slots_for(assignment.study_id, skipped, group_id=group_id)
    open_slots_for(assignment.study_id, left_out, group_id=group_id, left_out_for=assignment.participation_id)
    return len(skipped) + len(left_out)


@dataclass(frozen=True)
class Balanced:
    """The numbers of questions for which additional slots were opened or withdrawn."""

    opened: int
    withdrawn: int


def balance_slots(study_id: int, question_ids: Iterable[int]) -> Balanced:
    """Open or withdraw slots, so that there is one additional slot for each skipped or excluded answer in a counted
    HIT, and for each question that was left out of such a HIT. Slots that annotators have claimed are never withdrawn.

    The assignments must be locked. Callers use this function after answers or assignments have started or stopped
    counting. A stopped annotator's HIT, for example, becomes available as a whole, so its excluded answers need no
    additional slots.
    """
    ids = sorted(set(question_ids))
    if not ids:
        return Balanced(0, 0)
    # Without the lock, another transaction could commit a slot between the two queries below.
    Study.objects.select_for_update(no_key=True).get(pk=study_id)
    missing = Answer.objects.filter(
        ~Q(skipped="") | ~Q(excluded=""),
        question__in=ids,
        repeat=False,
        assignment__kind=Assignment.Kind.REGULAR,
        assignment__state=Assignment.State.DONE,
    )
    left_out = Answer.objects.filter(
        replaces__in=ids,
        assignment__kind=Assignment.Kind.REGULAR,
        assignment__state=Assignment.State.DONE,
    )
    needed = Counter(missing.values_list("assignment__slot__group_id", "question_id"))
    needed += Counter(left_out.values_list("assignment__slot__group_id", "replaces_id"))
    first = Slot.objects.filter(hit=OuterRef("hit")).order_by("pk").values("group")[:1]
    again = HitQuestion.objects.filter(question__in=ids, hit__for_skipped=True).annotate(group=Subquery(first))
    asked = Counter(again.values_list("group", "question_id"))
    withdrawn = sum(
        withdraw_slot_for(study_id, question_id, group_id=group_id)
        for (group_id, question_id), number in sorted((asked - needed).items(), key=lambda row: row[0][1])
        for _surplus in range(number)
    )
    unasked = sorted((needed - asked).elements(), key=lambda row: row[1])
    for group_id in dict.fromkeys(group_id for group_id, _question in unasked):
        of_group = [question_id for own_group, question_id in unasked if own_group == group_id]
        open_slots_for(study_id, of_group, group_id=group_id)
    return Balanced(len(unasked), withdrawn)


def uncounted_questions(assignments: Iterable[Assignment]) -> list[int]:
    """Return the regular questions in these assignments that were skipped, whose answers were excluded, or that were
    left out for repeated questions.
    """
    keys = [assignment.pk for assignment in assignments]
    if not keys:
        return []
    answers = Answer.objects.filter(
        ~Q(skipped="") | ~Q(excluded=""),
        assignment__in=keys,
        question__kind=Question.Kind.REGULAR,
        repeat=False,
    )
    left_out = Answer.objects.filter(assignment__in=keys, replaces__isnull=False)
    return [*answers.values_list("question_id", flat=True), *left_out.values_list("replaces_id", flat=True)]


def open_slots_for(
    study_id: int, question_ids: Sequence[int], *, group_id: int | None = None, left_out_for: int | None = None
) -> None:
    """Open one more slot for each question, and for this group if the study has quotas. These questions share HITs:
    each is added to the latest such HIT until it is full or claimed.

    Questions that were left out for the participation `left_out_for` get HITs of their own. In a study with named
    annotators, these HITs are reserved for the annotator.
    """
    if not question_ids:
        return
    waiting, opened = _unclaimed_slot(study_id, Q(hit__left_out_for=left_out_for), group_id=group_id), 0
    changed: dict[int, None] = {}
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    for question_id in question_ids:
        if waiting is None or _is_full(waiting.hit, question_id, study.questions_per_hit):
            waiting, opened = _new_slot(study, group_id, left_out_for), opened + 1
        last = HitQuestion.objects.filter(hit=waiting.hit_id).aggregate(last=Max("position"))["last"] or 0
        HitQuestion.objects.create(hit_id=waiting.hit_id, question_id=question_id, position=last + 1)
        changed[waiting.hit_id] = None
    deal_to(study, list(changed))
    # The stored counts are incremented rather than recalculated, because recounting a large study would lock it for too
    # long.
    Study.objects.filter(pk=study.pk).update(
        assignments_planned=F("assignments_planned") + opened,
        judgements_planned=F("judgements_planned") + len(question_ids),
    )
    note_opened_slots(study)


def withdraw_slot_for(study_id: int, question_id: int, *, group_id: int | None, among: Q = ANY_HIT) -> bool:
    """Close one slot that `open_slots_for` opened for the question and the group, in the HITs that `among` allows.
    Return False if annotators have claimed all additional slots for the question.
    """
    slot = _unclaimed_slot(study_id, among & Q(hit__hit_questions__question=question_id), group_id=group_id)
    if slot is None:
        return False
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    HitQuestion.objects.filter(hit=slot.hit_id, question=question_id).delete()
    deal_to(study, [slot.hit_id])
    emptied = not HitQuestion.objects.filter(hit=slot.hit_id).exists()
    if emptied:
        slot.hit.delete()  # also deletes the slot
    Study.objects.filter(pk=study.pk).update(
        assignments_planned=F("assignments_planned") - int(emptied), judgements_planned=F("judgements_planned") - 1
    )
    return True


def split_off(participation: Participation) -> bool:
    """For an annotator without a suitable slot, move repeated questions that are new to the annotator into a separate
    HIT. Return False if there are no such questions.

    Questions that different annotators have skipped share HITs. In a small team, each of the others may have answered
    one of a HIT's questions, so that nobody could take the HIT.

    This is not done in a pilot, to which a new HIT would not belong.
    """
    study = participation.study
    if study.piloting:
        return False
    group_id = participation.group_id if study.has_quotas else None
    met = Exists(Answer.objects.filter(participation=participation, question=OuterRef("question")))
    of_hit = HitQuestion.objects.filter(hit=OuterRef("hit"))
    slots = _unclaimed_slots(study.pk, group_id).filter(reserved_for=None)
    shared = slots.filter(Exists(of_hit.filter(met)), Exists(of_hit.filter(~met))).order_by("place").first()
    if shared is None:
        return False
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    own = _new_slot(study, group_id, left_out_for=None)
    HitQuestion.objects.filter(~met, hit=shared.hit_id).update(hit=own.hit_id)
    deal_to(study, [shared.hit_id, own.hit_id])
    Study.objects.filter(pk=study.pk).update(assignments_planned=F("assignments_planned") + 1)
    fill_up(study, own.hit_id, participation.pk)
    return True


def fill_up(study: Study, hit_id: int, participation_id: int) -> int:
    """Fill this HIT with questions from other HITs for questions asked again, and return the number of questions moved.
    The HIT is for one annotator, who has not answered the questions.

    Questions left out for different annotators are asked in different HITs. Without this function, each annotator of a
    large study would leave a short HIT, which is paid in full.
    """
    taken = Slot.objects.select_related("hit").get(hit=hit_id)
    _give_back_copies(study, taken, participation_id)
    room = study.questions_per_hit - HitQuestion.objects.filter(hit=hit_id).count()
    moved, changed, emptied = 0, [hit_id], 0
    for hit, is_own in _short_hits(study, taken.group_id, participation_id) if room > 0 else ():
        own = Answer.objects.filter(participation=participation_id)
        met = Exists(own.filter(question=OuterRef("question")))
        in_hit = Exists(HitQuestion.objects.filter(hit=hit_id, question=OuterRef("question")))
        # The annotator gets a question that was also left out for somebody else from the annotator's own HIT. In a
        # small team, nobody else could answer it there.
        left_out = Exists(own.filter(replaces=OuterRef("question")))
        new = HitQuestion.objects.filter(~met, ~in_hit, Q() if is_own else ~left_out, hit=hit).order_by("position")
        for question in new[: room - moved]:
            last = HitQuestion.objects.filter(hit=hit_id).aggregate(last=Max("position"))["last"] or 0
            question.hit_id, question.position = hit_id, last + 1
            question.save(update_fields=["hit", "position"])
            moved += 1
        if HitQuestion.objects.filter(hit=hit).exists():
            changed.append(hit.pk)
        else:
            hit.delete()  # also deletes the slot
            emptied += 1
        if moved == room:
            break
    if moved:
        deal_to(study, changed)
        Study.objects.filter(pk=study.pk).update(assignments_planned=F("assignments_planned") - emptied)
    return moved


def _give_back_copies(study: Study, taken: Slot, participation_id: int) -> None:
    """Resolve duplicates between a claimed HIT and the HIT kept for the annotator who claimed it. Questions in both are
    removed from the kept HIT, and slots for them are opened for the annotator for whom the claimed HIT was kept.

    Otherwise, the annotator could no longer claim the HIT kept for them, and everybody else may have answered its other
    questions.
    """
    if taken.hit.left_out_for_id == participation_id:
        return
    own = Answer.objects.filter(participation=participation_id, replaces=OuterRef("question"))
    both = HitQuestion.objects.filter(Exists(own), hit=taken.hit_id).order_by("position")
    for question_id in both.values_list("question_id", flat=True):
        own_hit = Q(hit__left_out_for=participation_id)
        if withdraw_slot_for(study.pk, question_id, group_id=taken.group_id, among=own_hit):
            owner = taken.hit.left_out_for_id
            open_slots_for(study.pk, [question_id], group_id=taken.group_id, left_out_for=owner)


def _short_hits(study: Study, group_id: int | None, participation_id: int) -> list[tuple[Hit, bool]]:
    """Lock the slots of a few unclaimed HITs of repeated questions that still have room. Return these HITs, and whether
    their questions were left out for this annotator. The annotator's own HITs come first.
    """
    size = HitQuestion.objects.filter(hit=OuterRef("hit")).order_by().values("hit").annotate(size=Count("pk"))
    own = Case(When(hit__left_out_for=participation_id, then=True), default=False)
    slots = _unclaimed_slots(study.pk, group_id).filter(reserved_for=None)
    short = slots.annotate(size=Subquery(size.values("size")), is_own=own).filter(size__lt=study.questions_per_hit)
    return [(slot.hit, slot.is_own) for slot in short.order_by("-is_own", "place")[:SHORT_HITS]]


def _is_regular(answer: Answer) -> bool:
    return answer.question.kind == Question.Kind.REGULAR and not answer.repeat


def _unclaimed_slot(study_id: int, among: Q, *, group_id: int | None) -> Slot | None:
    """Lock and return the group's open slot in the latest HIT for questions asked again that `among` allows, or None if
    there is no such slot.
    """
    return _unclaimed_slots(study_id, group_id).filter(among).order_by("-place").first()


def _unclaimed_slots(study_id: int, group_id: int | None) -> QuerySet[Slot]:
    """Lock and return the group's open slots in HITs for questions asked again that no annotator has claimed.

    HITs with more slots are excluded, because annotators of the same HIT must get the same questions, and because each
    question is asked again only once.
    """
    slots = Slot.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).select_related("hit")
    open_slots = slots.filter(study=study_id, group=group_id, open=1, hit__for_skipped=True, hit__assignments=None)
    return open_slots.exclude(Exists(Slot.objects.filter(hit=OuterRef("hit")).exclude(pk=OuterRef("pk"))))


def _own_name(study: Study, participation_id: int | None) -> NamedAnnotator | None:
    if participation_id is None or study.admission != Study.Admission.NAMED:
        return None
    return NamedAnnotator.objects.filter(participation=participation_id).first()


def _is_full(hit: Hit, question_id: int, size: int) -> bool:
    """Return whether the HIT has no room for the question or already contains it."""
    in_hit = HitQuestion.objects.filter(hit=hit)
    return in_hit.filter(question=question_id).exists() or in_hit.aggregate(size=Count("pk"))["size"] >= size


def _new_slot(study: Study, group_id: int | None, left_out_for: int | None) -> Slot:
    number = (study.hits.aggregate(last=Max("number"))["last"] or 0) + 1
    place = (study.slots.aggregate(last=Max("place"))["last"] or 0) + 1
    hit = Hit.objects.create(study=study, number=number, for_skipped=True, left_out_for_id=left_out_for)
    reserved_for = _own_name(study, left_out_for)
    return Slot.objects.create(study=study, hit=hit, place=place, group_id=group_id, reserved_for=reserved_for)
