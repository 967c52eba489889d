"""Descriptions of answers and their linked chunks, for display to annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair, final_punctuation
from alignment_ui.pairs.direction import isolated
from annotate.tasktypes import AnswerPart

Ends = tuple[tuple[int, ...], tuple[int, ...]]
"""The tokens of two linked chunks."""


def differing_parts(given: IstsPair, expected: IstsPair) -> tuple[Sequence[AnswerPart], Sequence[AnswerPart]]:
    """Return the annotator's unexpected and missing links. If the type or score of a link differs, the link appears in
    both lists.
    """
    own, right = _links(given), _links(expected)
    changed = {ends for ends in own.keys() & right.keys() if _judgement(own[ends]) != _judgement(right[ends])}
    extra, missed = own.keys() - right.keys(), right.keys() - own.keys()
    return (
        _parts(given, _("Links that we did not expect"), own, extra, changed)
        or [AnswerPart("", [_("All your links match the expected links.") if own else _("No links")])],
        _parts(expected, _("Expected links that you did not draw"), right, missed, changed)
        or [AnswerPart("", [_("You drew all expected links.") if right else _("No links")])],
    )


def describe_measure(measure: str) -> str:
    """Describe the quality rule's measure in the interface language."""
    if measure == "f1":
        return _(
            "mean agreement (F1) between your links and the expected links in check questions, without types and scores"
        )
    return _("share of check questions that you answered as expected")


def _links(pair: IstsPair) -> dict[Ends, ChunkLink]:
    """Return a pair's links, except links between final punctuation marks, which annotators need not draw."""
    source_marks, target_marks = final_punctuation(pair.source), final_punctuation(pair.target)
    return {
        (link.source, link.target): link
        for link in pair.links
        if link.source
        and link.target
        and not (source_marks.issuperset(link.source) and target_marks.issuperset(link.target))
    }


def _parts(
    pair: IstsPair, label: str, links: Mapping[Ends, ChunkLink], only_here: set[Ends], changed: set[Ends]
) -> list[AnswerPart]:
    groups = [(label, only_here, "ink"), (_("Links with a different type or score"), changed, "ochre")]
    return [
        AnswerPart(text, [_link(pair, links[ends]) for ends in sorted(group)], tone)
        for text, group, tone in groups
        if group
    ]


def _link(pair: IstsPair, link: ChunkLink) -> str:
    ends = (isolated(_words(pair.source, link.source)), isolated(_words(pair.target, link.target)))
    return f"{' – '.join(ends)}: {_judgement(link)}"


def _words(sentence: Sequence[str], chunk: Sequence[int]) -> str:
    return " ".join(sentence[token] for token in chunk)


def _judgement(link: ChunkLink) -> str:
    """Return a link's type, flags and score as text, such as “SIMI_FACT 3”."""
    kind = "_".join([link.type, *sorted(link.flags)])
    return kind if link.score is None else f"{kind} {link.score:g}"
