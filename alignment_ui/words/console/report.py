"""The summary page of a word-alignment report: agreement tables, anchoring, annotators and disagreements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord_core.numerics.printed import coefficient, count, interval
from accord_core.words.numerics.gold_scores import MEASURES
from alignment_ui.pairs.largest import largest
from alignment_ui.words.adaptive import ROUNDS
from alignment_ui.words.console.disagreements import disagreement_rows, subcorpus_name
from annotate.toolkit import Figure, Headline, Report, Shown, Study, basis, main_figure, people_chart

WORST = 6
METHOD_NAMES = {
    "single": "Single annotators (mean)",
    "majority": "Majority",
    "medoid": "Medoid",
    "model": "Model of the annotators",
}
ROWS = (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"), ("c", "C"))


@dataclass(frozen=True)
class Table:
    """An agreement table with one row per measure, and two columns per subcorpus: one for all links and one for sure
    links. `groups` contains each subcorpus with its number of comparisons.
    """

    groups: list[tuple[str, int]]
    rows: list[tuple[str, list[Mapping[str, Any]]]]
    crossed: list[Mapping[str, Any]]
    without_start: int


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the agreement on words and phrases, the anchoring effect, the annotators, and the largest disagreements."""
    result = report.result
    against, headline = result["against_start"], Headline.from_json(result["headline"])
    c = result["words"][-1]["possible"]["c"] if result["words"] else {}
    # Neither annotator is the reference, so precision and recall equal F1. C needs initial links.
    omitted = ["precision", "recall", *([] if against["words"] else ["c"])]
    context = {
        "conclusion": _conclusion(headline, result["pairs"], c),
        "figures": _figures(report, headline, c),
        "c": c,
        "calculation": {"Resamples": result["resamples"]},
        "words": _table(result["words"], without=omitted),
        "phrases": _table(result["phrases"], without=omitted),
        "against": {name: _table(against[name], without=["c"]) for name in ("phrases", "words") if against[name]},
        "modelled": [person for person in result["people"] if person.get("model_precision") is not None],
        "methods": _methods(result.get("gold_methods")),
        "rounds_text": ROUNDS.results,
        "people": people_chart(study, result),
        "worst": disagreement_rows(study, largest(result["disagreements"], WORST)),
        "aligned": [row | {"name": subcorpus_name(row["subcorpus"])} for row in result["aligned"]],
        "anchored": _anchored(result["anchoring"]),
        "difference": _points(result["anchoring"]["difference"]) if result["anchoring"] else None,
    }
    return Shown("words/report.html", context)


def _conclusion(headline: Headline, pairs: Mapping[str, int], c: Mapping[str, Any]) -> str:
    """Return how many pairs are aligned, and whether annotators agree more than their shared initial links explain."""
    aligned = f"{count(pairs['aligned'])} of {count(pairs['asked'])} pairs aligned"
    if headline.low is None:
        return f"{aligned}. Agreement is unknown, because no pair has been aligned by two annotators."
    sentence = f"{aligned}; F1 between annotators is {coefficient(headline.low)}."
    # C is also 1 if one annotator's links contain those of the other, so a certain 1 says less than F1.
    if c.get("low") is None or c["low"] == 1:
        return sentence
    if c["low"] > 0:
        return f"{sentence} Corrected for the initial links, their agreement C is {coefficient(c['value'], 2)}."
    return f"{sentence} The interval of C contains 0, so the agreement can come from the initial links."


def _figures(report: Report, headline: Headline, c: Mapping[str, Any]) -> list[Figure]:
    pairs = report.result["pairs"]
    disagreements = ("Disagreements", f"results/{report.number}/disagreements/")
    aligned = Figure(
        "Aligned pairs",
        count(pairs["aligned"]),
        f"of {count(pairs['asked'])}",
        f"By two or more annotators: {count(pairs['aligned_twice'])}",
        [f"Decided by a researcher: {count(pairs['decided'])}"],
        rows=disagreements,
        explanation="pairs",
        sentence=f"We aligned {count(pairs['aligned'])} sentence pairs, based on {basis(report)}.",
    )
    words = _agreement(
        "Coefficient C for words (all links)",
        c,
        [
            f"Observed agreement: {coefficient(c.get('observed'), 2)}",
            f"Agreement expected by chance: {coefficient(c.get('chance'), 2)}",
        ],
        "words",
    )
    return [aligned, main_figure(headline, report), *([words] if c.get("value") is not None else [])]


def _agreement(name: str, figure: Mapping[str, Any], notes: Sequence[str], explanation: str) -> Figure:
    value, ends = figure.get("value"), _ends(figure)
    if value is None:
        reason = figure.get("reason") or "no pair has been aligned by two annotators"
        return Figure(name, coefficient(None), line=f"Undefined: {reason}", explanation=explanation)
    text = f"95% interval {ends}" if ends else ""
    sentence = f"{name} was {coefficient(value, 2)}" + (f" ({text})." if text else ".")
    return Figure(name, coefficient(value, 2), "", text, notes, explanation=explanation, sentence=sentence)


def _ends(figure: Mapping[str, Any]) -> str:
    is_interval = figure.get("low") is not None and figure["low"] < figure["high"]
    return interval(figure["low"], figure["high"], 2) if is_interval else ""


def _table(rows: Sequence[Mapping[str, Any]], without: Sequence[str] = ()) -> Table | None:
    if not rows:
        return None
    return Table(
        groups=[
            (subcorpus_name(row["subcorpus"]) if len(rows) > 1 else row["subcorpus"], row["pairs"]) for row in rows
        ],
        rows=[
            (label, [row[kind][measure] for row in rows for kind in ("possible", "sure")])
            for measure, label in ROWS
            if measure not in without
        ],
        crossed=[row["och_ney"]["f1"] for row in rows if "och_ney" in row],
        without_start=rows[-1].get("without_prealignment", 0),
    )


def _methods(scores: Mapping[str, Any] | None) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return one row per method, with its precision, recall, F1 and alignment error rate."""
    by_method = scores["methods"] if scores else {}
    # PostgreSQL does not preserve the order of the methods.
    return [
        (name, [by_method[method][measure] for measure in MEASURES])
        for method, name in METHOD_NAMES.items()
        if method in by_method
    ]


def _anchored(anchoring: Mapping[str, Any] | None) -> list[tuple[str, Mapping[str, Any]]]:
    if anchoring is None:
        return []
    return [("Links shown", anchoring["shown"]), ("Empty", anchoring["empty"])]


def _points(difference: Mapping[str, float | None]) -> dict[str, str]:
    """Format the difference between two shares, with its confidence interval, as signed percentage points."""
    return {
        name: "–" if value is None else f"{100 * value:+.1f}".replace("-", "−") for name, value in difference.items()
    }
