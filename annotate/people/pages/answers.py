"""The list of answers on an annotator's page, with the actions that exclude or include an answer, and the page that
lists open HITs.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors import open_hits as selected
from annotate.core.services import open_hits as services
from annotate.core.services.leases import unstarted_minutes
from annotate.models import Answer, Participation, Study
from annotate.people import services as people_services
from annotate.people.selectors.answers import Show, answer_counts, answer_rows, answers_of
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate
from annotate.web.pages.undo import notify_with_undo

ANSWERS_PAGE = 10
LABELS = {
    Show.ALL: "All",
    Show.GOLD: "Gold",
    Show.MISSED: "Missed gold",
    Show.SKIPPED: "Skipped",
    Show.EXCLUDED: "Excluded",
    Show.REPEATED: "Repeated",
    Show.VOID: "Void",
}


def answers_context(request: ConsoleRequest, study: Study, participation: Participation) -> dict[str, Any]:
    """Return the context for the list: one page of filtered answers. The parameter `answer` leads to the page with this
    answer, without the filter if the filter hides it.
    """
    show = request.GET.get("show", "")
    show = show if show in set(Show) else ""
    linked, number = request.GET.get("answer", ""), request.GET.get("page")
    for shown in dict.fromkeys([show, Show.ALL.value]):
        keys = list(map(str, answers_of(participation, shown).values_list("pk", flat=True))) if linked else []
        if linked in keys:
            show, number = shown, str(keys.index(linked) // ANSWERS_PAGE + 1)
            break
    counts = answer_counts(participation)
    page = paginate(answers_of(participation, show), ANSWERS_PAGE, counts[show]).get_page(number)
    answers = answer_rows(study, participation, list(page))
    back = request.GET.copy()
    for name in ("answer", "page"):
        back.pop(name, None)
    return {
        "answers": answers,
        "page": page,
        "query": f"{urlencode({'show': show})}&" if show else "",
        "show": show,
        "filters": [(kind.value, label, counts[kind.value]) for kind, label in LABELS.items()],
        "pictures": {str(row.answer.pk): row.picture for row in answers if row.picture is not None},
        "task": tasktypes.get(study.task_type),
        "styles": tasktypes.styles_of(study.task_type),
        "strings": [f"{study.task_type}/strings.html", "people/no_strings.html"],
        "linked": linked,
        "back": back.urlencode(),
    }


@study_page(Action.EXCLUDE_ANSWERS)
@require_POST
def exclude(request: ConsoleRequest, study: Study, pseudonym: str, assignment: str, position: int) -> HttpResponse:
    answer = _answer(study, pseudonym, assignment, position)
    try:
        people_services.exclude_answer(answer.pk, reason=request.POST.get("reason", ""), user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request,
            f"The answer to question {answer.question.ref} no longer counts. Another annotator will get the question.",
        )
    return _back(request, answer, pseudonym)


@study_page(Action.EXCLUDE_ANSWERS)
@require_POST
def include(request: ConsoleRequest, study: Study, pseudonym: str, assignment: str, position: int) -> HttpResponse:
    answer = _answer(study, pseudonym, assignment, position)
    try:
        included = people_services.include_answer(answer.pk, reason=request.POST.get("reason", ""), user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        slot = (
            "The additional slot for the question is closed."
            if included.withdrawn
            else "Another annotator has already claimed the question, so it will get one more judgement."
        )
        messages.success(request, f"The answer to question {answer.question.ref} is included again. {slot}")
    return _back(request, answer, pseudonym)


def _answer(study: Study, pseudonym: str, assignment: str, position: int) -> Answer:
    answers = Answer.objects.select_related("question").exclude(assignment__kind="try")
    return get_object_or_404(
        answers,
        assignment__study=study,
        participation__pseudonym=pseudonym,
        assignment__public_id=assignment,
        position=position,
    )


def _back(request: ConsoleRequest, answer: Answer, pseudonym: str) -> HttpResponse:
    query = QueryDict(request.POST.get("back", ""), mutable=True)
    query["answer"] = str(answer.pk)
    return redirect(f"{request.console.home}annotators/{pseudonym}/?{query.urlencode()}#answer-{answer.pk}")


OPEN_PAGE = 50


@study_page()
@require_safe
def open_hits(request: ConsoleRequest, study: Study) -> HttpResponse:
    page = Paginator(selected.open_hits(study), OPEN_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "page": page, "now": clock.now(), "unstarted": unstarted_minutes(study)}
    return render(request, "people/open_hits.html", context)


@study_page(Action.END_LEASES, back="open-hits/")
@require_POST
def end_lease(request: ConsoleRequest, study: Study, assignment: str) -> HttpResponse:
    """End the reservation of one open HIT."""
    ended = services.end_lease(study.pk, assignment, user=request.user)
    slot = "Another annotator can now get the HIT." if ended.opened else "A surplus assignment now counts instead."
    notify_with_undo(
        request,
        f"The reservation has ended. {slot}",
        address=reverse("console:restore-lease", args=[study.public_id, assignment]),
        seen=ended.at,
    )
    return redirect("console:open-hits", study.public_id)


@study_page(Action.END_LEASES, back="open-hits/")
@require_POST
def restore_lease(request: ConsoleRequest, study: Study, assignment: str) -> HttpResponse:
    """Undo the end of a reservation."""
    services.restore_lease(study.pk, assignment, seen=request.POST.get("seen", ""), user=request.user)
    messages.success(request, "The HIT is reserved again.")
    return redirect("console:open-hits", study.public_id)
