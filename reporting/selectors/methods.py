"""The current methods section of a study, before a release."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Study
from annotate.questions.selectors.data import one_snapshot
from annotate.results.selectors.downloads import latest_results
from annotate.results.selectors.exports import report_document
from annotate.server.refusals import Refused
from reporting.methods.document import MethodsSection
from reporting.methods.section import methods_section
from reporting.selectors.answers import author_answers
from reporting.selectors.reported import reported_data


def current_methods(study: Study) -> MethodsSection:
    """Return the methods section from the latest results report and the current rows.

    Raises `Refused` with the reason `no-report` if there is no report with judgements.
    """
    with one_snapshot():
        report = latest_results(study)
        if report is None or not report.judgements:
            raise Refused("no-report", "There are no results to report yet. Calculate the results first.")
        data, result = reported_data(study), report_document(report)["result"]
    return methods_section(tasktypes.get(study.task_type), data, result, author_answers(study))
