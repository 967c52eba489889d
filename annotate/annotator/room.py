"""The annotators' pages: joining, the work page, the overview of a study, and an annotator's own data. Simulated
annotators do the same as people in a browser, so they belong here as well.
"""

from __future__ import annotations

from annotate.annotator.simulation import simulate
from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register

SIMULATION = ("annotators", "careless", "seed", "hits")  # the parameters of a job that simulates annotators


def _simulation(job: Job, progress: Progress) -> None:
    parameters = {name: job.parameters[name] for name in SIMULATION}
    simulate(job.study, user=requester(job), since=job.created_at, progress=progress, **parameters)


register("annotator", Extension(jobs={"simulate": Work(_simulation, Action.ADD_AUTOMATIC_ANNOTATORS, is_long=True)}))
