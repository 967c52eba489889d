"""The page on which managers request one more judgement per question (/console/<study>/judgements/). The page also
shows the price.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.core.selectors.spend import spend_of
from annotate.data.selectors.rounds import offers_rounds
from annotate.exchange.numbers import is_whole_number
from annotate.models import Study
from annotate.questions.selectors.supply import (
    Scope,
    chosen_questions,
    disputed_number,
    disputed_questions,
    price_for_all,
    price_for_questions,
)
from annotate.questions.services.refresh import current_figures
from annotate.questions.services.supply import add_to_all, add_to_questions
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.ADD_JUDGEMENTS)
@require_safe
def judgements(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the price of one more judgement for all questions, the disputed questions or the chosen questions."""
    age = current_figures(study)
    disputed = disputed_number(study)
    names = request.GET.getlist("question")
    chosen = chosen_questions(study, names)
    options = [
        (Scope.CHOSEN, "Chosen questions", price_for_questions(study, len(chosen))),
        (Scope.DISPUTED, "Disputed questions", price_for_questions(study, disputed)),
        (Scope.ALL, "All questions", price_for_all(study)),
    ]
    context = {
        "study": study,
        "options": [option for option in options if option[2].questions],
        "names": names,
        "left": spend_of(study).left,
        "figures_current": age.current,
        "offers_rounds": offers_rounds(study),
    }
    return render(request, "console/judgements.html", context)


@study_page(Action.ADD_JUDGEMENTS)
@require_POST
def add(request: ConsoleRequest, study: Study, scope: str) -> HttpResponse:
    """Add one judgement to each question in the scope."""
    if scope not in set(Scope):
        raise Http404("no such scope")
    seen = int(request.POST["seen"]) if is_whole_number(request.POST.get("seen", "")) else None
    try:
        if scope == Scope.ALL:
            added = add_to_all(study.pk, user=request.user, seen=seen)
        elif scope == Scope.DISPUTED:
            added = add_to_questions(study.pk, disputed_questions(study), user=request.user, seen=seen)
        else:
            chosen = chosen_questions(study, request.POST.getlist("question"))
            added = add_to_questions(study.pk, chosen, user=request.user, seen=seen)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console:judgements", study.public_id)
    messages.success(request, f"{added:,} assignment{' was' if added == 1 else 's were'} added.")
    return redirect(request.console.home)
