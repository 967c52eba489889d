"""The tour of the demonstration, from an annotator's link to the report. Only the demonstration's owner sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from annotate.core.demonstration import OWNER, SEED
from annotate.core.selectors.studies import studies_of
from annotate.models import Study

register = template.Library()


@dataclass(frozen=True)
class Step:
    """A sentence, and the link to the page where it happens."""

    sentence: str
    label: str
    href: str
    new_tab: bool = False


@register.inclusion_tag("web/tour.html", takes_context=True)
def tour(context: dict[str, Any]) -> dict[str, Any]:
    """Return the tour through the first study of the demonstration, for its owner on the list of studies and on pages
    about its studies. All other pages get nothing.
    """
    request, shown = context["request"], context.get("study")
    user = request.user
    if shown.seed != SEED if isinstance(shown, Study) else request.path != reverse("console:studies"):
        return {}
    study = studies_of(user).order_by("pk").first() if user.is_authenticated and user.email == OWNER else None
    if study is None:
        return {}
    join = reverse("annotator:join", args=[study.join_token])
    home = reverse("console:overview", args=[study.public_id])
    objection = f"{home}messages/?show=objection"
    steps = (
        Step("Answer a few questions as an annotator, then come back.", "Annotate in a new tab", join, new_tab=True),
        Step("See how the study is going.", "Open the overview", home),
        Step("An annotator objects to being stopped. You decide.", "Read the objection", objection),
        Step("See the scores, and how reliable they are.", "Open the report", f"{home}results/"),
    )
    return {"study": study.public_id, "steps": steps}
