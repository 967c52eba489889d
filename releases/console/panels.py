"""Links to the release pages in a study's navigation and on Set up."""

from __future__ import annotations

from django.http import HttpRequest
from django.template.loader import render_to_string

from annotate.tasktypes.extensions import Tab
from annotate.toolkit import Action, Panel, Study
from releases.selectors.compare import has_results
from releases.selectors.releases import repeat_report

from .compare import compare
from .release import release


def panels(study: Study) -> list[Panel]:
    found = [Panel("release", "Release", release, place="results", guide="cli#accord-release")]
    if has_results(study):
        found.append(
            Panel(
                "compare",
                "Compare with a repeat",
                compare,
                post="look",  # the service checks who may calculate reports
                place="results",
                under="release",
                text="Accord predicts how well a repeat of this study agrees with it.",
                guide="repeating#comparing",
            )
        )
    return found


def further(study: Study) -> list[Tab]:
    """Return the page with the differences, if the study repeats a released study."""
    return [Tab("overview", "Repeat", ("repeat/",), Action.LOOK)] if repeat_report(study) else []


def repeated(request: HttpRequest, study: Study) -> str:
    """Return a sentence for Set up that leads to the differences, if the study repeats a released study."""
    report = repeat_report(study)
    if report is None:
        return ""
    context = {"study": study, "release": report.parameters["release"], "count": len(report.result["differences"])}
    return render_to_string("releases/repeated.html", context, request)
