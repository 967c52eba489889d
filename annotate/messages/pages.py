"""The page with annotators' messages and other feedback (/console/<study>/messages/), and researchers' replies."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import Truncator
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.stop_figures import RuleFigures, rule_figures
from annotate.core.services.remarks import LONGEST, reply_to
from annotate.messages.selectors import Kind, Message, message_counts, message_keys, messages, received, sent
from annotate.messages.services import send_to_all
from annotate.models import Annotator, Participation, Question, Study
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate

PAGE = 50
ON_ANNOTATOR = 20  # entries on the page of one annotator
SENT = 20  # messages of the research team on the page
LONGEST_TEXT = 200  # characters of a question's text
UNANSWERED = "unanswered"
LABELS = {
    Kind.OBJECTION: ("Objection", "Objections"),
    Kind.PROBLEM: ("Problem", "Problems"),
    Kind.COMMENT: ("Comment", "Comments"),
    Kind.SKIP: ("Skipped question", "Skipped questions"),
    Kind.DISPUTE: ("Disputed gold answer", "Disputed gold answers"),
    Kind.RETURN: ("Returned HIT", "Returned HITs"),
    Kind.WITHDRAWAL: ("Withdrawal", "Withdrawals"),
}

# An entry, the label of its kind, the beginning of its question's text, and the figures behind an objection.
Row = tuple[Message, str, str, RuleFigures | None]


@study_page()
@require_safe
def inbox(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the entries, optionally only those of one kind, from one annotator, or without a reply."""
    show, pseudonym = request.GET.get("show", ""), request.GET.get("annotator", "")
    annotator = None
    if pseudonym:
        people = study.participations.exclude(annotator__platform=Annotator.Platform.TRY)
        annotator = get_object_or_404(people, pseudonym=pseudonym)
    counts = message_counts(study, annotator)
    unanswered = show == UNANSWERED
    keys = message_keys(study, kind=show, unanswered=unanswered, annotator=annotator)
    page = paginate(keys, PAGE, counts.matching(show, unanswered=unanswered)).get_page(request.GET.get("page"))
    query = urlencode({name: value for name, value in (("show", show), ("annotator", pseudonym)) if value})
    context = {
        "study": study,
        "annotator": annotator,
        "page": page,
        "rows": message_rows(study, messages(list(page))),
        "counts": counts,
        "all": sum(counts.kinds.values()),
        "filters": [
            ("", "All", sum(counts.kinds.values())),
            (UNANSWERED, "Unanswered", counts.unanswered),
            *[(kind, LABELS[kind][1], counts.kinds[kind]) for kind in Kind if counts.kinds[kind] or kind == show],
        ],
        "sent": list((received(annotator) if annotator else sent(study))[:SENT]),
        "show": show,
        "longest": LONGEST,
        "back": request.GET.urlencode(),
        "query": f"{query}&" if query else "",
    }
    return render(request, "messages/messages.html", context)


@study_page(Action.REPLY)
@require_POST
def reply(request: ConsoleRequest, study: Study, message: str) -> HttpResponse:
    """Store the reply, and return to the list or to the annotator's page."""
    place = f"{request.console.home}messages/?{request.POST.get('back', '')}#message-{message}"
    try:
        remark = reply_to(study.pk, message, text=request.POST.get("text", ""), user=request.user)
    except Refused as refusal:
        notices.error(request, refusal.message)
        return redirect(place)
    pseudonym = remark.participation.pseudonym
    name = request.console.names.get(pseudonym, pseudonym)
    notices.success(request, f"{name} sees your reply on the overview page of the study.")
    if request.POST.get("page") == "report":
        return redirect(f"{request.console.home}problem-reports/?page={request.POST.get('back', '')}")
    if request.POST.get("page") == "annotator":
        place = f"{request.console.home}annotators/{pseudonym}/#message-{message}"
    return redirect(place)


@study_page(Action.REPLY, back="messages/")
@require_POST
def send(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Send a message to all annotators of the study."""
    send_to_all(study.pk, text=request.POST.get("text", ""), user=request.user)
    notices.success(request, "The message was sent. Annotators can see it on the study's overview page.")
    return redirect("console:messages", study.public_id)


def message_rows(study: Study, entries: list[Message]) -> list[Row]:
    """Return each entry with its label, its question's text and, for objections, the quality rule's figures."""
    objecting = {entry.participation.pk: entry.participation for entry in entries if entry.kind == Kind.OBJECTION}
    figures = rule_figures(study, list(objecting.values())) if objecting else {}
    texts = _texts(study, [entry.question for entry in entries if entry.question])
    return [
        (
            entry,
            LABELS[Kind(entry.kind)][0],
            texts.get(entry.question.pk, "") if entry.question else "",
            figures[entry.participation.pk] if entry.kind == Kind.OBJECTION else None,
        )
        for entry in entries
    ]


def _texts(study: Study, questions: list[Question]) -> dict[int, str]:
    """Return the beginning of each question's text, by the question's primary key, in one query."""
    task = tasktypes.get(study.task_type)
    keys = {question.pk: task.item_keys(question.payload) for question in questions}
    items = study.items.filter(key__in={key for each in keys.values() for key in each})
    texts = {key: " – ".join(task.texts(content)) for key, content in items.values_list("key", "content")}
    joined = {pk: " · ".join(texts[key] for key in each if key in texts) for pk, each in keys.items()}
    return {pk: Truncator(text).chars(LONGEST_TEXT) for pk, text in joined.items()}


def rows_of(study: Study, annotator: Participation) -> tuple[list[Row], int]:
    """Return an annotator's latest entries, and the total number of entries."""
    keys = list(message_keys(study, annotator=annotator)[: ON_ANNOTATOR + 1])
    total = len(keys)
    if total > ON_ANNOTATOR:
        total = sum(message_counts(study, annotator).kinds.values())
    return message_rows(study, messages(keys[:ON_ANNOTATOR])), total
