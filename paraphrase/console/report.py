"""The console pages of a paraphrase report: its figures, all labels with their votes, and comparisons of domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.core.paginator import Paginator
from numpy.typing import NDArray

from annotate.models import Item, Question, Report, Study
from annotate.selectors.reports import headline_of
from annotate.tasktypes import Shown
from paraphrase.console.charts import accuracy_chart, votes_chart
from paraphrase.formats.phrases import in_parts

PAGE, CONTRASTS, EVIDENCE, FIRST_CONTRASTS = 100, 40, 3, 6
COEFFICIENTS = {
    "raw_agreement": "Raw agreement",
    "cohen_kappa_mean": "Cohen’s κ, mean of pairs",
    "cohen_kappa_mean_by_items": "Cohen’s κ, by shared votes",
    "fleiss_kappa": "Fleiss’ κ",
    "krippendorff_alpha_nominal": "Krippendorff’s α",
    "gwet_ac1": "Gwet’s AC1",
}
METHODS = {
    "majority": "Majority",
    "weighted": "Weighted by quality control",
    "one_coin": "One-coin",
    "dawid_skene": "Dawid–Skene",
}
SHOWN = {
    "all": "all",
    "good": "good",
    "bad": "bad",
    "undecided": "undecided",
    "differ": "methods differ",
    "decided": "decided by a reviewer",
}


def report_page(study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
    """Show the report, its page `labels` with all candidates, or its page `domains` with pairs whose labels differ by
    domain.
    """
    if page == "":
        return Shown("paraphrase/report.html", _figures(study, report.result))
    if page == "labels":
        return Shown("paraphrase/report_labels.html", _labels(study, report.result, query))
    if page == "domains":
        return Shown("paraphrase/report_domains.html", _domains(study, report.result, query))
    return None


@dataclass(frozen=True)
class Candidate:
    """A candidate paraphrase in its sentence, with its votes. `label` is 1, 0 or −1. `methods` contains the label that
    each other method assigns.
    """

    before: str
    phrase: str
    after: str
    text: str
    domain: str
    key: str
    question: str
    yes: int
    n: int
    label: int
    methods: Sequence[tuple[str, int]]
    decided: bool


def _figures(study: Study, result: dict[str, Any]) -> dict[str, Any]:
    names = result["domains"]
    return {
        "headline": headline_of(result["headline"]),
        "counts": result["counts"],
        "accuracy": result["worker_accuracy"],
        "coefficients": [(COEFFICIENTS[name], figures) for name, figures in result["agreement"].items()],
        "methods": [row | {"name": METHODS[row["method"]]} for row in result["methods"]["rows"]],
        "warnings": [(METHODS[name], text) for name, text in result["methods"]["warnings"]],
        "between": [row | {"one": names[row["one"]], "other": names[row["other"]]} for row in result["between"]],
        "contrasts": _contrasts(study, result, result["contrasts"][:FIRST_CONTRASTS]),
        "all_contrasts": len(result["contrasts"]),
        "charts": {"votes": votes_chart(result), "people": accuracy_chart(study, result)},
    }


def _labels(study: Study, result: dict[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
    show = query.get("show") if query.get("show") in SHOWN else "all"
    domain = query.get("domain") if query.get("domain") in result["domains"] else ""
    page = Paginator(_chosen(result, show or "all", domain or ""), PAGE).get_page(query.get("page"))
    methods = [name for name in METHODS if name in result["labels"]]
    return {
        "page": page,
        "rows": _candidates(study, result, [int(number) for number in page]),
        "method_names": [METHODS[name] for name in methods[1:]],
        "shown": [(name, label, name == show) for name, label in SHOWN.items()],
        "domain_names": [(name, name == domain) for name in result["domains"]],
        "query": f"{urlencode({'show': show, 'domain': domain})}&",
    }


def _chosen(result: Mapping[str, Any], show: str, domain: str) -> NDArray[np.int64]:
    """Return the numbers of the judged candidates that match the filters."""
    labels = result["labels"]
    majority = np.array(labels["majority"])
    which = np.array(labels["n"]) > 0
    if show in ("good", "bad", "undecided"):
        which &= majority == {"good": 1, "bad": 0, "undecided": -1}[show]
    elif show == "differ":
        which &= np.any([np.array(labels[name]) != majority for name in METHODS if name in labels], axis=0)
    elif show == "decided":
        which &= np.isin(np.arange(len(which)), result["decided"])
    if domain:
        sentences = result["sentences"]
        which &= np.repeat(sentences["domain"], sentences["candidates"]) == result["domains"].index(domain)
    return np.flatnonzero(which)


def _domains(study: Study, result: dict[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
    names, domain_of = result["domains"], result["pairs"]["domain"]
    ways = sorted({(domain_of[good], domain_of[bad]) for good, bad in result["contrasts"]})
    asked = next((way for way in ways if f"{way[0]}-{way[1]}" == query.get("way")), None)
    rows = [
        (good, bad) for good, bad in result["contrasts"] if asked is None or (domain_of[good], domain_of[bad]) == asked
    ]
    page = Paginator(rows, CONTRASTS).get_page(query.get("page"))
    return {
        "page": page,
        "contrasts": _contrasts(study, result, list(page)),
        "ways": [(f"{one}-{other}", names[one], names[other], (one, other) == asked) for one, other in ways],
        "query": f"{urlencode({'way': query.get('way', '')})}&" if asked else "",
    }


def _contrasts(study: Study, result: Mapping[str, Any], rows: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Return each pair with up to three supporting sentences from one domain and three opposing sentences from the
    other.
    """
    pairs, labels = result["pairs"], result["labels"]
    pair_of, majority, yes = (np.array(labels[name]) for name in ("pair", "majority", "yes"))
    found = []
    for good, bad in rows:
        here = np.flatnonzero((pair_of == good) & (majority == 1))
        there = np.flatnonzero(pair_of == bad)
        # The pair with the clearest evidence comes first: most votes for it in one domain, fewest in the other.
        found.append(
            (good, bad, here[np.argsort(-yes[here], kind="stable")], there[np.argsort(yes[there], kind="stable")])
        )
    wanted = [int(number) for _, _, here, there in found for number in (*here[:EVIDENCE], *there[:EVIDENCE])]
    shown = dict(zip(wanted, _candidates(study, result, wanted), strict=True))
    return [
        {
            "phrase": shown[int(here[0])].phrase,
            "text": shown[int(here[0])].text,
            "sides": [
                _side(result, pairs["domain"][row], numbers, shown, good=row == good)
                for row, numbers in ((good, here), (bad, there))
            ],
        }
        for good, bad, here, there in found
    ]


