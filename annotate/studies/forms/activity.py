"""The sentences about activity summaries that the settings page suggests adding to the consent text."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from annotate.server.languages import FALLBACK, available


def suggested_sentences(language: str) -> str:
    """Return the sentences in the study's language if Accord is translated into it, or otherwise in English."""
    with translation.override(available(language) or FALLBACK):
        return _(
            "With each answer, this study collects a summary of your activity on the page: how often and for how long "
            "another window is in use, the number and approximate length of pasted texts, the number and timing of key "
            "presses and clicks, how straight the pointer moves, and whether a program creates these events. The keys "
            "that you press and the texts that you paste are not stored. The research team compares these summaries, "
            "and the times and patterns of your answers, with those of other annotators to find careless and automated "
            "answers. The summaries are deleted together with your personal data."
        )
