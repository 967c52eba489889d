"""The gold page, which shows which gold questions need a look, excludes questions, and creates gold questions from
candidates.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_POST, require_safe

from accord_core.numerics.printed import count, with_noun
from annotate import tasktypes
from annotate.core.permissions import PERMISSIONS, Action
from annotate.data.pages.uploads import limits
from annotate.data.selectors.design import gold_cover
from annotate.data.services.removal import can_undo_removal
from annotate.gold import services as gold_services
from annotate.gold.forms import DrawForm, JudgeForm, PromoteForm, SetAsideForm
from annotate.gold.selectors import gold as gold_selectors
from annotate.gold.selectors.rule import advised_number, rule_obstacle
from annotate.models import Participation, Question, Study
from annotate.questions.selectors.decisions import present_question
from annotate.web.forms import UploadForm
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.undo import notify_with_undo

PAGE, CANDIDATES_PAGE = 25, 10
NAMED = 5  # stopped annotators in the message about an exclusion
MISSED_NAMED = 3  # questions in the first sentence of the page


@study_page()
@require_safe
def gold(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study)


@study_page(Action.DRAW_CANDIDATES)
@require_POST
def draw(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = DrawForm(request.POST)
    if form.is_valid():
        with form.show_refusals():
            drawn = gold_services.draw_candidates(study.pk, form.cleaned_data["count"], user=request.user)
            messages.success(
                request,
                f"{with_noun(len(drawn), 'gold candidate')} drawn. Answer each gold candidate, and ask other "
                "reviewers to do the same.",
            )
            return redirect("console:gold", study.public_id)
    return _page(request, study, draw_form=form)


@study_page(Action.ANSWER_CANDIDATES)
def judge(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Show a gold candidate, store the author's answer, and continue with the next unanswered candidate."""
    candidate = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.CANDIDATE)
    value, explanation = gold_selectors.own_answer(study, candidate, request.user)
    form, status = JudgeForm(initial={"value": value, "explanation": explanation}), 200
    if request.method == "POST":
        form, status = JudgeForm(request.POST), 422
        if form.is_valid():
            with form.show_refusals():
                gold_services.judge_candidate(
                    candidate.pk,
                    form.cleaned_data["value"],
                    user=request.user,
                    explanation=form.cleaned_data["explanation"],
                )
                return _onwards(request, study, candidate)
    task = tasktypes.get(study.task_type)
    waiting = gold_selectors.candidates_of(study)
    context = {
        "study": study,
        "task": task,
        "candidate": candidate,
        "form": form,
        "content": present_question(study, candidate),
        "value": form["value"].value() or None,
        "left": waiting.exclude(judgements__user=request.user).count(),
        "all": waiting.count(),
        "styles": tasktypes.styles_of(study.task_type),
        "strings": f"{study.task_type}/strings.html",
    }
    return render(request, "gold/gold_candidate.html", context, status=status)