def _side(
    result: Mapping[str, Any], domain: int, numbers: NDArray[np.int64], shown: Mapping[int, Candidate], *, good: bool
) -> dict[str, Any]:
    evidence = [shown[int(number)] for number in numbers[:EVIDENCE]]
    return {
        "good": good, "domain": result["domains"][domain], "evidence": evidence, "more": len(numbers) - len(evidence)
    }  # fmt: skip


def _candidates(study: Study, result: Mapping[str, Any], numbers: Sequence[int]) -> list[Candidate]:
    """Return these candidates with their sentences. This takes two queries."""
    sentences, labels, decided = result["sentences"], result["labels"], set(result["decided"])
    ends = np.cumsum(sentences["candidates"])
    places = np.searchsorted(ends, numbers, side="right").tolist() if numbers else []
    refs = {sentences["ref"][place] for place in places}
    questions = {question.ref: question for question in Question.objects.filter(study=study, ref__in=refs)}
    keys = {question.payload["item"] for question in questions.values()}
    contents = dict(Item.objects.filter(study=study, key__in=keys).values_list("key", "content"))
    others = [name for name in METHODS if name in labels and name != "majority"]
    found = []
    for number, place in zip(numbers, places, strict=True):
        question = questions[sentences["ref"][place]]
        texts = question.payload["paraphrases"]
        before, phrase, after = in_parts(contents[question.payload["item"]])
        found.append(
            Candidate(
                before, phrase, after, texts[number - int(ends[place]) + len(texts)],
                result["domains"][sentences["domain"][place]], question.payload["item"], question.public_id,
                labels["yes"][number], labels["n"][number], labels["majority"][number],
                [(METHODS[name], labels[name][number]) for name in others], number in decided,
            )
        )  # fmt: skip
    return found
