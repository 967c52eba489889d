"""The page *Report it*: the questions for the authors of a study, and the documents that contain their answers."""

from __future__ import annotations

import io
import zipfile

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from annotate.toolkit import ConsoleRequest, Refused, Study, attachment, messages, study_page
from reporting.console.forms import AnswersForm
from reporting.console.methods import methods_context
from reporting.forms.entries import Form
from reporting.selectors.answers import author_answers
from reporting.selectors.documents import current_forms
from reporting.services.answers import save_answers

MARKDOWN = "text/markdown; charset=utf-8"


def report_it(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Show the questions and the documents, or store the answers after submission."""
    if request.method == "POST":
        form = AnswersForm(request.POST)
        if form.is_valid():
            with form.show_refusals():
                save_answers(study.pk, form.cleaned_data, user=request.user)
                messages.success(request, "The answers have been saved.")
                return redirect(reverse("console:panel", args=[study.public_id, "reporting"]))
        return _page(request, study, form, status=422)
    return _page(request, study, AnswersForm(initial=author_answers(study)))


@study_page()
def document(request: ConsoleRequest, study: Study, document: str) -> HttpResponseBase:
    """Show a document, or return it as a Markdown file."""
    form = next((each for each in _forms(study) if each.slug == document), None)
    if form is None:
        raise Http404("no such document")
    if "download" in request.GET:
        return attachment([form.markdown().encode()], f"{form.slug}.md", MARKDOWN)
    return render(request, "reporting/document.html", {"study": study, "document": form})


@study_page()
def archive(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Return all documents as a zip file."""
    forms = _forms(study)
    if not forms:
        raise Http404("no results to report")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as files:
        for form in forms:
            files.writestr(f"{form.slug}.md", form.markdown())
    return attachment([buffer.getvalue()], f"{study.public_id}-documents.zip", "application/zip")


def _forms(study: Study) -> list[Form]:
    """Return the documents, or none if there are no results to report."""
    try:
        return current_forms(study)
    except Refused:
        return []


def _page(request: ConsoleRequest, study: Study, form: AnswersForm, status: int = 200) -> HttpResponse:
    context = {"study": study, "form": form, "documents": _forms(study), **methods_context(study)}
    return render(request, "reporting/report_it.html", context, status=status)
