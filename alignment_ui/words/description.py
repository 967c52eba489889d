"""Descriptions of answers, including the linked words, for display to annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from alignment_ui.pairs.numerics.links import identical_links
from alignment_ui.words.answer import as_alignment
from annotate.tasktypes import AnswerPart


def answer_parts(payload: Mapping[str, Any], value: Mapping[str, Any]) -> Sequence[AnswerPart]:
    """Return the sure and the possible links. Links between identical words are only counted."""
    alignment = as_alignment(value)
    identical = alignment.links & identical_links(payload["source"], payload["target"])
    parts = [
        AnswerPart(label, [f"{payload['source'][i]} – {payload['target'][j]}" for i, j in sorted(links)], tone)
        for label, links, tone in (
            (_("Sure links"), alignment.sure - identical, "ink"),
            (_("Possible links"), alignment.possible - identical, "ochre"),
        )
        if links
    ]
    if identical:
        text = ngettext("%(n)d link between identical words", "%(n)d links between identical words", len(identical))
        parts.append(AnswerPart("", [text % {"n": len(identical)}]))
    return parts or [AnswerPart("", [_("No links")])]


def describe_measure(measure: str) -> str:
    """Describe a measure of the quality rule in the language of the page."""
    if measure == "f1":
        return _("mean agreement (F1) between your links and the expected links in check questions")
    return _("share of check questions that you answered as expected")
