"""The *Prolific submissions* page (/console/<study>/submissions/), with statuses on Prolific, next steps, lists and
imports.

Only members who may see platform IDs can open the page, because each row contains a participant ID.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.models import BonusList, Study, SubmissionImport
from annotate.pay.selectors.balances import ZERO
from annotate.prolific.advice import Step
from annotate.prolific.forms import DraftForm, LinkForm, RejectionForm, SubmissionsForm
from annotate.prolific.selectors.files import APPROVE, REJECT, write_bonuses, write_file
from annotate.prolific.selectors.settings import allows_api, linked_study
from annotate.prolific.selectors.submissions import SubmissionRow, submission_rows, to_approve, to_reject
from annotate.prolific.services.bonuses import cancel_bonus_list, confirm_bonus_list, create_bonus_list, record_approved
from annotate.prolific.services.imports import import_previewed, plan_of_preview, preview_import, undo_import
from annotate.prolific.services.rejections import mark_rejection, unmark_rejection
from annotate.server.refusals import Refused
from annotate.templatetags.figures import money, with_noun
from annotate.web.attachments import attachment
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, study_page

PAGE = 25
LATEST = 5  # imports and bonus lists on the page
STEPS = {
    Step.APPROVE: "Approve",
    Step.ASK_RETURN: "Ask to return",
    Step.BONUS: "Pay a bonus",
    Step.CONTACT: "Contact",
    Step.WAIT: "Wait",
    Step.NONE: "Nothing to do",
}


@study_page(Action.SEE_PLATFORM_IDS)
@require_safe
def submissions(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study, SubmissionsForm())


@study_page(Action.SEE_PLATFORM_IDS)
@require_safe
def file(request: ConsoleRequest, study: Study, filename: str) -> StreamingHttpResponse:
    """Return one of the files for Prolific."""
    try:
        return attachment(write_file(study, filename), filename)
    except Refused as refusal:
        raise Http404(refusal.message) from refusal


@study_page(Action.PAY)
@require_POST
@body_limit("upload")
def upload(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Read a Prolific export, and show the preview of its import."""
    form = SubmissionsForm(request.POST, request.FILES)
    if form.is_valid():
        chosen = form.cleaned_data["file"]
        with form.show_refusals():
            stored = preview_import(study.pk, chosen.read(), chosen.name, user=request.user)
            form.note_encodings(request)
            return redirect("console:submissions-preview", study.public_id, stored.public_id)
    return _page(request, study, form, status=422)


@study_page(Action.PAY)
@require_safe
def preview(request: ConsoleRequest, study: Study, number: str) -> HttpResponse:
    """Show the effects that an import would have."""
    stored = study.submission_imports.filter(public_id=number, imported_at=None).first()
    if stored is None:
        messages.error(request, "This preview no longer exists. Choose the export of submissions again.")
        return redirect("console:submissions", study.public_id)
    plan = plan_of_preview(stored)
    statuses = Counter(row["status"] for row in stored.rows or ())
    context = {"study": study, "stored": stored, "plan": plan, "statuses": statuses.most_common()}
    return render(request, "prolific/submissions/preview.html", context)


@study_page(Action.PAY)
@require_POST
def import_(request: ConsoleRequest, study: Study, number: str) -> HttpResponse:
    stored = import_previewed(study.pk, number, user=request.user)
    if stored.added or stored.changed:
        messages.success(request, f"Accord imported the statuses of {with_noun(_count(stored), 'submission')}.")
    else:
        messages.success(request, "Nothing changed, because Accord already has these statuses.")
    return redirect("console:submissions", study.public_id)


@study_page(Action.PAY)
@require_POST
def undo(request: ConsoleRequest, study: Study, number: str) -> HttpResponse:
    """Undo the latest import."""
    return _act(request, study, lambda: undo_import(study.pk, number, user=request.user), "The import was undone.")


@study_page(Action.PAY)
@require_POST
def reject(request: ConsoleRequest, study: Study, submission: str) -> HttpResponse:
    """Mark a submission for rejection."""
    form = RejectionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a reason, and enter a message to the participant.")
        return redirect("console:submissions", study.public_id)
    return _act(
        request,
        study,
        lambda: mark_rejection(study.pk, submission, user=request.user, **form.cleaned_data),
        f"Submission {submission} is on the list of rejections.",
    )


