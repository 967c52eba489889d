"""Services for annotators' standing in a study, which apply the quality rule, stop annotators and restore
annotators.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q

from annotate import tasktypes
from annotate.core.permissions import SYSTEM, Action, Actor, require
from annotate.core.services.texts import required_reason
from annotate.models import Annotator, Assignment, Event, Participation, Question, Study
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes.extensions import ANNOTATOR_STOPPED, announce

from .asked_again import balance_slots, uncounted_questions
from .exclusions import exclude_beyond_quota, include_within_quota
from .locks import locked_participation
from .log import record
from .slots import open_reservations, release, take_again
from .writing import write

STOPPED = "stopped"


def add_tallies(participation: Participation, tallies: Sequence[Mapping[str, float]]) -> None:
    """Add the tallies of graded gold answers to the annotator's sums. The caller must save the locked participation."""
    names = {*participation.tallies, *(name for tally in tallies for name in tally)}
    participation.tallies = {
        name: sum((tally.get(name, 0) for tally in tallies), participation.tallies.get(name, 0)) for name in names
    }
    participation.graded += len(tallies)


def accuracy(participation: Participation, *, since_restored: bool = False) -> float | None:
    """Return the accuracy on gold questions under the study's measure, or None. The rule uses `since_restored`."""
    task = tasktypes.get(participation.study.task_type)
    tallies = participation.tallies
    if since_restored:
        tallies = {name: value - participation.forgiven.get(name, 0) for name, value in tallies.items()}
    return task.accuracy(tallies, participation.study.rule_measure)


def apply_rule(participation: Participation) -> bool:
    """Stop the annotator if the accuracy is below the pass mark. Return whether this call stopped the annotator.

    The caller must lock the participation first. The rule ignores everything before the annotator was last restored.
    """
    if participation.has_ended or not fails_rule(participation):
        return False
    stop_by_rule(participation, accuracy(participation, since_restored=True))
    return True


def stop_by_rule(participation: Participation, share: float | None) -> None:
    """Stop the annotator because the accuracy `share` is below the pass mark. The caller must lock the participation
    first.
    """
    threshold = float(participation.study.rule_threshold)
    reason = f"accuracy {share:.0%} on gold questions, below the pass mark of {threshold:.0%}"
    _stop(participation, reason, SYSTEM, cause=Event.QUALITY_RULE)


def fails_rule(participation: Participation) -> bool:
    """Return whether the annotator's accuracy since the last restoration is below the pass mark."""
    return bool(failing([participation]))


def failing(participations: Iterable[Participation]) -> set[int]:
    """Return the primary keys of the participations whose accuracy since the last restoration is below the pass mark.

    This needs at most one query.
    """
    ruled = [each for each in participations if _has_rule(each)]
    progress = rule_progress(ruled)
    return {each.pk for each in ruled if fails_after(each, progress[each.pk])}


def fails_after(participation: Participation, progress: int) -> bool:
    """Return whether the annotator's accuracy is below the pass mark after this number of gold answers or HITs."""
    enough = _has_rule(participation) and progress >= participation.study.rule_minimum
    return enough and _is_below_pass_mark(participation)


def _has_rule(participation: Participation) -> bool:
    person = participation.annotator
    excluded = person.platform == Annotator.Platform.TRY or person.is_program
    return participation.study.rule_threshold != 0 and not excluded


def _is_below_pass_mark(participation: Participation) -> bool:
    share = accuracy(participation, since_restored=True)
    return share is not None and share < float(participation.study.rule_threshold)


def stopped_by_rule(annotators: Iterable[Participation]) -> list[Participation]:
    """Return the annotators whose most recent stop was made by the quality rule."""
    stopped = [each for each in annotators if each.standing == Participation.Standing.STOPPED]
    stops = Event.objects.filter(participation__in=stopped, verb="stopped").order_by("at", "pk")
    latest = {stop.participation_id: stop for stop in stops}
    return [each for each in stopped if each.pk in latest and latest[each.pk].by_quality_rule]


