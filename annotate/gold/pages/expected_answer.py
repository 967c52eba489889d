"""The page on which researchers change the expected answer to a gold question (/console/<study>/gold/<id>/expected/).

The page first shows the effects of the change. The change takes place after the researcher has confirmed the effects.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.expected_answers import ExpectedAnswer, earlier_answers
from annotate.core.services import regrading
from annotate.gold.forms import ExpectedAnswerForm
from annotate.models import Question, Study
from annotate.questions.selectors.decisions import present_question
from annotate.questions.selectors.questions import in_words
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.CHANGE_EXPECTED_ANSWERS)
def expected_answer(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.GOLD)
    if request.method != "POST":
        start = _start(target, request)
        return _page(request, study, target, ExpectedAnswerForm(initial=_initial(study, target, start)))
    form = ExpectedAnswerForm(request.POST)
    if form.is_valid():
        sent = form.cleaned_data
        with form.show_refusals():
            if sent["confirmed"] != _fingerprint(sent["value"]):
                effects = regrading.preview_expected_answer(target.pk, sent["value"], user=request.user)
                return _page(request, study, target, form, effects)
            effects = regrading.change_expected_answer(
                target.pk,
                sent["value"],
                user=request.user,
                reason=sent["reason"],
                explanation=sent["explanation"],
                restore=request.POST.getlist("restore"),
                seen=sent["seen"],
            )
            messages.success(request, _summary(target, effects))
            return redirect(_back(request, study))
    return _page(request, study, target, form, status=422)


def _initial(study: Study, question: Question, expected: ExpectedAnswer) -> dict[str, Any]:
    value = tasktypes.get(study.task_type).reveal(question.payload, [], expected.gold)
    return {"value": value, "explanation": expected.explanation, "seen": question.gold_version}


def _start(question: Question, request: ConsoleRequest) -> ExpectedAnswer:
    """Return the answer with which the form starts: the earlier version or the annotator's answer that the query names,
    or the current version.
    """
    version, answer = (request.GET.get(name, "") for name in ("version", "answer"))
    if answer.isdecimal() and (given := question.answers.filter(pk=answer, value__isnull=False).first()):
        return ExpectedAnswer(given.value, question.explanation)
    chosen = [each.expected for each in earlier_answers(question) if str(each.version) == version]
    return chosen[0] if chosen else ExpectedAnswer(question.gold, question.explanation)


def _back(request: ConsoleRequest, study: Study) -> str:
    """Return the address of the disputes if the researcher has come from one of their answers."""
    return reverse("console:disputes" if request.GET.get("answer") else "console:gold", args=[study.public_id])


def _fingerprint(value: Any) -> str:
    """Return a text that identifies the answer whose effects the researcher has seen."""
    return json.dumps(value, sort_keys=True)


def _summary(question: Question, effects: regrading.Effects) -> str:
    parts = [
        f"The expected answer to {question.ref} was changed.",
        f"Changed grades: {effects.changed:,} of {effects.graded:,}.",
    ]
    if effects.job:
        parts.append(
            f"A job applies the quality rule to {with_noun(len(effects.stopped), 'annotator')} and restores "
            f"{with_noun(len(effects.restored), 'annotator')}. The Jobs page shows its progress."
        )
        return " ".join(parts)
    if effects.stopped:
        parts.append(f"The quality rule stopped {', '.join(effects.stopped)}.")
    if effects.restored:
        parts.append(f"Restored: {', '.join(effects.restored)}.")
    return " ".join(parts)


def _page(
    request: ConsoleRequest,
    study: Study,
    question: Question,
    form: ExpectedAnswerForm,
    effects: regrading.Effects | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "question": question,
        "form": form,
        "effects": effects,
        "confirmed": _fingerprint(form.cleaned_data["value"]) if effects else "",
        "content": present_question(study, question),
        "value": form["value"].value() or None,
        # Without parameters, the form starts with the current expected answer.
        "current": in_words(study, question, question.gold) if request.POST or request.GET else "",
        "earlier": [(each, in_words(study, question, each.expected.gold)) for each in earlier_answers(question)],
        "back": _back(request, study),
        "styles": tasktypes.styles_of(study.task_type),
        "strings": f"{study.task_type}/strings.html",
    }
    return render(request, "gold/expected_answer.html", context, status=status)
