"""The page that freezes a preregistration, shows what the study did differently, and offers the files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotate.questions.selectors.data import preregistrations
from annotate.tasktypes.extensions import Tab
from annotate.toolkit import Action, ConsoleForm, ConsoleRequest, Study, attachment, messages, study_data, study_page
from reporting.preregistration.departures import departures
from reporting.preregistration.registrations import LONGEST, draft_of, freeze
from reporting.preregistration.template import FIELDS, SECTIONS, Field, document_file, markdown


class PreregistrationForm(ConsoleForm):
    """One text for each field of the template."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in FIELDS:
            self.fields[field.name] = forms.CharField(
                required=field.required,
                max_length=LONGEST,
                label=field.heading,
                help_text=field.help,
                widget=forms.Textarea(attrs={"rows": 2}),
            )
        self._dress()


@study_page()
@require_safe
def preregistration(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Show the preregistrations so far, what the study did differently, and the form for a new one."""
    return _page(request, study, PreregistrationForm(initial=draft_of(study)))


@study_page(Action.MANAGE)
@require_POST
def freeze_plan(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Freeze a preregistration."""
    form = PreregistrationForm(request.POST)
    if form.is_valid():
        with form.show_refusals():
            freeze(study.pk, form.cleaned_data, user=request.user)
            messages.success(request, "The preregistration is frozen. Nobody can change it.")
            return redirect(reverse("console:preregistration", args=[study.public_id]))
    return _page(request, study, form, status=422)


@study_page()
@require_safe
def preregistration_file(request: ConsoleRequest, study: Study, filename: str) -> HttpResponseBase:
    """Return a preregistration as Markdown or JSON, such as `preregistration-1.md`."""
    for each in preregistrations(study):
        if filename == f"preregistration-{each['version']}.json":
            return attachment([document_file(each["document"])], filename, "application/json")
        if filename == f"preregistration-{each['version']}.md":
            text = markdown(each["document"], at=each["at"], sha256=each["sha256"])
            return attachment([text], filename, "text/markdown; charset=utf-8")
    raise Http404


def _page(request: ConsoleRequest, study: Study, form: PreregistrationForm, *, status: int = 200) -> HttpResponseBase:
    frozen = preregistrations(study)
    context = {
        "study": study,
        "form": form,
        "sections": [_section(form, heading, fields) for heading, fields in SECTIONS],
        "frozen": [{**each, "at": datetime.fromisoformat(each["at"])} for each in reversed(frozen)],
        "departures": departures(study_data(study)) if frozen else [],
    }
    return render(request, "preregistration/preregistration.html", context, status=status)


def _section(form: PreregistrationForm, heading: str, fields: Sequence[Field]) -> dict[str, Any]:
    """Return a section with its fields, the number of fields with a text, and whether one of its texts is refused."""
    bound = [form[field.name] for field in fields]
    filled = sum(bool(field.value()) for field in bound)
    return {"heading": heading, "fields": bound, "filled": filled, "is_wrong": any(field.errors for field in bound)}


def offered(request: HttpRequest, study: Study) -> str:
    """Return a line for Set up that leads to the page."""
    context = {"study": study, "frozen": len(preregistrations(study))}
    return render_to_string("preregistration/offered.html", context, request)


def further(study: Study) -> list[Tab]:
    return [Tab("overview", "Preregistration", ("preregistration/",), Action.LOOK)]
