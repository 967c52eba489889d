"""Descriptions of answers for annotators, with the sentence and the candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotate.tasktypes import AnswerPart
from paraphrase.answer import candidates
from paraphrase.formats.phrases import in_parts


def question_texts(payload: Any, contents: Mapping[str, Any]) -> Sequence[str]:
    """Return the sentence, with the phrase in quotation marks."""
    before, phrase, after = in_parts(payload["content"] if "content" in payload else contents[payload["item"]])
    return [f"{before}“{phrase}”{after}"]


def answer_parts(payload: Any, value: Any) -> Sequence[AnswerPart]:
    """Return the accepted and the rejected candidates, in the order of the question."""
    texts, votes = candidates(payload), value["votes"]
    yes = [text for text, vote in zip(texts, votes, strict=True) if vote]
    no = [text for text, vote in zip(texts, votes, strict=True) if not vote]
    parts = [AnswerPart(_("Yes"), [", ".join(yes)]), AnswerPart(_("No"), [", ".join(no)], "ochre")]
    return [part for part, some in zip(parts, (yes, no), strict=True) if some]


def describe_measure(measure: str) -> str:
    """Describe a measure of the quality rule in the language of the page."""
    if measure == "balanced":
        return _("mean of two shares: suitable words that you accepted, and unsuitable words that you rejected")
    return _("share of words in check questions that you judged as expected")
