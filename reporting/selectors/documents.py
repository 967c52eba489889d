"""The current documents about a study, before a release."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Report, Study
from annotate.questions.selectors.data import one_snapshot
from annotate.results.selectors.downloads import latest_results
from annotate.results.selectors.exports import report_document
from annotate.server.refusals import Refused
from reporting.forms.basis import Basis, basis
from reporting.forms.documents import forms
from reporting.forms.entries import Form
from reporting.selectors.answers import author_answers
from reporting.selectors.reported import reported_data

UNRELEASED = dict.fromkeys(("version", "licence", "creators", "citation", "url"), "")


def current_basis(study: Study) -> Basis:
    """Return the basis of documents: the latest results report and the current rows.

    Raises `Refused` with the reason `no-report` if there is no report with judgements.
    """
    with one_snapshot():
        report: Report | None = latest_results(study)
        if report is None or not report.judgements:
            raise Refused("no-report", "There are no results to report yet. Calculate the results first.")
        task, data = tasktypes.get(study.task_type), reported_data(study)
        return basis(task, data, report_document(report)["result"], author_answers(study), UNRELEASED)


def current_forms(study: Study) -> list[Form]:
    """Return all checklists and datasheets about a study, with their current answers."""
    return forms(current_basis(study))