def credit_after_stop(assignment: Assignment) -> None:
    """Credit a HIT that an annotator had begun before a stop, and whose answers arrive afterwards.

    A page sends its answers while the annotator continues to work, so these answers were given before the page could
    learn of the stop. The database allows only one such HIT for each stop.
    """
    if assignment.open_at_stop and not assignment.credited:
        assignment.credited = True
        assignment.save(update_fields=["credited"])


def stop(participation_id: int, *, reason: str, user: Actor) -> None:
    """Stop an annotator for the given reason. The standing of annotators who were stopped or have withdrawn does not
    change.
    """
    required_reason(reason)
    with write():
        participation = locked_participation(participation_id)
        require(participation.study, user, Action.STOP_ANNOTATORS)
        if not participation.has_ended:
            _stop(participation, reason, user, cause=Event.DECISION)


def stop_unqualified(participation: Participation, reason: str) -> None:
    """Stop an annotator who has not passed the qualification. The caller must lock the participation first."""
    _stop(participation, reason, SYSTEM, cause=Event.QUALIFICATION)


@dataclass(frozen=True)
class Restored:
    """The numbers of assignments that count again, become surplus, or can be continued. Practice is not counted."""

    counted: int
    surplus: int
    resumable: int


def restore(participation_id: int, *, reason: str, user: Actor) -> Restored:
    """Restore a stopped annotator. Each of the annotator's assignments counts again if its HIT has an open slot, or
    otherwise becomes surplus.
    """
    required_reason(reason)
    with write():
        participation = locked_participation(participation_id)
        require(participation.study, user, Action.RESTORE_ANNOTATORS)
        if participation.standing != Participation.Standing.STOPPED:
            raise Refused("not-stopped", f"{participation.pseudonym} is not stopped.")
        participation.forgiven, participation.forgiven_graded = participation.tallies, participation.graded
        participation.restored_at = clock.now()
        return reinstate(participation, reason=reason, user=user)


def reinstate(participation: Participation, *, reason: str, user: Actor) -> Restored:
    """Let a stopped annotator and the annotator's assignments count again. The caller must lock the participation
    first.
    """
    counted = surplus = resumable = 0
    voided = _own(participation, Assignment.State.VOID)
    for assignment in voided:
        if assignment.submitted_at is None:
            # Practice assignments and try-outs do not occupy slots, so no other annotator can have taken their
            # place.
            regular = assignment.kind == Assignment.Kind.REGULAR
            resumable += regular
            assignment.state = Assignment.State.LAPSED if regular else Assignment.State.LEASED
        elif assignment.kind != Assignment.Kind.REGULAR:
            assignment.state = Assignment.State.DONE
        elif take_again(assignment):
            assignment.state, counted = Assignment.State.DONE, counted + 1
        else:
            assignment.state, surplus = Assignment.State.SURPLUS, surplus + 1
        # An annotator who was stopped during a HIT keeps the credit that was promised for it.
        submitted = assignment.submitted_at is not None and assignment.kind == Assignment.Kind.REGULAR
        assignment.credited = assignment.credited or submitted
        assignment.reason, assignment.open_at_stop = "restored", False
        assignment.save(update_fields=["state", "slot", "credited", "reason", "open_at_stop"])
    participation.standing, participation.standing_reason = _standing_to_restore(participation), reason[:500]
    participation.dry_at = None
    participation.save()
    balance_slots(participation.study_id, uncounted_questions(voided))
    exclude_beyond_quota(voided)
    result = Restored(counted, surplus, resumable)
    record(participation.study, "restored", user=user, participation=participation, reason=reason, **vars(result))
    return result


def _standing_to_restore(participation: Participation) -> str:
    """Return "practising" if the annotator was stopped before finishing practice, and otherwise "active"."""
    study = participation.study
    practises = study.practice and study.questions.filter(kind=Question.Kind.PRACTICE).exists()
    ended = Q(kind=Assignment.Kind.REGULAR) | Q(submitted_at__isnull=False)
    if practises and not participation.assignments.filter(ended).exists():
        return Participation.Standing.PRACTISING
    return Participation.Standing.ACTIVE


