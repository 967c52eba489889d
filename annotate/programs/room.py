"""Programs: `accord annotate`, programs that join through the API, and their comparison with people."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job, Report, Study
from annotate.programs.explanations import EXPLANATIONS
from annotate.programs.services.comparison import compare_programs
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import ErrorCode, Extension, Way, Work, register
from annotate.templatetags.figures import with_noun


def _compare(job: Job, progress: Progress) -> Report:
    parameters = {name: job.parameters[name] for name in ("epsilon", "fewest_questions")}
    return compare_programs(job.study_id, user=requester(job), progress=progress, **parameters)


def _taking_part(study: Study) -> str:
    number = study.participations.filter(annotator__is_program=True).count()
    return with_noun(number, "program") if number else ""


PROGRAMS = Way(
    "Programs",
    "Language models and other programs answer the same questions as people and are compared with them.",
    "programs/",
    Action.LOOK,
    _taking_part,
    compared=True,
)
register(
    "programs",
    Extension(
        console_urls="annotate.programs.urls",
        api_urls="annotate.programs.api_urls",
        jobs={"programs": Work(_compare, Action.CALCULATE_REPORTS, title="Comparison of programs", page="programs/")},
        ways=[PROGRAMS],
        guides=dict.fromkeys(("programs", "compare-programs"), "programs"),
        explanations=EXPLANATIONS,
        error_codes=[ErrorCode("no-programs", (409,), "No program has submitted a HIT in this study yet.")],
    ),
)
