"""Descriptions of answers and their linked words, for display to annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.pairs.numerics.links import Alignment, Link
from alignment_ui.pairs.direction import isolated
from annotate.tasktypes import AnswerPart


def differing_parts(
    payload: Mapping[str, Any], given: Alignment, expected: Alignment
) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
    """Return the annotator's unexpected and missing links. A link that is sure in one alignment and possible in the
    other appears in both lists.
    """
    other_kind = (given.sure & expected.possible) | (given.possible & expected.sure)
    own = _parts(payload, _("Links that we did not expect"), given.links - expected.links, given, other_kind)
    right = _parts(
        payload, _("Expected links that you did not draw"), expected.links - given.links, expected, other_kind
    )
    return (
        own or [AnswerPart("", [_("All your links match the expected links.") if given.links else _("No links")])],
        right or [AnswerPart("", [_("You drew all expected links.") if expected.links else _("No links")])],
    )


def describe_measure(measure: str) -> str:
    """Describe the quality rule's measure in the interface language."""
    if measure == "f1":
        return _("mean agreement (F1) between your links and the expected links in check questions")
    return _("share of check questions that you answered as expected")


def _parts(
    payload: Mapping[str, Any], label: str, links: frozenset[Link], alignment: Alignment, other_kind: frozenset[Link]
) -> list[AnswerPart]:
    """Return the links that occur only in this alignment and the links whose kind differs in the other alignment,
    grouped by their kind here.
    """
    groups = [
        (label, links, "ink"),
        (_("Sure links"), alignment.sure & other_kind, "ink"),
        (_("Possible links"), alignment.possible & other_kind, "ochre"),
    ]
    return [AnswerPart(text, _in_words(payload, group), tone) for text, group, tone in groups if group]


def _in_words(payload: Mapping[str, Any], links: frozenset[Link]) -> list[str]:
    """Return a description of each block of linked words. Source words that are linked to the same target words form
    one block.
    """
    blocks: dict[tuple[int, ...], list[int]] = {}
    for source in sorted({i for i, _j in links}):
        targets = tuple(sorted(j for i, j in links if i == source))
        blocks.setdefault(targets, []).append(source)
    return [
        f"{_words(payload['source'], sources)} – {_words(payload['target'], targets)}"
        for targets, sources in blocks.items()
    ]


def _words(sentence: Sequence[str], indices: Sequence[int]) -> str:
    return isolated(" ".join(sentence[index] for index in indices))
