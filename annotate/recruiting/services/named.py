"""Services for named annotators, their personal links, and the HITs reserved for them.

Lock order: named annotators by id, and then as everywhere (see core/services/locks.py). A reservation locks the
participations of its annotators, so that none of them claims a HIT while its slots change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import cast

from django.utils.translation import gettext as _

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.people import Person, faults_of, read_people
from accord_core.numerics.printed import with_noun
from accord_core.numerics.sharing import share_evenly
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study, require
from annotate.core.selectors.quotas import groups_with_quota
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.consent_terms import admits_strangers
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots
from annotate.core.services.writing import write
from annotate.models import (
    Annotator,
    AnnotatorGroup,
    Assignment,
    HitQuestion,
    NamedAnnotator,
    Participation,
    Slot,
    Study,
)
from annotate.recruiting.selectors import groups_by_screening
from annotate.server import clock
from annotate.server.refusals import Refused, existing, invalid

from .join import join

SHOWN = 5  # errors in a message
MOST = 10_000  # named annotators of a study


def add_named(study_id: int, names: Sequence[str], *, user: Actor) -> list[NamedAnnotator]:
    """Add named annotators, each with a personal link. Raises `Refused` (`invalid`) as `add_people` does."""
    return add_people(study_id, [Person(name.strip()) for name in names if name.strip()], user=user)


def add_file(study_id: int, data: bytes, filename: str, *, user: Actor) -> list[NamedAnnotator]:
    """Add the people in a CSV file as named annotators (see `exchange/people.py`). Raises `Refused` with the code
    `faults` if the file contains errors, or `invalid` as `add_people` does.
    """
    require(Study.objects.get(pk=study_id), user, Action.NAME_ANNOTATORS)
    try:
        people = read_people(data, name=filename, most=MOST)
    except TableError as error:
        faults = {str(fault.line or 0): [str(fault)] for fault in error.faults}
        raise Refused("faults", str(error), status=400, fields=faults) from error
    return add_people(study_id, people, user=user)


def add_people(study_id: int, people: Sequence[Person], *, user: Actor) -> list[NamedAnnotator]:
    """Add people as named annotators, each with a personal link, and create their groups. Raises `Refused` (`invalid`)
    if a name or address is invalid or repeated, or if the study does not admit named annotators.
    """
    with write():
        study = _study(study_id, user)
        if study.admission != Study.Admission.NAMED:
            message = "Choose “only named annotators” under “Who can join” in Settings before you add annotators."
            raise invalid("names", message)
        if not people:
            raise invalid("names", "Enter at least one name.")
        known = list(NamedAnnotator.objects.filter(study=study).exclude(name="").values_list("name", "email"))
        if len(known) + len(people) > MOST:
            raise invalid("names", f"A study can have at most {MOST:,} named annotators.")
        faults = faults_of(people, [name for name, _email in known], [email for _name, email in known])
        if faults:
            raise invalid("names", _sentence(faults))
        groups = _groups(study, {person.group for person in people if person.group})
        added = NamedAnnotator.objects.bulk_create(
            NamedAnnotator(study=study, name=one.name, email=one.email, group=groups.get(one.group)) for one in people
        )
        record(study, "named annotators", user=user, detail=_follow_number(study, len(known)), annotators=len(added))
        return added


def _follow_number(study: Study, before: int) -> dict[str, list[int]]:
    """Let each named annotator of a draft answer all questions, up to the usual judgements per question, until somebody
    sets the number of judgements. `before` is the earlier number of annotators. Return the change for the log.
    """
    of_task = tasktypes.get(study.task_type).begins_with()
    usual = cast("int", of_task.get("judgements", Study._meta.get_field("judgements").default))
    followed, old = min(before, usual) or usual, study.judgements
    number = study.named_annotators.exclude(name="").count()
    changes = study.events.filter(verb="changed settings").values_list("detail", flat=True)
    was_set = old != followed or any("judgements" in detail for detail in changes)
    if was_set or not (study.is_draft and number) or admits_strangers(study):
        return {}
    # Built questions contain the number of judgements, so more annotators do not change it.
    if study.has_quotas or (study.design_id and old <= number):
        return {}
    study.judgements = min(number, usual)
    study.save(update_fields=["judgements"])
    return {"judgements": [old, study.judgements]} if study.judgements != old else {}


def _groups(study: Study, names: set[str]) -> dict[str, AnnotatorGroup]:
    """Return the study's groups that have these names, by name. Missing groups are created without a working link."""
    existing = set(study.groups.filter(name__in=names).values_list("name", flat=True))
    missing = [AnnotatorGroup(study=study, name=name, revoked_at=clock.now()) for name in sorted(names - existing)]
    AnnotatorGroup.objects.bulk_create(missing)
    return {group.name: group for group in study.groups.filter(name__in=names)}


