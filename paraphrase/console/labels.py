"""The paraphrase report page that lists every candidate with its label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.intervals import wilson_interval
from annotate.tasktypes import MOST_ROWS, RankedRow, Ranking
from annotate.toolkit import Report, Shown, Study, page_of
from paraphrase.console.candidates import METHODS, Candidate, candidates_of
from paraphrase.exports import reviewed_candidates

SHOWN = {
    "all": "all",
    "good": "good",
    "bad": "bad",
    "undecided": "undecided",
    "differ": "methods differ",
    "decided": "decided by a reviewer",
}

PAGE = 16


def labels(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the candidates that have the label and domain in the query string."""
    result = report.result
    show = query.get("show") if query.get("show") in SHOWN else "all"
    domain = query.get("domain") if query.get("domain") in result["domains"] else ""
    page = page_of(_chosen(result, show or "all", domain or ""), query, PAGE)
    methods = [name for name in METHODS if name in result["labels"]]
    context = {
        "page": page,
        "rows": candidates_of(study, result, [int(number) for number in page]),
        "method_names": [METHODS[name] for name in methods[1:]],
        "shown": [(name, label, name == show) for name, label in SHOWN.items()],
        "domain_names": [(name, name == domain) for name in result["domains"]] if len(result["domains"]) > 1 else [],
        "query": f"{urlencode({'show': show, 'domain': domain})}&",
    }
    return Shown("paraphrase/report_labels.html", context)


def shared_ranking(study: Study, report: Report) -> Ranking:
    """Return the candidates with their yes-vote shares, starting with the highest."""
    yes, n = report.result["labels"]["yes"], report.result["labels"]["n"]
    judged = [number for number, votes in enumerate(n) if votes]
    order = sorted(judged, key=lambda number: (-yes[number] / n[number], -n[number], number))
    rows = [_ranked(candidate) for candidate in candidates_of(study, report.result, order[:MOST_ROWS])]
    note = "Votes for “good paraphrase”, with 95% intervals of the share (Wilson)."
    return Ranking("Ranked candidates", "candidate", "Yes votes", rows, len(judged), note)


def _ranked(candidate: Candidate) -> RankedRow:
    return RankedRow(
        [f"{candidate.phrase} → {candidate.text}", f"{candidate.before}{candidate.phrase}{candidate.after}"],
        candidate.yes / candidate.n,
        f"{candidate.yes} of {candidate.n}",
        *(wilson_interval(candidate.yes, candidate.n) or (None, None)),
    )


def _chosen(result: Mapping[str, Any], show: str, domain: str) -> NDArray[np.int64]:
    """Return the numbers of the judged candidates that have the given label and domain, in the order of the items.
    Earlier reports contain only the order of the design.
    """
    labels, sentences = result["labels"], result["sentences"]
    label = np.array(labels["majority"])
    which = np.array(labels["n"]) > 0
    if show in ("good", "bad", "undecided"):
        which &= label == {"good": 1, "bad": 0, "undecided": -1}[show]
    elif show == "differ":
        methods = [name for name in METHODS if name in labels and name != "majority"]
        which &= np.any([np.array(labels[name]) != label for name in methods], axis=0)
    elif show == "decided":
        which &= np.isin(np.arange(len(which)), list(reviewed_candidates(result)))
    if domain:
        which &= np.repeat(sentences["domain"], sentences["candidates"]) == result["domains"].index(domain)
    numbers = np.flatnonzero(which)
    if "item_place" not in sentences:
        return numbers
    places = np.repeat(sentences["item_place"], sentences["candidates"])[numbers]
    return numbers[np.argsort(places, kind="stable")]
