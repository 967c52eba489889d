"""Template tags behind a question mark: `{% explain "name" %}` shows how a figure is calculated, and `{% term "HIT" %}`
what a term means. `{% formula "name" %}` shows an explanation in the panel of a figure.
"""

from __future__ import annotations

from typing import Any

from django import template

from annotate import tasktypes
from annotate.help.terms import meanings
from annotate.help.topics import guide_url
from annotate.tasktypes import extensions
from annotate.web.explanations import EXPLANATIONS

register = template.Library()


@register.inclusion_tag("web/explanation.html", takes_context=True)
def explain(context: dict[str, Any], name: str) -> dict[str, Any]:
    """Show the explanation with this name, from the study's task type or from the console.

    Raises `KeyError` if the explanation does not exist.
    """
    study = context.get("study")
    own = tasktypes.get(study.task_type).reports.explanations if study else {}
    explanation = {**EXPLANATIONS, **extensions.explanations(), **own}[name]
    return {"explanation": explanation, "url": guide_url(explanation.guide)}


@register.inclusion_tag("web/formula.html", takes_context=True)
def formula(context: dict[str, Any], name: str) -> dict[str, Any]:
    """Show the same explanation without a question mark."""
    return explain(context, name)


@register.inclusion_tag("web/term.html")
def term(name: str) -> dict[str, str]:
    """Show the meaning of a term in the glossary. Raises `KeyError` if the glossary does not contain the term."""
    return {"term": name, "meaning": meanings()[name], "url": guide_url("glossary")}
