"""The page that creates a release of a study as a zip file, and divides its items into train, dev and test splits.
Accord stores only the version and checksum of a release, in the audit log.
"""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate.toolkit import Action, ConsoleRequest, Study, attachment, messages, study_page
from evaluation.services.splits import SplitChoice, choose_split, remove_split
from releases.console.forms import ReleaseForm, SplitForm, stored_split_form
from releases.selectors.releases import has_gold, release_basis
from releases.services.releases import as_zip, make_release
from reporting.questions import QUESTIONS
from reporting.selectors.answers import author_answers


def release(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Show the release form, or return the zip file after submission."""
    if request.method == "POST":
        form = ReleaseForm(request.POST, has_gold=has_gold(study))
        if form.is_valid():
            with form.show_refusals():
                key = form.cleaned_data.get("key", "")
                new_release = make_release(study.pk, form.about(), user=request.user, key=key)
                return attachment([as_zip(new_release)], f"{new_release.name}.zip", "application/zip")
        return _page(request, study, form=form, status=422)
    return _page(request, study)


@study_page(Action.MANAGE)
@require_POST
def split(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Store the split settings, or remove the splits."""
    if request.POST.get("remove"):
        remove_split(study.pk, user=request.user)
        messages.success(request, "The parts are removed. Later releases will not be divided into train, dev and test.")
        return redirect(_home(study))
    form = SplitForm(request.POST, prefix="split")
    if form.is_valid():
        with form.show_refusals():
            choose_split(study.pk, SplitChoice(**form.cleaned_data), user=request.user)
            messages.success(request, "The settings for train, dev and test have been saved.")
            return redirect(_home(study))
    return _page(request, study, split_form=form, status=422)


def _page(
    request: ConsoleRequest,
    study: Study,
    *,
    form: ReleaseForm | None = None,
    split_form: SplitForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the results of the release, its form, and the form for the train, dev and test splits, with their errors."""
    released = study.events.filter(verb="released").order_by("-at", "-pk")[:20]
    # A version names one release.
    form = form or ReleaseForm(initial={"version": ""} if released else None, has_gold=has_gold(study))
    stored_form, settings = stored_split_form(study)
    context = {
        "study": study,
        "basis": release_basis(study),
        "form": form,
        "split_form": split_form or stored_form,
        "split_settings": settings,
        "answered": len(author_answers(study)),
        "questions": len(QUESTIONS),
        "released": released,
    }
    return render(request, "releases/release.html", context, status=status)


def _home(study: Study) -> str:
    return reverse("console:panel", args=[study.public_id, "release"])