@study_page(Action.PAY)
@require_POST
def keep(request: ConsoleRequest, study: Study, submission: str) -> HttpResponse:
    """Remove the rejection mark."""
    return _act(
        request,
        study,
        lambda: unmark_rejection(study.pk, submission, user=request.user),
        f"Submission {submission} is no longer on the list of rejections.",
    )


@study_page(Action.PAY)
@require_POST
def create_bonuses(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _act(
        request,
        study,
        lambda: create_bonus_list(study.pk, user=request.user),
        "The bonus list was created. Download the list, and pay the bonuses on Prolific.",
    )


@study_page(Action.SEE_PLATFORM_IDS)
@require_safe
def bonus_file(request: ConsoleRequest, study: Study, number: int) -> StreamingHttpResponse:
    """Return a bonus list for Prolific's bulk bonus payments."""
    bonuses = get_object_or_404(study.bonus_lists, number=number)
    return attachment(write_bonuses(bonuses), f"prolific-bonuses-{number}.csv")


@study_page(Action.PAY)
@require_POST
def confirm_bonuses(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    return _act(
        request,
        study,
        lambda: confirm_bonus_list(study.pk, number, user=request.user),
        f"Bonus list {number} was recorded as paid.",
    )


@study_page(Action.PAY)
@require_POST
def cancel_bonuses(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    return _act(
        request,
        study,
        lambda: cancel_bonus_list(study.pk, number, user=request.user),
        f"Bonus list {number} was cancelled. You can include its amounts in a new list.",
    )


@study_page(Action.PAY)
@require_POST
def record_rewards(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _act(
        request,
        study,
        lambda: record_approved(study.pk, user=request.user),
        "The rewards of the approved submissions were recorded as paid.",
    )


def _act(request: ConsoleRequest, study: Study, action: Callable[[], object], success: str) -> HttpResponse:
    """Perform an action and return to the page, with the reason if the service rejects the action."""
    try:
        action()
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, success)
    return redirect("console:submissions", study.public_id)


def _page(request: ConsoleRequest, study: Study, form: SubmissionsForm, status: int = 200) -> HttpResponse:
    rows = submission_rows(study)
    show, search = request.GET.get("show", ""), request.GET.get("search", "").strip()
    counts = Counter(row.step for row in rows)
    matches = [row for row in rows if (not show or row.step == show) and _contains(row, search)]
    approvals = len(to_approve(rows))
    unrecorded = sum((row.unrecorded for row in rows), ZERO)
    due = sum((row.due for row in rows), ZERO)
    imports = study.submission_imports.exclude(imported_at=None).select_related("user").order_by("-pk")[:LATEST]
    context = {
        "study": study,
        "form": form,
        "rejection": RejectionForm(),
        "page": Paginator(matches, PAGE).get_page(request.GET.get("page")),
        "total": len(rows),
        "steps": STEPS,
        "filters": [("", "All", len(rows)), *((step, name, counts[step]) for step, name in STEPS.items())],
        "show": show,
        "search": search,
        "search_in": "Pseudonym or ID",
        "query": f"{urlencode({'show': show, 'search': search})}&",
        "lists": [(APPROVE, "Approve", approvals), (REJECT, "Reject", len(to_reject(rows)))],
        "due": money(due, study.currency) if due else "",
        "due_count": sum(row.due > 0 for row in rows),
        "unrecorded": money(unrecorded, study.currency) if unrecorded else "",
        "bonus_lists": _bonus_lists(study),
        "imports": imports,
        "uses_api": allows_api(study),
        "linked": linked_study(study),
        "approvals": approvals,
        "draft_form": DraftForm(),
        "link_form": LinkForm(),
        "undoable": next((one.pk for one in imports if one.undone_at is None and one.before), None),
    }
    return render(request, "prolific/submissions/submissions.html", context, status=status)


def _bonus_lists(study: Study) -> list[tuple[BonusList, int, str]]:
    """Return the latest bonus lists with their totals and numbers of participants."""
    lists = study.bonus_lists.prefetch_related("shares").order_by("-number")[:LATEST]
    return [
        (one, len(shares), money(sum((share.amount for share in shares), ZERO), study.currency))
        for one in lists
        for shares in [list(one.shares.all())]
    ]


def _contains(row: SubmissionRow, search: str) -> bool:
    texts = (row.submission_id, row.participant_id, row.participation.pseudonym if row.participation else "")
    return any(search.lower() in text.lower() for text in texts)


def _count(stored: SubmissionImport) -> int:
    return stored.added + stored.changed + stored.unchanged
