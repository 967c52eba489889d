"""The pages on which researchers write a study's questionnaires."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accord_core.exchange.numbers import is_whole_number
from annotate.core.permissions import Action
from annotate.models import Questionnaire, Study
from annotate.models.questionnaire_definition import KINDS, FormQuestion, next_name
from annotate.recruiting.forms import KindForm, PersonQuestionForm, QuestionnaireForm, initial_values
from annotate.recruiting.questionnaires.shown import shown_questions
from annotate.recruiting.questionnaires.tallies import SurveyTable
from annotate.recruiting.selectors import latest_questionnaire, questionnaire_file, screening_counts, survey_tables
from annotate.recruiting.services.questionnaires import (
    FIELDS,
    Place,
    add_question,
    change_questionnaire,
    delete_question,
    is_answered,
    move_question,
    replace_question,
)
from annotate.server.refusals import Refused, or_404
from annotate.web.attachments import attachment
from annotate.web.pages.access import ConsoleRequest, study_page

MOVES = {"up": -1, "down": 1}


@study_page()
@require_safe
def overview(request: ConsoleRequest, study: Study, questionnaire: str) -> HttpResponse:
    latest = _latest(study, questionnaire)
    initial = {name: getattr(latest, name) for name in ("revision", *FIELDS)}
    form = QuestionnaireForm(initial=initial, screening=_screens(latest))
    return _page(request, latest, form)


@study_page(Action.CHANGE_SETTINGS)
@require_POST
def change(request: ConsoleRequest, study: Study, questionnaire: str) -> HttpResponse:
    form = QuestionnaireForm(request.POST, screening=questionnaire == Questionnaire.Purpose.SCREENING)
    if form.is_valid():
        changes = dict(form.cleaned_data)
        revision = changes.pop("revision")
        with form.show_refusals():
            change_questionnaire(study.pk, questionnaire, changes, revision=revision, user=request.user)
            messages.success(request, "The texts and settings were saved.")
            return redirect("console:questionnaire", study.public_id, questionnaire)
    return _page(request, _latest(study, questionnaire), form, status=422)


@study_page(Action.SEE_PLATFORM_IDS)
@require_safe
def file(request: ConsoleRequest, study: Study, questionnaire: str) -> StreamingHttpResponse:
    _latest(study, questionnaire)
    return attachment(questionnaire_file(study, questionnaire), f"{questionnaire}.csv")


@study_page(Action.CHANGE_SETTINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def new_question(request: ConsoleRequest, study: Study, questionnaire: str) -> HttpResponse:
    """Show the form for a new question. The URL contains the kind of question."""
    latest = _latest(study, questionnaire)
    kind = request.GET.get("kind", "")
    if kind not in KINDS:
        raise Http404("no such kind of question")
    screening = questionnaire == Questionnaire.Purpose.SCREENING
    initial = {"revision": latest.revision, "required": screening}
    if kind == "scale":
        initial |= {"minimum": 1, "maximum": 5}
    form = PersonQuestionForm(request.POST or None, kind=kind, screening=screening, initial=initial)

    def save() -> None:
        revision = form.cleaned_data["revision"]
        question = form.question(next_name(latest.entries))
        add_question(study.pk, questionnaire, question, revision=revision, user=request.user)

    return _question_page(request, latest, form, len(latest.questions), save)


@study_page(Action.CHANGE_SETTINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_question(request: ConsoleRequest, study: Study, questionnaire: str, name: str) -> HttpResponse:
    latest = _latest(study, questionnaire)
    at, question = _question(latest, name)
    screening = questionnaire == Questionnaire.Purpose.SCREENING
    initial = initial_values(question) | {"revision": latest.revision}
    form = PersonQuestionForm(request.POST or None, kind=question.kind, screening=screening, initial=initial)

    def save() -> None:
        place = Place(study.pk, questionnaire, name, form.cleaned_data["revision"])
        replace_question(place, form.question(name), user=request.user)

    return _question_page(request, latest, form, at, save)


@study_page(Action.CHANGE_SETTINGS, back="questionnaires/{questionnaire}/")
@require_POST
def move(request: ConsoleRequest, study: Study, questionnaire: str, name: str) -> HttpResponse:
    by = or_404(MOVES.get(request.POST.get("direction", "")), "no such direction")
    move_question(_place(request, study, questionnaire, name), by=by, user=request.user)
    return redirect("console:questionnaire", study.public_id, questionnaire)


@study_page(Action.CHANGE_SETTINGS, back="questionnaires/{questionnaire}/")
@require_POST
def delete(request: ConsoleRequest, study: Study, questionnaire: str, name: str) -> HttpResponse:
    delete_question(_place(request, study, questionnaire, name), user=request.user)
    return redirect("console:questionnaire", study.public_id, questionnaire)


def _question_page(
    request: ConsoleRequest, latest: Questionnaire, form: PersonQuestionForm, at: int, save: Callable[[], None]
) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            save()
        except Refused as refusal:
            form.refuse_question(refusal, at)
        else:
            messages.success(request, "The question was saved.")
            return redirect("console:questionnaire", latest.study.public_id, latest.purpose)
    context = {"study": latest.study, "questionnaire": latest, "form": form, "kind": KINDS[form.kind]}
    return render(request, "recruiting/person_question.html", context, status=422 if form.errors else 200)


def _page(request: ConsoleRequest, latest: Questionnaire, form: QuestionnaireForm, status: int = 200) -> HttpResponse:
    tables = [] if _screens(latest) else survey_tables(latest.study)
    context = {
        "study": latest.study,
        "questionnaire": latest,
        "entries": latest.entries,
        "may_download": request.console.may[Action.SEE_PLATFORM_IDS] and _has_file(latest, tables),
        "screens": _screens(latest),
        "tables": tables,
        "preview": shown_questions(latest.entries, {}, {}, may_decline=not _screens(latest)),
        "form": form,
        "kinds": KindForm(auto_id="new-%s"),
        "counts": screening_counts(latest.study),
        "answered": latest.pk is not None and is_answered(latest),
    }
    return render(request, "recruiting/questionnaire.html", context, status=status)


def _has_file(latest: Questionnaire, tables: Sequence[SurveyTable]) -> bool:
    return latest.stores_answers if _screens(latest) else bool(tables)


def _screens(questionnaire: Questionnaire) -> bool:
    return questionnaire.purpose == Questionnaire.Purpose.SCREENING


def _latest(study: Study, purpose: str) -> Questionnaire:
    """Return the latest version, or an empty questionnaire that has not been stored yet."""
    if purpose not in Questionnaire.Purpose.values:
        raise Http404("no such questionnaire")
    return latest_questionnaire(study, purpose) or Questionnaire(study=study, purpose=purpose, revision=0)


def _question(latest: Questionnaire, name: str) -> tuple[int, FormQuestion]:
    for at, question in enumerate(latest.entries):
        if question.name == name:
            return at, question
    raise Http404("no such question")


def _place(request: ConsoleRequest, study: Study, purpose: str, name: str) -> Place:
    revision = request.POST.get("revision", "")
    return Place(study.pk, purpose, name, int(revision) if is_whole_number(revision) else -1)
