import numpy as np

from accord_core.exchange.arrays import json_array, read_json_array
from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.printed import interval
from annotate.tasktypes import End, Headline, Person, ReportResult, gather

HEADLINE = "Share of acceptable sentences"


def columns(data):
    gathered = gather(data)
    place = {question.ref: number for number, question in enumerate(data.questions)}
    return {
        **gathered.columns(place, [int(row.value["yes"]) for row in gathered.judgements]),
        "names": json_array(gathered.names),
        "texts": json_array([question.payload["text"] for question in data.questions]),
    }


def results(columns, parameters, seed, progress):
    question, annotator, yes = columns["answers"].T
    if not len(yes):
        return ReportResult(0, 0, "No judgements count yet.")
    texts = read_json_array(columns["texts"])
    votes, judged = (np.bincount(question, weights, len(texts)) for weights in (yes, None))
    acceptable = int((2 * votes > judged).sum())
    low, high = wilson_interval(acceptable, int((judged > 0).sum()))
    share = acceptable / int((judged > 0).sum())
    headline = Headline(
        HEADLINE, [End("share", "majority of votes", share)], doubt=f"95% interval {interval(low, high)}."
    )
    gold_annotator, passed = columns["gold"].T
    people = [
        Person(
            name,
            judgements=int((annotator == number).sum()),
            gold_given=int((gold_annotator == number).sum()),
            gold_right=int(passed[gold_annotator == number].sum()),
        )
        for number, name in enumerate(read_json_array(columns["names"]))
    ]
    rows = [
        {"text": text, "yes": int(count), "judgements": int(of)}
        for text, count, of in zip(texts, votes, judged, strict=True)
    ]
    return ReportResult(
        len(yes), len(set(annotator.tolist())), headline=headline, people=people, own={"sentences": rows}
    )
