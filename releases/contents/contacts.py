"""Contact data in a study's texts, which releases replace with a placeholder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from reporting.preregistration.departures import KEY as PREREGISTRATIONS
from reporting.preregistration.departures import cleaned_registration

PLACEHOLDER = "[contact]"
# The texts among the facts. Options and earlier guidelines contain texts, too.
TEXTS = ("instructions", "examples", "consent", "eligibility", "options", "earlier_guidelines", "survey")
_EMAIL = re.compile(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+")
Clean = Callable[[Any], Any]


def contact_remover(contact: str, join_token: str) -> Clean:
    """Return a function that replaces the study's contact, its join links and all e-mail addresses in the texts of a
    JSON value. A name is only replaced if it has at least two words.
    """
    name = _EMAIL.sub("", contact).strip(" ,;:<>()")
    names = [each for each in (contact.strip(), name if " " in name else "") if each]
    patterns = [re.escape(each) for each in names] + [rf"\S*{re.escape(join_token)}[^\s)\]]*", _EMAIL.pattern]
    personal = re.compile("|".join(patterns))

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return personal.sub(PLACEHOLDER, value)
        if isinstance(value, Mapping):
            return {key: clean(each) for key, each in value.items()}
        return [clean(each) for each in value] if isinstance(value, list) else value

    return clean


def cleaned_facts(facts: Mapping[str, Any], clean: Clean) -> dict[str, Any]:
    """Return the facts with cleaned texts, also in preregistrations."""
    cleaned = {name: clean(value) if name in TEXTS else value for name, value in facts.items()}
    registered = [cleaned_registration(each, facts, cleaned, clean) for each in facts.get(PREREGISTRATIONS) or ()]
    return cleaned | ({PREREGISTRATIONS: registered} if registered else {})
