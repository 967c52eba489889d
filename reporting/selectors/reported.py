"""A study's rows with the facts about its annotators, training, pay and quality rule, for texts that report the study.

The facts are aggregates without pseudonyms, and releases contain them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import median
from typing import Any

from annotate.core.selectors.qualification import has_qualification
from annotate.core.selectors.sizes import gold_in_hit
from annotate.gold.selectors.rule import current_rule, operating_figures
from annotate.models import Event, Participation, Question, Questionnaire, Screening, Study
from annotate.models.assignment import Assignment
from annotate.questions.selectors.data import study_data
from annotate.tasktypes import StudyData
from reporting.statement import hourly_wage, set_times

RATES = ("accuracy", "stopped")


def reported_data(study: Study) -> StudyData:
    """Return the study's rows. Their facts include those about people."""
    data = study_data(study)
    return replace(data, facts=data.facts | people_facts(study, data))


def people_facts(study: Study, data: StudyData) -> dict[str, Any]:
    """Return the facts as JSON, by topic. `data` contains the study's rows."""
    return {
        "people": _people(study),
        "training": _training(study),
        "pay": _pay(study, data),
        "quality_rule": _quality_rule(study),
    }


def _people(study: Study) -> dict[str, Any]:
    """Count the annotators. Their number includes simulated annotators, but no try-outs and no programs."""
    everyone = study.participations.annotators()
    standings = Counter(everyone.values_list("standing", flat=True))
    causes = _causes_of_stops(study)
    return {
        "joined": standings.total(),
        "simulated": study.participations.simulated().count(),
        "stopped_by_rule": causes[Event.QUALITY_RULE],
        "stopped_by_researchers": causes[Event.DECISION],
        "withdrawn": standings[Participation.Standing.WITHDRAWN],
        "withdrawn_excluded": everyone.filter(excludes_answers=True).count(),
        "recruitment": study.recruitment,
        "admission": study.admission,
        "platforms": dict(sorted(Counter(everyone.values_list("annotator__platform", flat=True)).items())),
        "groups": study.groups.count(),
        "annotator_limit": study.annotator_limit,
        "hits_per_annotator": study.hits_per_annotator,
        "screening": _screening(study),
    }


def _causes_of_stops(study: Study) -> Counter[str]:
    """Count the stopped annotators by the cause of their latest stop."""
    stopped = study.participations.annotators().filter(standing=Participation.Standing.STOPPED)
    stops = Event.objects.filter(participation__in=stopped, verb="stopped").order_by("at", "pk")
    return Counter({stop.participation_id: stop.detail["cause"] for stop in stops}.values())


def _screening(study: Study) -> dict[str, int] | None:
    """Count the people who answered screening questions, or return None if there were no such questions."""
    versions = study.questionnaires.filter(purpose=Questionnaire.Purpose.SCREENING).order_by("version")
    questions = [len(version.entries) for version in versions if version.entries]
    if not questions:
        return None
    admitted = Counter(Screening.objects.filter(questionnaire__in=versions).values_list("is_admitted", flat=True))
    return {"questions": questions[-1], "answered": admitted.total(), "admitted": admitted[True]}


def _training(study: Study) -> dict[str, Any]:
    """Return the numbers of practice questions, and of annotators who finished and who failed them. The numbers are 0
    if annotators did not practise.
    """
    questions = study.questions.filter(kind=Question.Kind.PRACTICE).count() if study.practice else 0
    finished = study.assignments.filter(
        kind=Assignment.Kind.PRACTICE, submitted_at__isnull=False, participation__in=study.participations.annotators()
    )
    qualifies = has_qualification(study) and bool(questions)
    return {
        "practice_questions": questions,
        "practised": finished.values("participation").distinct().count() if questions else 0,
        "pass_mark": float(study.qualification_mark or 0) if qualifies else None,
        "tries": study.qualification_tries if qualifies else None,
        "not_qualified": _causes_of_stops(study)[Event.QUALIFICATION],
    }


def _pay(study: Study, data: StudyData) -> dict[str, Any]:
    """Return how people were paid. The wage follows from the released times of the HITs that count. It is None without
    a reward or a known time.

    The facts contain it because a release with sealed gold questions does not contain the times of gold answers.
    """
    wage, times = hourly_wage(data), set_times(data)
    return {
        "hourly_wage": None if wage is None else str(wage),
        "timed_hits": len(times),
        "seconds_per_hit": median(times) if times else None,
        "minimum_hourly_wage": None if study.minimum_hourly_wage is None else str(study.minimum_hourly_wage),
        "pays_stopped": study.pay_stopped,
        "pays_unqualified": str(study.qualification_pay),
    }


def _quality_rule(study: Study) -> dict[str, Any] | None:
    """Return how often the quality rule stops careful annotators and guessers, or None if this cannot be calculated."""
    if not study.rule_threshold:
        return None
    figures = operating_figures(study, current_rule(study))
    if figures["reason"]:
        return None
    kinds = {kind["name"]: {rate: kind[rate] for rate in RATES} for kind in figures["annotators"]}
    names = {"careful": kinds["careful"], "guesser": kinds["guesser"]}
    return {
        "gold_per_hit": gold_in_hit(study),
        "gold_answers": figures["gold_answers"],
        "estimated_from": figures["estimated_from"],
        **names,
    }
