"""The summary page of a paraphrase report, which shows labels, agreement, methods and domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.agreement import TITLES
from accord_core.numerics.printed import coefficient, count, percent, with_noun
from annotate.toolkit import Figure, Headline, Report, Shown, Study, basis, main_figure
from paraphrase.console.candidates import METHODS
from paraphrase.console.charts import accuracy_chart, votes_chart
from paraphrase.console.domains import contrasts_of
from paraphrase.headline import reason_undefined
from paraphrase.rounds import ROUNDS

FIRST_CONTRASTS = 6


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the figures and charts of a report, and the first pairs that have opposite labels in two domains."""
    result = report.result
    names, headline = result["domains"], Headline.from_json(result["headline"])
    context = {
        "conclusion": _conclusion(headline, result["counts"]),
        "figures": _figures(report, headline),
        "calculation": {"Votes": result["votes"], "Resamples": result["resamples"]},
        "coefficients": [
            (TITLES[name], figures | {"reason": reason_undefined(figures.get("reason"))})
            for name, figures in result["agreement"].items()
        ],
        "methods": [row | {"name": METHODS[row["method"]]} for row in result["methods"]["rows"]],
        "warnings": [(METHODS[name], text) for name, text in result["methods"]["warnings"]],
        "several_domains": len(result["by_domain"]) > 1,
        "between": [row | {"one": names[row["one"]], "other": names[row["other"]]} for row in result["between"]],
        "contrasts": contrasts_of(study, result, result["contrasts"][:FIRST_CONTRASTS]),
        "all_contrasts": len(result["contrasts"]),
        "rounds_text": ROUNDS.results,
        "charts": {"votes": votes_chart(result), "people": accuracy_chart(study, result)},
    }
    return Shown("paraphrase/report.html", context)


def _conclusion(headline: Headline, counts: Mapping[str, int]) -> str:
    labels = (
        f"{count(counts['good'])} of {with_noun(counts['judged'], 'candidate')} are good and {count(counts['bad'])} bad"
    )
    kappa = "" if headline.low is None else f"; {headline.name} is {coefficient(headline.low)}"
    undecided = with_noun(counts["undecided"], "candidate is,candidates are")
    reviewed = f" A reviewer decided {count(counts['decided'])} of the labels." if counts["decided"] else ""
    return f"{labels}{kappa}." + (f" {undecided} undecided." if counts["undecided"] else "") + reviewed


def _figures(report: Report, headline: Headline) -> list[Figure]:
    counts, home = report.result["counts"], f"results/{report.number}/"
    good = Figure(
        "Good candidates",
        count(counts["good"]),
        f"of {count(counts['judged'])}",
        f"Undecided: {count(counts['undecided'])}",
        [
            f"Bad candidates: {count(counts['bad'])}",
            f"Decided by a reviewer: {count(counts['decided'])}",
            *([f"All answers kept: {count(counts['kept'])}"] if counts.get("kept") else []),
            f"The majority vote decides. Ties: {report.result['ties']}",
        ],
        rows=("All labels", f"{home}labels/"),
        explanation="good",
        sentence=f"Of {with_noun(counts['judged'], 'candidate')}, {count(counts['good'])} were labelled as good and "
        f"{count(counts['bad'])} as bad, based on {basis(report)}"
        + (f" and reviewers’ decisions on {count(counts['decided'])} of the labels." if counts["decided"] else "."),
    )
    labels = [good, main_figure(headline, report)]
    if report.result["worker_accuracy"]["candidates"]:
        labels.append(_accuracy(report.result["worker_accuracy"]))
    if len(report.result["by_domain"]) > 1:
        labels.append(_domains(report))
    return labels


def _domains(report: Report) -> Figure:
    contrasts, shared = len(report.result["contrasts"]), bool(report.result["between"])
    return Figure(
        "Pairs that differ between domains",
        count(contrasts),
        line="" if shared else "No pair occurs in two domains",
        explanation="domains",
        rows=("Compare domains", f"results/{report.number}/domains/") if shared else None,
        sentence=f"{with_noun(contrasts, 'pair was,pairs were')} good in one domain and bad in another."
        if shared
        else "",
    )


def _accuracy(accuracy: Mapping[str, Any]) -> Figure:
    value = percent(accuracy["accuracy"], 1)
    ends = f"95% interval {percent(accuracy['low'], 1)}–{percent(accuracy['high'], 1)}"
    return Figure(
        "Accuracy of annotators",
        value,
        line=ends,
        notes=[
            f"Quality-control candidates: {count(accuracy['candidates'])}",
            f"Balanced accuracy: {percent(accuracy['balanced'], 1)}",
            f"Lowest annotator accuracy: {percent(accuracy['lowest'])}",
        ],
        explanation="accuracy",
        rows=("Annotators", "annotators/"),
        sentence=f"Annotators answered {value} ({ends}) of the quality-control candidates correctly.",
    )
