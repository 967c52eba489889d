"""The action on the release page that divides a study's items into train, dev and test splits."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate.toolkit import Action, ConsoleRequest, Study, messages, study_page
from evaluation.console.release import release_page
from evaluation.console.release_forms import SplitForm
from evaluation.services.splits import SplitChoice, choose_split, remove_split


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
    return release_page(request, study, split_form=form, status=422)


def _home(study: Study) -> str:
    return reverse("console:panel", args=[study.public_id, "release"])