def remove_named(study_id: int, named: str, *, user: Actor) -> None:
    """Remove a named annotator who has not joined yet. The annotator's reserved slots become available to all
    annotators in the study. Raises `Refused` with the code `unknown` or `joined`.
    """
    with write():
        study = _study(study_id, user)
        annotator = _locked(study, [named])[0]
        if annotator.participation_id:
            raise Refused(
                "joined", f"{annotator} has joined the study. To stop an annotator, open the annotator's page."
            )
        freed = Slot.objects.filter(study=study, reserved_for=annotator).update(reserved_for=None)
        number = study.named_annotators.exclude(name="").count()
        annotator.delete()
        record(study, "removed named annotator", user=user, detail=_follow_number(study, number), slots=freed)
        note_opened_slots(study)


def join_by_link(named_id: int, *, public_id: str | None = None, screening: str = "") -> Participation:
    """Return the named annotator's participation, created when the annotator first joins. Raises `Refused` with the
    code `unknown`, `closed`, `archived`, or `screening`.
    """
    with write():
        named = existing(
            NamedAnnotator.objects.select_for_update(no_key=True, of=("self",)).filter(pk=named_id).first(),
            _("This link no longer works. Ask the research team for a new link."),
        )
        if named.participation:
            return named.participation
        named.participation = join(
            named.study,
            platform=Annotator.Platform.NAMED,
            external_id=named.public_id,
            contact=named.name,
            public_id=public_id,
            screening=screening,
            group=named.group,
        )
        named.save(update_fields=["participation"])
        return named.participation


def reserve(
    study_id: int, *, named: str, user: Actor, hits: Collection[int] = (), questions: Collection[str] = ()
) -> int:
    """Reserve one open slot in each HIT for the annotator, and return the number of reserved slots. The HITs are
    selected by number in `hits`, and by the IDs of their questions in `questions`. The function skips HITs that the
    annotator already has and HITs without a free slot.

    Raises `Refused` with the code `unknown` for an unknown annotator, HIT number or question ID, or `ended` for an
    annotator who was stopped or has withdrawn.
    """
    with write():
        study = _study(study_id, user)
        (annotator,) = _locked(study, [named])
        if annotator.pk in _ended(study):
            raise Refused("ended", f"{annotator} gets no more HITs, so no HITs can be reserved for this annotator.")
        slots = _open_slots(study, _hits(study, hits, questions))
        taken = _taken(study, [annotator])[annotator.pk]
        free = _free(study, slots, _quota_group(study, annotator))
        chosen = [own[0] for hit, own in free.items() if own and hit not in taken]
        return _store(study, {annotator.pk: chosen}, user)


def share_out(study_id: int, *, user: Actor) -> int:
    """Reserve all free slots for the named annotators, so that every annotator has about the same number of HITs.
    Return the number of reserved slots.
    """
    with write():
        study = _study(study_id, user)
        ended = _ended(study)
        annotators = [one for one in _locked(study) if one.pk not in ended]
        slots = _open_slots(study)
        taken = _taken(study, annotators)
        chosen: dict[int, list[Slot]] = defaultdict(list)
        for group in {_quota_group(study, annotator) for annotator in annotators}:
            free = _free(study, slots, group)
            members = [annotator.pk for annotator in annotators if _quota_group(study, annotator) == group]
            shares = share_evenly(((hit, len(own)) for hit, own in free.items()), members, taken)
            for hit, sharers in shares.items():
                for annotator_id, slot in zip(sharers, free[hit], strict=False):
                    chosen[annotator_id].append(slot)
        return _store(study, chosen, user)


def unreserve(study_id: int, *, named: str, user: Actor) -> int:
    """Release the open slots reserved for the annotator, so that any annotator of the study can claim them. Return the
    number of slots that became available. Slots already claimed by the annotator do not change.
    """
    with write():
        study = _study(study_id, user)
        (annotator,) = _locked(study, [named])
        own = [slot for slots in _open_slots(study).values() for slot in slots if slot.reserved_for_id == annotator.pk]
        freed = Slot.objects.filter(pk__in=[slot.pk for slot in own]).update(reserved_for=None)
        record(study, "ended reservations", user=user, participation=annotator.participation, slots=freed)
        note_opened_slots(study)
        return freed


def lacking_annotators(study: Study) -> str:
    """Return the reason why the named annotators cannot answer all questions, or an empty string if they can. A group
    with a working link can have any number of annotators.
    """
    if study.has_quotas and (unmet := _lacking_in_groups(study)):
        return unmet
    if admits_strangers(study):
        return ""
    annotators = study.named_annotators.exclude(name="").count()
    if not annotators:
        return "Only named annotators can join, but the study has none. Add annotators on the Named annotators page."
    if study.judgements > annotators:
        return (
            f"Each question needs {study.judgements} judgements, but the study has only "
            f"{with_noun(annotators, 'named annotator')}. Add annotators, or reduce the judgements per question."
        )
    return ""


