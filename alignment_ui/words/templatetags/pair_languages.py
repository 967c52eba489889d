"""Template filters for the language tags of a study's first and second sentences: `{{ study|second_language }}`."""

from __future__ import annotations

from django import template

from alignment_ui.pairs.languages import languages_of
from annotate.toolkit import Study

register = template.Library()


@register.filter
def first_language(study: Study) -> str:
    return languages_of(study.options, study.language)[0]


@register.filter
def second_language(study: Study) -> str:
    return languages_of(study.options, study.language)[1]
