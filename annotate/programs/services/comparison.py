"""The comparison of programs with people on a study's questions, stored as a report."""

from __future__ import annotations

from accord_core.numerics.alternative_annotator import FEWEST_QUESTIONS
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study
from annotate.core.services.writing import write
from annotate.models import Report, Study
from annotate.programs.selectors import (
    KIND,
    GoldResult,
    answers_by_question,
    answers_of_programs,
    gold_results,
    programs,
)
from annotate.questions.selectors.data import one_snapshot
from annotate.results.services import save_report
from annotate.server.refusals import Refused
from annotate.tasktypes import ProgramFigures, Progress

STEP = 500  # questions between two reports of the progress


def compare_programs(
    study_id: int, *, epsilon: float, fewest_questions: int = FEWEST_QUESTIONS, user: Actor, progress: Progress
) -> Report:
    """Calculate the agreement between people and programs and the alternative annotator test, and store a report.

    The comparison includes regular questions that a program has answered. Raises `Refused` (`no-programs`) if no
    program has submitted an answer.
    """
    study = permitted_study(study_id, user, Action.CALCULATE_REPORTS)
    progress(0.0, "reading the answers")
    with one_snapshot():
        refuse_without_programs(study)
        joined = programs(study)
        figures = ProgramFigures(tasktypes.get(study.task_type), study.options, [each.pseudonym for each in joined])
        questions = study.questions.count() or 1
        for number, answers in enumerate(answers_by_question(study)):
            figures.add(answers.payload, answers.people, answers.programs)
            if number % STEP == 0:
                progress(min(0.8, 0.8 * number / questions), "comparing the answers")
        gold = gold_results(study)
    progress(0.8, "calculating the intervals")
    result = figures.result(epsilon=epsilon, fewest_questions=fewest_questions, seed=study.seed % 2**32)
    listed = [
        {
            "pseudonym": each.pseudonym,
            "name": each.annotator.external_id,
            "platform": each.annotator.platform,
            "answers": result["answered"][each.pseudonym],
            "gold": vars(gold.get(each.pseudonym, GoldResult(0, 0))),
        }
        for each in joined
    ]
    parameters = {"epsilon": epsilon, "fewest_questions": fewest_questions}
    with write():
        return save_report(
            study,
            kind=KIND,
            parameters=parameters,
            seed=study.seed,
            columns=None,
            result={"programs": listed, **result},
            user=user,
        )


def refuse_without_programs(study: Study) -> None:
    """Raise `Refused` (`no-programs`) unless a program has submitted an answer to a regular question."""
    if not answers_of_programs(study).exists():
        raise Refused("no-programs", "No program has submitted a HIT in this study yet.")