def _lacking_in_groups(study: Study) -> str:
    """Return the reason why the first group without a working link cannot reach its quota, or an empty string."""
    for group in groups_with_quota(study).exclude(revoked_at=None).exclude(name__in=groups_by_screening(study)):
        members = study.named_annotators.exclude(name="").filter(group=group).count()
        if members < (group.judgements or 0):
            return (
                f"Each question needs {with_noun(group.judgements or 0, 'judgement')} from the group {group.name}. "
                f"This group has no working link and {with_noun(members, 'named annotator')}. Add annotators, or "
                "change the quota."
            )
    return ""


def _study(study_id: int, user: Actor) -> Study:
    study = permitted_study(study_id, user, Action.NAME_ANNOTATORS)
    refuse_if_archived(study_id)
    return study


def _hits(study: Study, numbers: Collection[int], refs: Collection[str]) -> set[int]:
    by_number = dict(study.hits.filter(number__in=numbers).values_list("number", "pk"))
    if unknown := sorted(set(numbers) - by_number.keys()):
        raise Refused("unknown", f"This study has no HIT with the number {unknown[0]}.", status=404)
    of_questions = HitQuestion.objects.filter(hit__study=study, question__ref__in=refs)
    by_ref = list(of_questions.values_list("question__ref", "hit"))
    if unknown_refs := sorted(set(refs) - {ref for ref, _hit in by_ref}):
        raise Refused("unknown", f"No HIT in this study contains the question {unknown_refs[0]}.", status=404)
    return {*by_number.values(), *(hit for _ref, hit in by_ref)}


def _locked(study: Study, public_ids: Collection[str] | None = None) -> list[NamedAnnotator]:
    """Lock the named annotators and their participations. Raises `Refused` (`unknown`)."""
    people = NamedAnnotator.objects.select_for_update(no_key=True).filter(study=study).order_by("pk")
    if public_ids is not None:
        people = people.filter(public_id__in=public_ids)
    named = list(people)
    if public_ids is not None and len(named) < len(public_ids):
        raise Refused("unknown", "This study has no named annotator with this ID.", status=404)
    own = [one.participation_id for one in named if one.participation_id]
    participations = {one.pk: one for one in Participation.objects.locked().filter(pk__in=own).order_by("pk")}
    for one in named:
        one.participation = participations.get(one.participation_id or 0)
    return named


def _open_slots(study: Study, hits: Iterable[int] | None = None) -> dict[int, list[Slot]]:
    """Lock the open slots, and return them by HIT, in HIT order."""
    slots = Slot.objects.select_for_update(no_key=True).filter(study=study, open=1).only("hit", "reserved_for", "group")
    if hits is not None:
        slots = slots.filter(hit__in=list(hits))
    by_hit: dict[int, list[Slot]] = defaultdict(list)
    for slot in slots.order_by("pk"):
        by_hit[slot.hit_id].append(slot)
    return dict(sorted(by_hit.items()))


def _free(study: Study, slots: dict[int, list[Slot]], group_id: int | None) -> dict[int, list[Slot]]:
    """Return, by HIT, the group's slots that are not reserved for an annotator who can still claim HITs."""
    without_effect = {None, *_ended(study)}
    return {
        hit: [slot for slot in own if slot.reserved_for_id in without_effect and slot.group_id == group_id]
        for hit, own in slots.items()
    }


def _quota_group(study: Study, annotator: NamedAnnotator) -> int | None:
    """Return the group of the slots that the annotator can hold, or None without quotas."""
    return annotator.group_id or 0 if study.has_quotas else None


def _ended(study: Study) -> set[int]:
    return set(study.named_annotators.ended().values_list("pk", flat=True))


def _taken(study: Study, annotators: Sequence[NamedAnnotator]) -> dict[int, set[int]]:
    """Return each annotator's HITs: those with a slot reserved for the annotator, and those already claimed."""
    taken: dict[int, set[int]] = {annotator.pk: set() for annotator in annotators}
    reserved = Slot.objects.filter(study=study, reserved_for__in=list(taken))
    for annotator, hit in reserved.values_list("reserved_for", "hit"):
        taken[annotator or 0].add(hit)
    by_participation = {one.participation_id: one.pk for one in annotators if one.participation_id}
    claimed = Assignment.objects.filter(participation__in=list(by_participation), hit__isnull=False)
    for participation, hit_id in claimed.values_list("participation", "hit"):
        taken[by_participation[participation]].add(hit_id or 0)
    return taken


def _store(study: Study, chosen: dict[int, list[Slot]], user: Actor) -> int:
    for annotator_id, slots in chosen.items():
        Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(reserved_for=annotator_id)
    number = sum(map(len, chosen.values()))
    record(study, "reserved HITs", user=user, slots=number, annotators=len(chosen))
    note_opened_slots(study)
    return number


def _sentence(faults: Sequence[Fault]) -> str:
    """Return the first few errors as one sentence. People who were not read from a file have no line number."""
    text = "; ".join(str(fault) if fault.line else fault.message for fault in faults[:SHOWN])
    return f"{text[:1].upper()}{text[1:]}."
