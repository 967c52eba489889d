"""The word-alignment report page that lists the phrase pairs of one sentence pair (Cohn et al., Table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.phrases import PhrasePair
from alignment_ui.words.columns import Collected, Pair, collected
from alignment_ui.words.exports import kinds_of_phrases
from annotate.toolkit import Report, Shown, Study, columns_of

TEMPLATE = "words/report_phrases.html"
LINKS = (("all", "all links"), ("sure", "sure links"))


def phrases(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the phrase pairs that follow from all links, or from only the sure links, of the sentence pair in the query
    string.
    """
    inputs = collected(columns_of(report))
    places = {inputs.pairs[place].ref: place for place in inputs.answers}
    ref = query.get("ref", "").strip() or next(iter(places))
    links = "sure" if query.get("links") == "sure" else "all"
    shown = {"refs": list(places), "ref": ref, "links": links, "kinds": LINKS}
    if ref not in places:
        return Shown(TEMPLATE, shown | {"missing": True})
    pair = inputs.pairs[places[ref]]
    by_whom = _alignments(inputs, places[ref])
    kinds = {name: kinds_of_phrases(pair, alignment, links) for name, alignment in by_whom.items()}
    context = shown | {
        "pair": {"source": " ".join(pair.source), "target": " ".join(pair.target), "subcorpus": pair.subcorpus},
        "names": list(by_whom),
        "counts": [
            {
                "links": len(alignment.sure if links == "sure" else alignment.links),
                "atomic": sum(kind == "atomic" for _, kind, _ in kinds[name]),
                "composite": sum(kind == "composite" for _, kind, _ in kinds[name]),
            }
            for name, alignment in by_whom.items()
        ],
        "rows": _rows(pair, kinds),
    }
    return Shown(TEMPLATE, context)


def _alignments(inputs: Collected, place: int) -> dict[str, Alignment]:
    """Return the alignments of a sentence pair by name: each annotator's alignment, the final alignment and the
    pre-alignment.
    """
    pair = inputs.pairs[place]
    named = {inputs.names[judgement.annotator]: judgement.alignment for judgement in inputs.answers[place]}
    if len(named) > 1 or pair.decided is not None:
        named["decided" if pair.decided is not None else "in common"] = inputs.final[place]
    if pair.shown is not None:
        named["pre-alignment"] = pair.shown
    return named


def _rows(pair: Pair, kinds: Mapping[str, list[tuple[PhrasePair, str, bool]]]) -> dict[str, list[dict[str, Any]]]:
    """Return one row per phrase pair, in sentence order: those that are atomic in any alignment, and all others."""
    whose: dict[PhrasePair, dict[str, str]] = {}
    identical: dict[PhrasePair, bool] = {}
    for name, phrase_kinds in kinds.items():
        for phrase, kind, same in phrase_kinds:
            whose.setdefault(phrase, {})[name] = kind
            identical[phrase] = same
    rows: dict[str, list[dict[str, Any]]] = {"atomic": [], "composite": []}
    for phrase in sorted(whose):
        rows["atomic" if "atomic" in whose[phrase].values() else "composite"].append(
            {
                "source": " ".join(pair.source[phrase.source_start : phrase.source_end]),
                "target": " ".join(pair.target[phrase.target_start : phrase.target_end]),
                "identical": identical[phrase],
                "kinds": [whose[phrase].get(name, "") for name in kinds],
            }
        )
    return rows
