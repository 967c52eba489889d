"""The page Programs (/console/<study>/programs/), which lists a study's programs and compares them with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accord_core.exchange.alt_test_figures import published_sentences
from accord_core.exchange.printed_tables import table_in
from accord_core.exchange.program_tables import program_names, program_tables
from accord_core.numerics.printed import coefficient, interval, p_value
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.jobs import jobs_with_reports
from annotate.core.services.jobs import request_job
from annotate.core.setting_steps import setting_place
from annotate.models import Report, Study
from annotate.programs import selectors as selected
from annotate.programs.copied import copied_answers
from annotate.programs.forms import ProgramComparisonForm
from annotate.programs.services.comparison import refuse_without_programs
from annotate.server.refusals import or_404
from annotate.tasktypes import PEOPLE
from annotate.tasktypes.options import PEOPLE_SHARE, share_for_people
from annotate.web.attachments import attachment
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.charts import Table


@study_page()
@require_safe
def programs(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study, ProgramComparisonForm())


@study_page(Action.CALCULATE_REPORTS, back="programs/")
@require_POST
def compare(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the comparison of the programs with people on the current answers."""
    form = ProgramComparisonForm(request.POST)
    if not form.is_valid():
        return _page(request, study, form)
    refuse_without_programs(study)
    request_job(study, "programs", parameters=form.parameters, user=request.user)
    return redirect("console:programs", study.public_id)


@study_page()
@require_safe
def table_file(request: ConsoleRequest, study: Study, number: int, table: str) -> StreamingHttpResponse:
    """Return a table of a stored comparison as CSV."""
    chosen = or_404(program_tables(_report(study, number).result).get(table), "no such table")
    return attachment(table_in(chosen, "csv"), f"programs-{number}-{table}.csv")


@study_page()
@require_safe
def report_file(request: ConsoleRequest, study: Study, number: int) -> JsonResponse:
    """Return all figures of a stored comparison as JSON."""
    report = _report(study, number)
    return JsonResponse(
        {
            "study": study.public_id,
            "number": number,
            "created_at": report.created_at,
            "parameters": report.parameters,
            "versions": report.versions,
            "result": report.result,
        },
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="programs-{number}.json"'},
    )


def _report(study: Study, number: int) -> Report:
    return or_404(selected.comparisons(study).filter(number=number).first(), "no such comparison")


def _page(request: ConsoleRequest, study: Study, form: ProgramComparisonForm) -> HttpResponse:
    joined = selected.programs(study)
    report = selected.comparisons(study).first()
    context = {
        "study": study,
        "programs": joined,
        "share_setting": _share_setting(study),
        "can_compare": selected.answers_of_programs(study).exists(),
        "form": form,
        "job": jobs_with_reports(study).filter(kind="programs").first(),
        "report": report,
        **(_shown(report.result) if report else {}),
    }
    return render(request, "programs/programs.html", context, status=400 if form.errors else 200)


def _share_setting(study: Study) -> str:
    """Return the path of the setting that lets people answer only a part of a draft's questions, if it has one."""
    names = [option.name for option in tasktypes.get(study.task_type).options]
    offered = study.is_draft and PEOPLE_SHARE.name in names and share_for_people(study.options) == 1
    return setting_place(f"option_{PEOPLE_SHARE.name}") if offered else ""


def _shown(result: Mapping[str, Any]) -> dict[str, Any]:
    names = program_names(result)
    tests = [test for test in result["alt_test"] if not test["reason"]]
    return {
        "agreement": _agreement(result, names),
        "scores": _scores(result, names),
        "tests": _tests(result, names),
        "details": [(names[test["program"]], _details(test)) for test in tests],
        "published": [(names[test["program"]], list(published_sentences(test))) for test in tests],
        "reasons": [(names[test["program"]], test["reason"]) for test in result["alt_test"] if test["reason"]],
        "left_out": [(names[test["program"]], len(test["left_out"])) for test in tests if test["left_out"]],
        **copied_answers(result, names),
        "files": list(program_tables(result)),
    }


def _agreement(result: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    return Table(
        ("Compared annotators", "Questions", *(figure["label"] for figure in result["figures"])),
        [
            (
                _pair(each["one"], each["other"], names),
                f"{each['questions']:,}",
                *(_with_interval(figure) for figure in each["figures"].values()),
            )
            for each in result["agreement"]
        ],
    )


def _pair(one: str, other: str, names: Mapping[str, str]) -> str:
    if one == PEOPLE:
        return "People with other people" if other == PEOPLE else f"People with “{names[other]}”"
    return f"“{names[one]}” with “{names[other]}”"


def _scores(result: Mapping[str, Any], names: Mapping[str, str]) -> Table | None:
    rows = list(_score_rows(result, names))
    return Table(("Program", "Items", "Spearman correlation"), rows) if rows else None


def _score_rows(result: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for each in result["scores"]:
        if each["value"] is None:
            yield names[each["program"]], "–", each["reason"].capitalize()
        else:
            yield names[each["program"]], f"{each['items']:,}", _with_interval(each)


def _tests(result: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    gold = {each["pseudonym"]: each["gold"] for each in result["programs"]}
    return Table(
        ("Program", "Winning rate", "Average advantage probability", "Result", "Correct gold answers"),
        [
            (
                names[test["program"]],
                coefficient(test.get("winning_rate")),
                coefficient(test.get("advantage")),
                "–" if test["reason"] else "passes" if test["passes"] else "does not pass",
                f"{gold[test['program']]['right']:,} of {gold[test['program']]['answers']:,}",
            )
            for test in result["alt_test"]
        ],
    )


def _details(test: Mapping[str, Any]) -> Table:
    return Table(
        (
            "Annotator",
            "Questions",
            "Advantage of the program",
            "Advantage of the annotator",
            "Corrected p",
            "Program wins",
        ),
        [
            (
                each["annotator"],
                f"{each['questions']:,}",
                coefficient(each["system_advantage"]),
                coefficient(each["own_advantage"]),
                p_value(each["p_corrected"]),
                "yes" if each["wins"] else "no",
            )
            for each in test["annotators"]
        ],
    )


def _with_interval(figure: Mapping[str, Any]) -> str:
    """Return a figure with its interval, such as “.810 (.770–.850)”."""
    value = coefficient(figure["value"])
    return value if figure["low"] is None else f"{value} ({interval(figure['low'], figure['high'])})"
