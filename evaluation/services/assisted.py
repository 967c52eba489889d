"""The service that calculates program-assisted figures from people's answers to a random part of the questions and a
program's answers to all of them.
"""

from __future__ import annotations

from accord_core.exchange.faults import TableError
from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study
from annotate.core.services.writing import write
from annotate.models import Report, Study
from annotate.questions.selectors.data import one_snapshot, study_data
from annotate.questions.selectors.program_data import program_data
from annotate.results.services import save_report
from annotate.server.refusals import Refused, existing
from annotate.tasktypes import Progress, SystemFile
from annotate.tasktypes.capabilities import resolve
from evaluation.models import Submission
from evaluation.selectors.assisted import KIND, Answered, judged_by_people, programs_with_answers
from evaluation.services.systems import file_of, fingerprint


def calculate_assisted(study_id: int, *, program: str, user: Actor, progress: Progress) -> Report:
    """Calculate the program-assisted figures with the program of this pseudonym, and store them as a report.

    Raises `Refused` (`incomplete`) if the program has not answered all questions, or if people have not answered all of
    theirs while the study is open, because the answered part would not be random.
    """
    study = permitted_study(study_id, user, Action.CALCULATE_REPORTS)
    with one_snapshot():
        chosen = refuse_incomplete(study, program)
        progress(0.1, "reading the answers")
        people = study_data(study)
        of_program = program_data(people, chosen.program)
        files = _files(study)
    progress(0.4, "calculating the figures")
    systems = tasktypes.get(study.task_type).systems
    if systems is None or not systems.assisted:
        raise Refused("no-measure", "Studies of this type have no program-assisted figures.")
    try:
        result = resolve(systems.assisted)(people, of_program, files)
    except TableError as error:
        raise Refused("incomplete", str(error)) from error
    name = chosen.program.annotator.external_id
    with write():
        return save_report(
            study,
            kind=KIND,
            parameters={"program": program, "name": name},
            seed=study.seed,
            columns=None,
            columns_sha256=fingerprint(tasktypes.get(study.task_type), people),
            result=dict(result),
            user=user,
        )


def refuse_incomplete(study: Study, program: str) -> Answered:
    """Return the program with this pseudonym. Raises `Refused` (`incomplete`) if answers are missing."""
    found = next((each for each in programs_with_answers(study) if each.program.pseudonym == program), None)
    chosen = existing(found, "This study has no program with this pseudonym.")
    if not chosen.is_complete:
        answered = f"{chosen.answers:,} of {with_noun(chosen.questions, 'question')}"
        raise Refused("incomplete", f"The program has answered {answered}. It must answer all of them.")
    people = judged_by_people(study)
    missing = people.missing
    if not people.judged:
        raise Refused("incomplete", "No question has a judgement by people yet.")
    if missing and study.state != Study.State.CLOSED:
        raise Refused(
            "incomplete",
            f"{with_noun(missing, 'question')} for people have no judgement yet. Until the study is closed, figures "
            "need all of them, because the questions answered first are not a random sample.",
        )
    return chosen


def _files(study: Study) -> list[SystemFile]:
    """Return the files of all systems. A name that several systems have is followed by the system's number."""
    submissions = list(Submission.objects.filter(study=study).order_by("number"))
    names = [each.system for each in submissions]
    return [
        SystemFile(
            each.system if names.count(each.system) == 1 else f"{each.system} (number {each.number})",
            each.filename,
            file_of(each),
            each.parameters,
        )
        for each in submissions
    ]
