"""The study's answers, for estimating a plan's assumptions and for comparison with the plan."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from annotate import tasktypes
from annotate.core.selectors.progress import simulated_with_judgements
from annotate.models import Study
from annotate.questions.selectors.data import Streamed, one_snapshot, study_data
from annotate.tasktypes import AnswerRow, Columns

PILOT = "pilot"  # the reason why answers of a pilot do not count


@dataclass(frozen=True)
class PlanAnswers:
    """The answers as arrays. `simulated` is true if all of these answers come from simulated annotators."""

    columns: Columns
    simulated: bool


def plan_answers(study: Study, *, with_pilot: bool) -> PlanAnswers:
    """Return the counted answers of people to regular questions as the arrays of a report.

    Answers of simulated annotators are included only if no person has answered, so that a simulated study can be
    planned. If `with_pilot` is true, the answers of a pilot are included even if the study excludes these answers from
    its scores.
    """
    simulated = _simulated(study)
    only_simulated = bool(simulated) and not _answered_by_people(study)
    excluded = () if only_simulated else simulated
    with one_snapshot():
        data = study_data(study, streamed=True)
        rows = Streamed(lambda: _rows(data.answers, excluded, with_pilot=with_pilot))
        columns = tasktypes.get(study.task_type).reports.columns(replace(data, answers=rows))
    return PlanAnswers(columns, only_simulated)


def _simulated(study: Study) -> frozenset[str]:
    if not simulated_with_judgements(study):
        return frozenset()
    return frozenset(study.participations.simulated().values_list("pseudonym", flat=True))


def _answered_by_people(study: Study) -> bool:
    return study.participations.people().filter(hour_counts__judgements__gt=0).exists()


def _rows(answers: Collection[AnswerRow], excluded: Collection[str], *, with_pilot: bool) -> Iterator[AnswerRow]:
    for row in answers:
        if row.pseudonym in excluded:
            continue
        yield replace(row, counts=True, reason="") if with_pilot and row.reason == PILOT else row
