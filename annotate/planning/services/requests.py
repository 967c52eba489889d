"""The service that requests a plan: the stored plan with the same parameters, or a job that calculates the plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.core.permissions import Action, Actor, refuse_state, require
from annotate.core.services.jobs import request_job
from annotate.core.services.writing import write
from annotate.models import Job, Study
from annotate.planning.models import Plan
from annotate.planning.services.plans import checked_parameters, key_of, kind_of_job
from annotate.server.refusals import Refused

MOST_AT_ONCE = 5


def request_plan(study: Study, raw: Mapping[str, Any], *, user: Actor) -> Plan | Job:
    """Return the stored plan with these parameters, or the job that calculates it. Identical requests share one job.

    `raw` has the form of `PlanParameters.as_json`. Raises `Refused` with the code `invalid`, `impossible-plan`,
    `no-plans`, `not-allowed`, `state`, or `busy` if many plans of the study are being calculated.
    """
    require(study, user, Action.MANAGE)
    refuse_state(study, Action.MANAGE)
    parameters = checked_parameters(study, raw, user=user)
    stored = study.plans.filter(key=key_of(parameters)).first()
    if stored:
        return stored
    kind = kind_of_job(parameters)
    with write():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)  # count the plans one request at a time
        others = study.jobs.filter(kind__startswith="plan-", state__in=[Job.State.WAITING, Job.State.RUNNING])
        if others.exclude(kind=kind.replace(":", "-")).count() >= MOST_AT_ONCE:
            raise Refused("busy", f"{MOST_AT_ONCE} plans of this study are being calculated. Try again later.")
        return request_job(study, kind, parameters={"plan": parameters.as_json()}, user=user)
