"""The progress of a study."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q

from annotate.core.selectors.pace import annotators_at_work
from annotate.models import Answer, Assignment, Participation, Question, Study

from .counts import gold_accuracy, totals
from .spend import Spend, Wage, actual_wage, spend_of


@dataclass(frozen=True)
class Progress:
    """The study's progress: judgements, gold answers, people by standing, simulated annotators, spending and wage.

    `open_hits` is the number of claimed assignments that have not been submitted, and `at_work` the number of people
    who have worked in the last 15 minutes.
    """

    judgements: int
    wanted: int
    slots_open: int
    slots: int
    done: int
    open_hits: int
    at_work: int
    gold_right: int
    gold_given: int
    standings: dict[str, int]
    simulated: int
    simulated_active: int
    spend: Spend
    wage: Wage | None

    def expected_cost(self, reward: Decimal) -> Decimal:
        """Return the amount spent after all open assignments, or after those that the budget cap allows.

        The amount is an estimate, because stopped annotators keep their credit while other annotators are paid for the
        same slots.
        """
        affordable = self.spend.affordable(reward)
        offered = self.slots_open if affordable is None else min(self.slots_open, affordable)
        return self.spend.committed + reward * offered

    @property
    def complete(self) -> bool:
        """Return whether the study has assignments and all of them are done."""
        return self.done >= self.slots > 0


def judgements_per_question(study: Study) -> float | None:
    """Return the mean number of judgements per question once all slots are filled, or None if the study has no HITs.

    Questions can have more slots than the setting *Judgements per question* requires, because researchers can add
    judgements later.
    """
    # Every question was created together with a HIT. Counting the distinct questions of all HITs would take ten times
    # as long.
    questions = study.questions.filter(kind=Question.Kind.REGULAR).count()
    return judgements_wanted(study) / questions if questions else None


def judgements_wanted(study: Study) -> int:
    """Return the number of judgements once all slots are filled. A slot for a question that was left out for a repeated
    question adds no judgement, because the HIT that lacks the question has one judgement fewer.
    """
    left_out = Answer.objects.filter(
        replaces__isnull=False,
        participation__study=study,
        assignment__state=Assignment.State.DONE,
        assignment__kind=Assignment.Kind.REGULAR,
    )
    return study.judgements_planned - left_out.count()


def judgements_counted(study: Study, *, in_scores: bool = False) -> int:
    """Return the number of answers that count. If `in_scores` is true, exclude pilot judgements that the study excludes
    from its scores.

    Results reports count judgements in the same way as `in_scores`.
    """
    return totals(study).judgements - (excluded_pilot(study) if in_scores else 0)


def simulated_with_judgements(study: Study) -> int:
    """Return the number of simulated annotators with at least one judgement."""
    return study.participations.simulated().filter(hour_counts__judgements__gt=0).values("pk").distinct().count()


def excluded_pilot(study: Study) -> int:
    """Return the number of pilot judgements that the study excludes from its scores."""
    if study.pilot_counts or not study.pilot_hits:
        return 0
    pilot = Answer.objects.filter(assignment__hit__study=study, assignment__hit__number__lte=study.pilot_hits)
    return pilot.counting().count()


def progress_of(study: Study) -> Progress:
    """Return the figures for the overview. Needs at most twelve queries, which read stored counts, open leases and
    annotators.

    A slot is closed while a leased or done assignment holds it.
    """
    people = study.participations.people()
    standings = dict.fromkeys(Participation.Standing.values, 0)
    standings |= dict(people.values_list("standing").annotate(Count("pk")))
    is_active = Q(standing=Participation.Standing.ACTIVE)
    simulated = study.participations.simulated().aggregate(all=Count("pk"), active=Count("pk", filter=is_active))
    counted = totals(study)
    gold_given, gold_right = gold_accuracy(study)
    leased = study.assignments.filter(kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED)
    open_hits = leased.count()
    return Progress(
        judgements=counted.judgements,
        wanted=judgements_wanted(study),
        slots_open=study.assignments_planned - counted.hits - open_hits,
        slots=study.assignments_planned,
        done=counted.hits,
        open_hits=open_hits,
        at_work=annotators_at_work(study),
        gold_right=gold_right,
        gold_given=gold_given,
        standings=standings,
        simulated=simulated["all"],
        simulated_active=simulated["active"],
        spend=spend_of(study),
        wage=actual_wage(study, counted.submitted),
    )