@study_page(Action.PROMOTE_CANDIDATES)
@require_POST
def promote(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = PromoteForm(request.POST)
    if not form.is_valid():
        return _page(request, study, promote_form=form)
    clear = gold_selectors.candidates_of(study).exclude(public_id__in=request.POST.getlist("unclear"))
    ids = list(clear.values_list("pk", flat=True))
    authors = form.cleaned_data["authors"]
    promoted = gold_services.promote(ids, study_id=study.pk, user=request.user, authors=authors)
    if promoted:
        notify_with_undo(
            request,
            f"{with_noun(promoted, 'gold question')} added from the candidates.",
            address=reverse("console:undo-promotion", args=[study.public_id]),
            seen=gold_services.promotion_to_undo(study),
        )
    else:
        messages.warning(request, f"No candidate has answers from at least {authors} researchers who all agree.")
    return redirect("console:gold", study.public_id)


@study_page(Action.PROMOTE_CANDIDATES, back="gold/")
@require_POST
def undo_promotion(request: ConsoleRequest, study: Study) -> HttpResponse:
    gold_services.undo_promotion(study.pk, seen=request.POST.get("seen", ""), user=request.user)
    messages.success(request, "The new gold questions are candidates again.")
    return redirect("console:gold", study.public_id)


@study_page(Action.EXCLUDE_GOLD)
@require_POST
def set_aside(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Exclude a gold question. The reason is optional while no annotator has answered the question."""
    target = get_object_or_404(study.questions, public_id=question)
    needs_reason = "reason" in request.POST or gold_services.is_answered(target)
    form = SetAsideForm(request.POST if needs_reason else {"reason": "Excluded before annotators answered it."})
    if form.is_valid():
        with form.show_refusals():
            wrongly_stopped = gold_services.exclude_gold(
                target.pk, user=request.user, reason=form.cleaned_data["reason"]
            )
            _confirm_exclusion(request, target, wrongly_stopped)
            return redirect("console:gold", study.public_id)
    return _page(request, study, aside=target, aside_form=form)


def _confirm_exclusion(request: ConsoleRequest, question: Question, wrongly_stopped: list[Participation]) -> None:
    """Say what the exclusion does, with links to the annotators whom the quality rule would no longer stop."""
    text = format_html(
        "{} is excluded. Annotators no longer get this question, and it no longer affects their accuracy.", question.ref
    )
    if wrongly_stopped:
        shown, more = wrongly_stopped[:NAMED], len(wrongly_stopped) - NAMED
        page = f"{request.console.home}annotators/"
        people = format_html_join(
            ", ", '<a href="{}{}/">{}</a>', ((page, each.pseudonym, each.pseudonym) for each in shown)
        )
        further = f" and {count(more)} more" if more > 0 else ""
        text = format_html("{} Without it, the quality rule would not stop {}{}.", text, people, further)
    notify_with_undo(
        request,
        text,
        address=reverse("console:restore-gold", args=[question.study.public_id, question.public_id]),
        seen=gold_services.exclusion_to_undo(question),
    )


@study_page(Action.EXCLUDE_GOLD, back="gold/")
@require_POST
def restore(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Undo the exclusion of a gold question."""
    target = get_object_or_404(study.questions, public_id=question)
    gold_services.undo_exclusion(target.pk, seen=request.POST.get("seen", ""), user=request.user)
    messages.success(request, f"{target.ref} is a gold question again.")
    return redirect("console:gold", study.public_id)


def _onwards(request: ConsoleRequest, study: Study, candidate: Question) -> HttpResponse:
    following = gold_selectors.next_candidate(study, request.user, after=candidate.pk)
    if following:
        return redirect("console:candidate", study.public_id, following.public_id)
    messages.success(request, "You have answered every candidate.")
    return redirect("console:gold", study.public_id)


def _page(request: ConsoleRequest, study: Study, **forms: Any) -> HttpResponse:
    """Render the page. `forms` contains submitted forms with errors, which replace the empty forms on the page."""
    health = gold_selectors.gold_health(study)
    page = Paginator(health.keys, PAGE).get_page(request.GET.get("page"))
    candidates = Paginator(gold_selectors.candidates_of(study), CANDIDATES_PAGE).get_page(request.GET.get("candidates"))
    ready = gold_selectors.promotable(study)
    reviewers = study.memberships.filter(role__in=PERMISSIONS[Action.ANSWER_CANDIDATES].roles).count()
    authors = 2 if reviewers > 1 else 1
    initial = 1 if ready[1] and not ready[authors] else authors
    to_answer = gold_selectors.unanswered_candidates(study, request.user)
    context = {
        "study": study,
        "verdict": _verdict(study, health),
        "disputed": len(health.disputed),
        "page": page,
        "rows": gold_selectors.gold_rows(study, list(page)),
        "candidates": candidates,
        "candidate_rows": gold_selectors.candidate_rows(study, request.user, list(candidates)),
        "candidates_open": "candidates" in request.GET,
        "to_answer": to_answer.count() if request.console.may[Action.ANSWER_CANDIDATES] else 0,
        "next": to_answer.first(),
        "agreement": gold_selectors.author_agreement(study),
        "promotable": ready[initial] if request.console.may[Action.PROMOTE_CANDIDATES] else 0,
        "answered": gold_selectors.answered_candidates(study, request.user),
        "ready": [(number, ready.get(number, 0)) for number in range(1, max([authors, *ready]) + 1)],
        "retired": study.questions.filter(kind=Question.Kind.RETIRED).order_by("pk"),
        "practice": study.questions.filter(kind=Question.Kind.PRACTICE).count(),
        "has_items": study.items.visible().exists(),
        "files": study.uploads.imported().exclude(purpose="items").defer("content").order_by("-pk"),
        "removal_can_be_undone": can_undo_removal(study),
        "cover": gold_cover(study),
        "obstacle": rule_obstacle(study),
        "advice": advised_number(study),
        "form": UploadForm(),
        "draw_form": forms.get("draw_form") or DrawForm(),
        "promote_form": forms.get("promote_form") or PromoteForm(initial={"authors": initial}),
        "aside": forms.get("aside"),
        "aside_form": forms.get("aside_form") or SetAsideForm(),
        **limits(),
    }
    return render(request, "gold/gold.html", context, status=422 if forms else 200)


def _verdict(study: Study, health: gold_selectors.GoldHealth) -> str:
    """Return the answer to the question of the page in one sentence, and whose answers it includes."""
    total, unanswered = len(health.keys), len(health.unanswered)
    reasons = (
        (len(health.disputed), "disputed"),
        (len(health.missed), f"missed by most annotators{_most_missed(study, health)}"),
        (len(health.misleading), "with an explanation that names a position"),
    )
    if unanswered == total:
        parts = [f"{with_noun(total, 'gold question')}, not answered yet"] if total else []
    elif not health.working and not health.to_look_at:
        return f"Too early to tell: no gold question has {gold_selectors.FEWEST_ON_GOLD} answers yet."
    elif health.working == total:
        parts = [f"All {count(total)} work"]
    else:
        parts = [f"{count(health.working)} of {count(total)} work"]
    if health.to_look_at:
        given = [(number, reason) for number, reason in reasons if number]
        listed = ", ".join(f"{count(number)} {reason}" if len(given) > 1 else reason for number, reason in given)
        parts.append(f"{with_noun(health.to_look_at, 'needs a look,need a look')}: {listed}")
    if health.unclear and unanswered < total:
        few = f"fewer than {gold_selectors.FEWEST_ON_GOLD} answers"
        parts.append(with_noun(health.unclear, f"has {few},have {few}"))
    stopped = study.participations.people().filter(standing=Participation.Standing.STOPPED)
    included = " Answers from stopped annotators are included." if health.missed and stopped.exists() else ""
    return "; ".join(parts) + f".{included}" if parts else ""


def _most_missed(study: Study, health: gold_selectors.GoldHealth) -> str:
    """Return the first questions missed by most annotators, with their results, for example “ (gold-10 by 3 of 5)”."""
    keys = [pk for pk in health.keys if pk in health.missed]
    refs = dict(study.questions.filter(pk__in=keys[:MISSED_NAMED]).values_list("pk", "ref")) if keys else {}
    named = [
        f"{refs[pk]} by {count(health.missed[pk].missed)} of {count(health.missed[pk].given)}"
        for pk in keys[:MISSED_NAMED]
    ]
    return f" ({', '.join(named)}{' …' if len(keys) > MISSED_NAMED else ''})" if named else ""
