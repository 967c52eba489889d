"""The paraphrase report page that lists pairs with a good label in one domain and a bad label in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from annotate.toolkit import Report, Shown, Study, page_of
from paraphrase.console.candidates import Candidate, candidates_of

PAGE, EVIDENCE = 7, 3


def domains(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the pairs with opposite labels in two domains, or only the pairs for the domains in the query string."""
    result = report.result
    names, domain_of = result["domains"], result["pairs"]["domain"]
    ways = sorted({(domain_of[good], domain_of[bad]) for good, bad in result["contrasts"]})
    chosen_way = next((way for way in ways if f"{way[0]}-{way[1]}" == query.get("way")), None)
    rows = [
        (good, bad)
        for good, bad in result["contrasts"]
        if chosen_way is None or (domain_of[good], domain_of[bad]) == chosen_way
    ]
    page = page_of(rows, query, PAGE)
    context = {
        "page": page,
        "contrasts": contrasts_of(study, result, list(page)),
        "ways": [(f"{one}-{other}", names[one], names[other], (one, other) == chosen_way) for one, other in ways],
        "query": f"{urlencode({'way': query.get('way', '')})}&" if chosen_way else "",
    }
    return Shown("paraphrase/report_domains.html", context)


def contrasts_of(study: Study, result: Mapping[str, Any], rows: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Return each pair with up to three good and up to three bad sentences."""
    pairs, labels = result["pairs"], result["labels"]
    pair_of, majority, yes = (np.array(labels[name]) for name in ("pair", "majority", "yes"))
    contrasts = []
    for good, bad in rows:
        good_candidates = np.flatnonzero((pair_of == good) & (majority == 1))
        bad_candidates = np.flatnonzero(pair_of == bad)
        # The clearest evidence comes first: sentences with the most yes votes in the good domain and the fewest in the
        # bad domain.
        contrasts.append(
            (
                good,
                bad,
                good_candidates[np.argsort(-yes[good_candidates], kind="stable")],
                bad_candidates[np.argsort(yes[bad_candidates], kind="stable")],
            )
        )
    shown_numbers = [
        int(number)
        for _, _, good_candidates, bad_candidates in contrasts
        for number in (*good_candidates[:EVIDENCE], *bad_candidates[:EVIDENCE])
    ]
    shown = dict(zip(shown_numbers, candidates_of(study, result, shown_numbers), strict=True))
    return [
        {
            "phrase": shown[int(good_candidates[0])].phrase,
            "text": shown[int(good_candidates[0])].text,
            "sides": [
                _side(result, pairs["domain"][row], numbers, shown, good=row == good)
                for row, numbers in ((good, good_candidates), (bad, bad_candidates))
            ],
        }
        for good, bad, good_candidates, bad_candidates in contrasts
    ]


def _side(
    result: Mapping[str, Any], domain: int, numbers: NDArray[np.int64], shown: Mapping[int, Candidate], *, good: bool
) -> dict[str, Any]:
    evidence = [shown[int(number)] for number in numbers[:EVIDENCE]]
    return {
        "good": good,
        "domain": result["domains"][domain],
        "evidence": evidence,
        "more": len(numbers) - len(evidence),
    }
