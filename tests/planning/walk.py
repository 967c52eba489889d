"""The request for a plan and its job, for the table in ARCHITECTURE.md."""

from django.test import Client

from annotate import tasktypes
from annotate.models import Study
from annotate.planning.forms import PlanForm
from annotate.planning.selectors.plans import usual_parameters
from tests.walks import Tracer


def plan(tracer: Tracer, study: Study, client: Client) -> None:
    from tests.walked_requests import calculate, done, page  # that module imports this one

    planning = tasktypes.get(study.task_type).planning
    assert planning
    form = PlanForm(planning, usual_parameters(study, planning), [])
    sent = {name: value for name in form.fields if (value := form[name].value()) is not None}
    with tracer.walk("plan requested"):
        done(client.post(page(study, "plan/calculate/"), sent | {"repetitions": 20}))
    calculate(tracer, "plan calculated", study.jobs.get(kind__startswith="plan-"))
