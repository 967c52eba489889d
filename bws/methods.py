"""Sentences about best–worst scaling for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import coefficient
from annotate.tasktypes import Methods, MethodText, Publication

LOUVIERE_WOODWORTH = Publication(
    "louviere-woodworth-1991",
    "Louviere and Woodworth, 1991",
    "techreport",
    {
        "author": "Louviere, Jordan J. and Woodworth, George G.",
        "title": "Best-Worst Scaling: A Model for the Largest Difference Judgments",
        "institution": "University of Alberta",
        "year": "1991",
    },
)
KIRITCHENKO_MOHAMMAD_2016 = Publication(
    "kiritchenko-mohammad-2016",
    "Kiritchenko and Mohammad, 2016",
    "inproceedings",
    {
        "author": "Kiritchenko, Svetlana and Mohammad, Saif M.",
        "title": "Capturing Reliable Fine-Grained Sentiment Associations by Crowdsourcing and Best--Worst Scaling",
        "booktitle": "Proceedings of the 2016 Conference of the North American Chapter of the Association for "
        "Computational Linguistics: Human Language Technologies",
        "pages": "811--817",
        "year": "2016",
    },
)
KIRITCHENKO_MOHAMMAD_2017 = Publication(
    "kiritchenko-mohammad-2017",
    "Kiritchenko and Mohammad, 2017",
    "inproceedings",
    {
        "author": "Kiritchenko, Svetlana and Mohammad, Saif M.",
        "title": "Best-Worst Scaling More Reliable than Rating Scales: A Case Study on Sentiment Intensity Annotation",
        "booktitle": "Proceedings of the 55th Annual Meeting of the Association for Computational Linguistics "
        "(Volume 2: Short Papers)",
        "pages": "465--470",
        "year": "2017",
    },
)
MARLEY_LOUVIERE = Publication(
    "marley-louviere-2005",
    "Marley and Louviere, 2005",
    "article",
    {
        "author": "Marley, A. A. J. and Louviere, Jordan J.",
        "title": "Some Probabilistic Models of Best, Worst, and Best--Worst Choices",
        "journal": "Journal of Mathematical Psychology",
        "volume": "49",
        "number": "6",
        "pages": "464--480",
        "year": "2005",
    },
)
SPEARMAN = Publication(
    "spearman-1910",
    "Spearman, 1910",
    "article",
    {
        "author": "Spearman, Charles",
        "title": "Correlation Calculated from Faulty Data",
        "journal": "British Journal of Psychology",
        "volume": "3",
        "number": "3",
        "pages": "271--295",
        "year": "1910",
    },
)
BROWN = Publication(
    "brown-1910",
    "Brown, 1910",
    "article",
    {
        "author": "Brown, William",
        "title": "Some Experimental Results in the Correlation of Mental Abilities",
        "journal": "British Journal of Psychology",
        "volume": "3",
        "number": "3",
        "pages": "296--322",
        "year": "1910",
    },
)
OVER = {"tuples": "other tuples", "annotators": "other annotators", "both": "other tuples and other annotators"}
WAYS = (
    ("within", "within tuples", "each tuple’s judgements were divided between the halves"),
    ("whole", "by whole tuples", "all judgements of a tuple were in the same half"),
)


def methods(result: Mapping[str, Any]) -> Methods:
    """Return the sentences that hold for a report."""
    task = MethodText(
        "We used best–worst scaling {@louviere-woodworth-1991}: annotators saw {tuple_size:item} at a time, and chose "
        "the one that best fits “{best_wording}” and the one that best fits “{worst_wording}”.",
        {
            "tuple_size": "facts.options.size",
            "best_wording": "facts.options.most",
            "worst_wording": "facts.options.least",
        },
        [LOUVIERE_WOODWORTH],
    )
    decision = MethodText("The decisions do not change the scores.")
    return Methods([task], _design(result), _scores(result), _reliability(result), [decision])


def _design(result: Mapping[str, Any]) -> list[MethodText]:
    texts = [
        MethodText(
            "We arranged the items in random tuples in which all items appear about equally often and no item appears "
            "twice."
        )
    ]
    if result.get("rounds"):
        texts.append(
            MethodText(
                "After the first judgements, we added adaptively chosen tuples. The reliability is based on the random "
                "tuples alone."
            )
        )
    return texts


def _scores(result: Mapping[str, Any]) -> list[MethodText]:
    if result.get("rounds"):
        return [
            MethodText(
                "Because some tuples were chosen adaptively, an item’s score is its utility in the MaxDiff model "
                "{@marley-louviere-2005}, rescaled to the range from 0 to 1.",
                publications=[MARLEY_LOUVIERE],
            )
        ]
    return [
        MethodText(
            "An item’s score is the share of its appearances in which it was chosen as best minus the share in which "
            "it was chosen as worst {@kiritchenko-mohammad-2017}, rescaled to the range from 0 to 1.",
            publications=[KIRITCHENKO_MOHAMMAD_2017],
        )
    ]


def _reliability(result: Mapping[str, Any]) -> list[MethodText]:
    texts = []
    reliability = result.get("reliability", {})
    for name, label, how in WAYS:
        half = reliability.get(name)
        if half is None or half["spearman"]["mean"] is None:
            continue
        path = f"result.reliability.{name}"
        figures: dict[str, Any] = {
            f"splits_{name}": f"{path}.splits",
            f"split_half_{name}": (f"{path}.spearman.mean", coefficient),
        }
        interval = ""
        if half["interval"]["spearman"]["low"] is not None:
            over = OVER[half["interval"]["generalises_to"]]
            interval = f", with a 95% confidence interval from {{low_{name}}} to {{high_{name}}} for {over}"
            figures |= {
                f"low_{name}": (f"{path}.interval.spearman.low", coefficient),
                f"high_{name}": (f"{path}.interval.spearman.high", coefficient),
            }
        texts.append(
            MethodText(
                f"The split-half reliability {label} {{@kiritchenko-mohammad-2016}} is Spearman’s "
                f"ρ = {{split_half_{name}}} (mean over {{splits_{name}:random split}}; {how}){interval}.",
                figures,
                [KIRITCHENKO_MOHAMMAD_2016],
            )
        )
    forecast = reliability.get("forecast", {})
    if all(forecast.get(f"{name}_of_all") is not None for name, *_ in WAYS):
        texts.append(
            MethodText(
                "The Spearman–Brown formula {@spearman-1910,brown-1910} predicts a reliability of {whole_of_all} "
                "(whole tuples) to {within_of_all} (within tuples) for scores from all judgements.",
                {f"{name}_of_all": (f"result.reliability.forecast.{name}_of_all", coefficient) for name, *_ in WAYS},
                [SPEARMAN, BROWN],
            )
        )
    if reliability.get("whole", {}).get("interval", {}).get("caution"):
        texts.append(
            MethodText(
                "Read the intervals with care ({interval_caution}).",
                {"interval_caution": "result.reliability.whole.interval.caution"},
            )
        )
    return texts
