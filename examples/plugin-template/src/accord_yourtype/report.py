"""The results. `columns` converts a study to arrays, and `results` calculates a report from these arrays alone."""

import numpy as np

from accord_core.exchange.arrays import json_array, read_json_array
from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.printed import interval
from annotate.tasktypes import End, Explanation, Headline, Person, ReportResult, gather

HEADLINE = "Share of true statements"
EXPLANATIONS = {
    "headline": Explanation(
        HEADLINE,
        "The statements with more than half of the votes for yes, divided by all statements with a judgement. The 95% "
        "interval treats the statements as a random sample.",
        "Wilson (1927), Probable inference, the law of succession, and statistical inference.",
        "yourtype#results",
    )
}


def columns(data):
    gathered = gather(data)
    place = {question.ref: number for number, question in enumerate(data.questions)}
    return {
        **gathered.columns(place, [int(row.value["yes"]) for row in gathered.judgements]),
        "names": json_array(gathered.names),
        "items": json_array([question.payload["item"] for question in data.questions]),
        "statements": json_array([question.payload["statement"] for question in data.questions]),
    }


def results(columns, parameters, seed, progress):
    question, annotator, yes = columns["answers"].T
    if not len(yes):
        return ReportResult(0, 0, "No judgements count yet.")
    items, statements = (read_json_array(columns[name]) for name in ("items", "statements"))
    votes, judged = (np.bincount(question, weights, len(items)) for weights in (yes, None))
    true, decided = int((2 * votes > judged).sum()), int((judged > 0).sum())
    low, high = wilson_interval(true, decided)
    ends = [End("share", "majority of votes", true / decided)]
    rows = [
        {"item": item, "statement": statement, "yes": int(count), "judgements": int(of)}
        for item, statement, count, of in zip(items, statements, votes, judged, strict=True)
    ]
    return ReportResult(
        len(yes),
        len(set(annotator.tolist())),
        headline=Headline(HEADLINE, ends, doubt=f"95% interval {interval(low, high)}."),
        people=people(columns),
        own={"statements": rows},
    )


def people(columns):
    _, annotator, _ = columns["answers"].T
    gold_annotator, passed = columns["gold"].T
    return [
        Person(
            name,
            judgements=int((annotator == number).sum()),
            gold_given=int((gold_annotator == number).sum()),
            gold_right=int(passed[gold_annotator == number].sum()),
        )
        for number, name in enumerate(read_json_array(columns["names"]))
    ]