def _stop(participation: Participation, reason: str, user: Actor, *, cause: str) -> None:
    """Void the annotator's assignments, open their slots, and credit the HIT in progress if stopped annotators are paid
    for it.

    Submitted HITs keep their credit, and returned HITs stay returned.
    """
    study = participation.study
    ended = _own(
        participation, Assignment.State.LEASED, Assignment.State.LAPSED, Assignment.State.DONE, Assignment.State.SURPLUS
    )
    in_progress = _in_progress(ended)
    ended = [assignment for assignment in ended if not assignment.is_given_up]
    held = [a for a in ended if a.state in (Assignment.State.LEASED, Assignment.State.DONE)]
    done = [a for a in held if a.state == Assignment.State.DONE]
    asked_again = uncounted_questions(done)
    # The HIT in progress also opens its slot again, and its answers no longer count.
    no_longer_count = sum(a.kind == Assignment.Kind.REGULAR for a in done) + (in_progress in held)
    if in_progress is not None:
        # The HIT in progress is credited as if it had been submitted, because the study caused the interruption. A
        # lapsed HIT is credited only if more of its answers arrive.
        leased = in_progress.state == Assignment.State.LEASED
        in_progress.open_at_stop = True
        in_progress.credited = in_progress.credited or (leased and pays_stopped(participation))
    for assignment in ended:
        assignment.state, assignment.reason = Assignment.State.VOID, STOPPED
    Assignment.objects.bulk_update(ended, ["state", "reason", "credited", "open_at_stop"])
    participation.standing, participation.standing_reason = Participation.Standing.STOPPED, reason[:500]
    participation.save(update_fields=["standing", "standing_reason"])
    opened = release(study, held) + open_reservations(participation, held)
    balance_slots(study.pk, asked_again)
    if study.has_quotas:
        include_within_quota(done)
    facts = {"cause": cause, "assignments": no_longer_count, "opened": opened}
    record(study, "stopped", user=user, participation=participation, reason=reason, detail=facts)
    data = {"annotator": participation.pseudonym, "cause": cause, "reason": reason}
    announce(study, ANNOTATOR_STOPPED, lambda: data)


def _in_progress(assignments: Sequence[Assignment]) -> Assignment | None:
    """Return the annotator's started but unsubmitted HIT, or None. This is the leased HIT, or a lapsed HIT if the
    annotator has claimed no other HIT since.
    """
    regular = [each for each in assignments if each.kind == Assignment.Kind.REGULAR]
    leased = next((each for each in regular if each.state == Assignment.State.LEASED), None)
    latest = leased or max(regular, key=lambda each: each.pk, default=None)
    if latest is None or latest.submitted_at is not None or latest.is_given_up:
        return None
    begun = Q(given_at__isnull=False) | Q(skipped_at__isnull=False) | Q(draft__isnull=False)
    return latest if latest.answers.filter(begun).exists() else None


def pays_stopped(participation: Participation) -> bool:
    """Return whether the annotator is paid for the HIT that is open at the time of the stop.

    The consent text that the annotator accepted takes precedence over the study's setting.
    """
    consent = participation.consent
    promised = consent.pays_stopped if consent else None
    return participation.study.pay_stopped if promised is None else promised


def rule_progress(participations: Sequence[Participation]) -> dict[int, int]:
    """Return the numbers of gold answers or HITs (depending on the rule's unit) since the annotators were last
    restored.
    """
    progress = {each.pk: each.graded - each.forgiven_graded for each in participations}
    by_sets = [each.pk for each in participations if each.study.rule_unit == Study.RuleUnit.HITS]
    if by_sets:
        since_restored = Q(participation__restored_at=None) | Q(submitted_at__gt=F("participation__restored_at"))
        submitted = Assignment.objects.filter(
            since_restored, participation__in=by_sets, kind=Assignment.Kind.REGULAR, submitted_at__isnull=False
        )
        counted = submitted.order_by().values_list("participation").annotate(Count("pk"))
        progress |= dict.fromkeys(by_sets, 0) | dict(counted)
    return progress


def _own(participation: Participation, *states: str) -> list[Assignment]:
    return list(participation.assignments.filter(state__in=states).select_for_update(no_key=True).order_by("pk"))
