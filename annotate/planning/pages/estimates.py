"""The pilot of a stored plan, and the estimates from this pilot."""

from __future__ import annotations

from collections.abc import Mapping

from annotate.core.permissions import Action, permitted_studies
from annotate.exchange.plans import Wording
from annotate.models import Study, User
from annotate.numerics.printed import annotators, count
from annotate.planning.models import Plan
from annotate.planning.pages.parts import Table


def pilot_text(plan: Plan, words: Wording, study: Study, user: User) -> str:
    """Return a sentence about the pilot of a plan, or an empty string for a plan without a pilot. The title of another
    study is shown only to its members.
    """
    pilot = plan.result.get("pilot")
    if not pilot:
        return ""
    source = "this study"
    if pilot["study"] != study.public_id:
        other = permitted_studies(user, Action.LOOK).filter(public_id=pilot["study"]).first()
        source = f"the study “{other.title}”" if other else "another study"
    people = annotators(pilot["annotators"], pilot["annotators"] if pilot["simulated"] else 0)
    return f"Estimated from {count(pilot['answers'])} {words.answers} of {people} in {source}."


def estimates_table(plan: Plan, labels: Mapping[str, str]) -> Table | None:
    """Return the estimates of a plan with a pilot, with their 95% intervals, or None without a pilot."""
    if not plan.result.get("pilot"):
        return None
    estimates = plan.result["assumptions"]
    return Table(
        ("Assumption", "Estimate", "95% interval"),
        [
            (_capital(labels[name]), f"{each['value']:.2f}", f"{each['low']:.2f} to {each['high']:.2f}")
            for name, each in estimates.items()
        ],
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
