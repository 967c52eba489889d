"""Gold questions: candidates, expected answers and their corrections, and the quality rule as a statistical test."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.core.services.regrading import stop_and_restore
from annotate.gold.selectors.disputes import disputed_questions
from annotate.models import Answer, Job, Study
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Tab, Work, register


def _regrade(job: Job, progress: Progress) -> None:
    parameters = {name: job.parameters[name] for name in ("stop", "restore", "reason")}
    stop_and_restore(job.study, user=requester(job), progress=progress, **parameters)


DISPUTED = Tab("review", "Disputed gold", ("gold/disputes/",), Action.LOOK, disputed_questions)


def _tabs(study: Study) -> list[Tab]:
    disputes = Answer.objects.filter(question__study=study, disputed=True)
    return [DISPUTED] if disputes.exists() else []


register("gold", Extension(jobs={"regrade": Work(_regrade, Action.CHANGE_EXPECTED_ANSWERS)}, tabs=_tabs))
