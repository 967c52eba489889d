"""Descriptions of answers for annotators, with the linked chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from alignment_ui.chunks.numerics.chunks import UNLINKED
from annotate.tasktypes import AnswerPart

SIDES = ("source", "target")


def answer_parts(payload: Mapping[str, Any], value: Mapping[str, Any]) -> Sequence[AnswerPart]:
    """Return the links with their types and scores, and the chunks without a link."""
    links = [_link(payload, value, link) for link in value["links"]]
    parts = [AnswerPart(_("Links"), links)] if links else []
    for kind in UNLINKED:
        words = [_words(payload, value, one["side"], one["chunk"]) for one in value["left"] if one["type"] == kind]
        if words:
            parts.append(AnswerPart(kind, words, "ochre"))
    return parts or [AnswerPart("", [_("No links")])]


def describe_measure(measure: str) -> str:
    """Describe a measure of the quality rule in the language of the page."""
    if measure == "f1":
        return _("mean agreement (F1) between your links and the expected links in check questions")
    return _("share of check questions that you answered as expected")


def _link(payload: Mapping[str, Any], value: Mapping[str, Any], link: Mapping[str, Any]) -> str:
    ends = " – ".join(_words(payload, value, side, link[side]) for side in SIDES)
    return f"{ends}: {'_'.join([link['type'], *link['flags']])} {link['score']:g}"


def _words(payload: Mapping[str, Any], value: Mapping[str, Any], side: str, chunk: int) -> str:
    return " ".join(payload[side][token] for token in value["chunks"][side][chunk])
