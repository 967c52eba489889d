"""The charts in a paraphrase report, which show the distribution of votes and the annotators' accuracy on
quality-control candidates.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.printed import coefficient, count, percent, share_of
from annotate.toolkit import Chart, Study

BINS = 10


def votes_chart(result: dict[str, Any]) -> Chart | None:
    """Return the distribution of the candidates' shares of yes votes. If agreement is high, few candidates have a share
    of yes votes near ½.
    """
    labels = result["labels"]
    shares = [yes / n for yes, n in zip(labels["yes"], labels["n"], strict=True) if n]
    if not shares:
        return None
    candidates_by_bin = Counter(min(int(share * BINS), BINS - 1) for share in shares)
    bins = [(at / BINS, (at + 1) / BINS, candidates_by_bin[at]) for at in range(BINS)]
    middle = median(shares)
    return Chart(
        "votes",
        "histogram",
        "Yes votes",
        f"Histogram of the share of yes votes of {len(shares):,} candidates, median {coefficient(middle, 2)}",
        {
            "bins": [{"from": low, "to": high, "items": items} for low, high, items in bins],
            "median": middle,
            "low": "all answered no",
            "high": "all answered yes",
        },
        ("From", "To", "Candidates"),
        [(coefficient(low, 1), coefficient(high, 1), count(items)) for low, high, items in bins],
        f"{len(shares):,} candidates by the share of annotators who answered “yes”. Annotators agree more if most "
        f"candidates have shares near 0 or 1.",
        axes=("Share of yes votes", "Candidates"),
        explanation="votes",
        marks=sum(items > 0 for _, _, items in bins),
    )


def accuracy_chart(study: Study, result: dict[str, Any]) -> Chart | None:
    """Return each annotator's accuracy on quality-control candidates, with the study's pass mark."""
    people = [person for person in result["people"] if person["accuracy"] is not None]
    if not people:
        return None
    threshold = float(study.rule_threshold)
    rows = []
    for person in people:
        candidates = person["quality_candidates"]
        low, high = wilson_interval(round(person["accuracy"] * candidates), candidates) or (0.0, 1.0)
        rows.append((person, low, high))
    rows.sort(key=lambda row: (row[1], row[0]["accuracy"]))
    below = sum(person["accuracy"] < threshold for person in people)
    uncounted = sum(not person["judgements"] for person in people)
    return Chart(
        "quality-control",
        "people",
        "Annotators on quality control",
        f"Share of quality-control candidates judged as expected by each of {len(people):,} annotators, with 95% "
        f"intervals; {below} below {percent(threshold)}",
        {
            "people": [{"share": person["accuracy"], "low": low, "high": high} for person, low, high in rows],
            "threshold": threshold,
        },
        ("Annotator", "Candidates", "As expected", "Balanced", "95% interval"),
        [
            (
                person["pseudonym"],
                count(person["quality_candidates"]),
                share_of(
                    round(person["accuracy"] * person["quality_candidates"]),
                    person["quality_candidates"],
                    person["accuracy"],
                ),
                percent(person["balanced_accuracy"]),
                f"{percent(low)}–{percent(high)}",
            )
            for person, low, high in rows
        ],
        "The chart shows each annotator's accuracy with its 95% interval, sorted by its lower end."
        + (f" Included annotators without answers that count: {count(uncounted)}." if uncounted else ""),
        axes=("Annotators, by the lower end of the interval", "Accuracy on quality control (%)"),
        explanation="accuracy",
    )
