"""Descriptions of answers for annotators, with the sentences in the chosen items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotate.tasktypes import AnswerPart
from bws.items import sentences


def answer_parts(value: Any, contents: Mapping[str, Any], options: Mapping[str, Any]) -> Sequence[AnswerPart]:
    """Return the best and worst items of an answer, in the study's wording."""
    return [
        AnswerPart(_capitalised(options["most"]), sentences(contents[value["best"]])),
        AnswerPart(_capitalised(options["least"]), sentences(contents[value["worst"]]), "ochre"),
    ]


def describe_measure() -> str:
    """Describe the quality rule's measure in the interface language. Best–worst scaling has only one measure."""
    return _("share of check questions that you answered as expected")


def _capitalised(wording: str) -> str:
    return wording[:1].upper() + wording[1:]
