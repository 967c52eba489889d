"""The template filters `job_name` and `job_page` return a readable name and the page of a kind of job. The tag
`may_run_again` returns whether a job can be restarted.
"""

from __future__ import annotations

from typing import Any

from django import template

from annotate.core.selectors.jobs import job_name, job_page
from annotate.core.services.jobs import action_of
from annotate.models import Job

register = template.Library()


@register.simple_tag(takes_context=True)
def may_run_again(context: dict[str, Any], job: Job) -> bool:
    """Return whether the user's role allows restarting a failed job."""
    may: dict[str, bool] = context["request"].console.may
    action = action_of(job)
    return job.state == Job.State.FAILED and action is not None and may[action]


register.filter(job_name)
register.filter(job_page)
