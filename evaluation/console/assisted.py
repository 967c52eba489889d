"""The page Program-assisted figures (/console/<study>/x/assisted/), for a study in which people answer a random part of
the questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from accord_core.exchange.printed_tables import PrintedTable, table_in
from accord_core.numerics.printed import coefficient, interval, percent
from annotate.core.selectors.jobs import jobs_with_reports
from annotate.server.refusals import or_404
from annotate.toolkit import ConsoleForm, ConsoleRequest, Report, Study, attachment, request_job, study_page
from annotate.web.pages.charts import Table
from evaluation.selectors import assisted as selected
from evaluation.services.assisted import refuse_incomplete

COLUMNS = ("system", "figure", "assisted", "low", "high", "people alone", "people low", "people high", "saved", "note")


class AssistedForm(ConsoleForm):
    program = forms.ChoiceField(label="Program")

    def __init__(self, *args: Any, programs: list[selected.Answered], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.program.pseudonym, each.program.annotator.external_id) for each in programs]
        self.fields["program"].choices = choices  # type: ignore[attr-defined]


def assisted(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the latest figures and the form that calculates them again, or start the calculation."""
    programs = selected.programs_with_answers(study)
    complete = [each for each in programs if each.is_complete]
    form = AssistedForm(request.POST if request.method == "POST" else None, programs=complete)
    if request.method == "POST" and form.is_valid():
        with form.show_refusals():
            program = form.cleaned_data["program"]
            refuse_incomplete(study, program)
            request_job(study, selected.KIND, parameters={"program": program}, user=request.user)
            return redirect(request.path)
    report = selected.latest(study)
    context = {
        "study": study,
        "judged": selected.judged_by_people(study),
        "programs": programs,
        "form": form if complete else None,
        "job": jobs_with_reports(study).filter(kind=selected.KIND).first(),
        "report": report,
        "table": _table(report.result) if report else None,
        "reasons": _reasons(report.result) if report else (),
        "ranks": _ranks(report.result) if report else None,
    }
    return render(request, "evaluation/assisted.html", context, status=422 if form.errors else 200)


@study_page()
@require_safe
def assisted_file(request: ConsoleRequest, study: Study) -> StreamingHttpResponse:
    """Return the latest figures as CSV."""
    report: Report = or_404(selected.latest(study), "no such file")
    rows = [
        [
            each["system"] or "",
            each["figure"],
            *(each["assisted"][end] for end in ("value", "low", "high")),
            *(each["people"][end] for end in ("value", "low", "high")),
            each["saved"],
            each["assisted"].get("reason") or each["people"].get("reason", ""),
        ]
        for each in report.result["figures"]
    ]
    return attachment(table_in(PrintedTable(list(COLUMNS), rows), "csv"), f"assisted-{report.number}.csv")


def _table(result: Mapping[str, Any]) -> Table | None:
    rows = [
        (
            f"{each['system']}: {each['figure']}" if each["system"] else capfirst(each["figure"]),
            _with_interval(each["assisted"]),
            _with_interval(each["people"]),
            percent(each["saved"]),
        )
        for each in result["figures"]
    ]
    return Table(("Figure", "With the program", "People alone", "Saved"), rows) if rows else None


def _reasons(result: Mapping[str, Any]) -> list[str]:
    """Return why figures have no interval."""
    reasons = [each["assisted"].get("reason") for each in result["figures"] if each["assisted"]["low"] is None]
    return list(dict.fromkeys(filter(None, reasons)))


def _ranks(result: Mapping[str, Any]) -> Table | None:
    rows = [
        (system, str(rank["value"]), f"{rank['low']} to {rank['high']}")
        for system, rank in sorted(result["ranks"].items(), key=lambda pair: pair[1]["value"])
    ]
    return Table(("System", "Rank", "Range"), rows) if rows else None


def _with_interval(figure: Mapping[str, Any]) -> str:
    value = coefficient(figure["value"])
    return value if figure["low"] is None else f"{value} ({interval(figure['low'], figure['high'])})"
