"""Descriptions of answers for annotators, with the sentence and the candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.paraphrase.formats.phrases import in_parts
from annotate.tasktypes import AnswerPart
from paraphrase.answer import candidates


def question_texts(payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
    """Return the sentence, with the phrase in quotation marks."""
    before, phrase, after = in_parts(payload["content"] if "content" in payload else contents[payload["item"]])
    return [f"{before}“{phrase}”{after}"]


def differing_parts(payload: Any, given: Any, expected: Any) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
    """Return each candidate for which the annotator's vote differs from the expected vote, with both votes."""
    votes = zip(candidates(payload), given["votes"], expected["votes"], strict=True)
    differing = [(text, vote) for text, vote, right in votes if vote != right]
    yes, no = ([text for text, vote in differing if vote is wanted] for wanted in (True, False))
    return _parts(yes, no), _parts(no, yes)


def describe_measure(measure: str) -> str:
    """Describe one of the quality rule's measures in the interface language."""
    if measure == "balanced":
        return _("mean of two shares: suitable words that you accepted, and unsuitable words that you rejected")
    return _("share of words in check questions that you judged as expected")


def _parts(yes: list[str], no: list[str]) -> list[AnswerPart]:
    parts = [AnswerPart(_("Yes"), [", ".join(yes)]), AnswerPart(_("No"), [", ".join(no)], "ochre")]
    return [part for part, some in zip(parts, (yes, no), strict=True) if some]
