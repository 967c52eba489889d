"""Paraphrase studies for tests, with small files that are imported through the services."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.services.submit import AnswerSent, Receipt, submit
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Answer, Assignment, Participation, Report, Study
from annotate.results.services import make_report
from annotate.studies.services.study import create_study, open_study
from tests.factories import UserFactory, take

SENTENCES = {
    "shop": "The {} on the corner was closed on Monday.",
    "farm": "Behind the barn a {} had fallen into the ditch.",
}
GOOD = {"shop": {"bank": ["branch", "lender"]}, "farm": {"bank": ["slope"]}}


def item_rows(phrases: Sequence[str] = ("bank", "post", "mill"), **fields: Any) -> list[dict[str, Any]]:
    """Return one item for each phrase in each of two domains, with the same three candidates in both domains."""
    return [
        {
            "id": f"{domain}-{phrase}",
            "sentence": sentence.format(phrase),
            "phrase": phrase,
            "paraphrases": [f"{phrase} {word}" for word in ("branch", "slope", "lender")],
            "domain": domain,
        }
        | fields
        for phrase in phrases
        for domain, sentence in SENTENCES.items()
    ]


def quality_csv(count: int) -> bytes:
    """Return quality-control questions with three synonyms and three random words."""
    rows = [
        f'quality-{n},"They were happy, all {n} of them.",happy,,glad|pleased|content,oak|ladle|trombone,Because {n}.'
        for n in range(1, count + 1)
    ]
    header = "id,sentence,phrase,start,synonyms,random_words,explanation"
    return "\n".join([header, *rows, ""]).encode()


def paraphrase_study(
    *,
    rows: Sequence[Mapping[str, Any]] | None = None,
    quality: int = 6,
    practice: int = 0,
    state: str = "open",
    **settings: Any,
) -> Study:
    """Create a study, which is open by default, with six questions in two domains and HITs of two questions and one
    quality-control question.
    """
    user = UserFactory()
    if not quality:
        settings = {"gold_block": 0, "rule_threshold": 0} | settings
    study = create_study(
        user=user,
        title="Paraphrases",
        task_type="paraphrase",
        practice=bool(practice),
        **{
            "judgements": 3,
            "questions_per_hit": 2,
            "gold_block": 2,
            "seed": 1,
            "rule_unit": "hits",
            "rule_minimum": 10,
            "rule_threshold": "0.5",
            "instructions": "Say yes or no.",
        }
        | settings,
    )
    lines = "".join(json.dumps(row) + "\n" for row in (rows or item_rows())).encode()
    files = [("items", "items.jsonl", lines), ("gold", "gold.csv", quality_csv(quality) if quality else b"")]
    if practice:
        files.append(("practice", "practice.csv", quality_csv(practice).replace(b"quality-", b"practice-")))
    for purpose, filename, data in files:
        if data:
            import_file(study, purpose=purpose, filename=filename, data=data, user=user)
    build_design(study.pk, user=user)
    return open_study(study.pk, user=user) if state == "open" else Study.objects.get(pk=study.pk)


def hand_in(ann: Participation, yes: Mapping[str, Sequence[str]] | None = None, quality: str = "right") -> Receipt:
    """Answer one HIT with “yes” for the candidates that `yes` names for an item. `quality` is right, wrong, all or
    none.
    """
    assignment = take(ann)
    sent = [
        AnswerSent(answer.position, raw_votes(answer, yes or {}, quality), seconds=4.0)
        for answer in assignment.answers.select_related("question").order_by("position")
    ]
    return submit(ann.pk, assignment.public_id, sent)


def raw_votes(answer: Answer, yes: Mapping[str, Sequence[str]], quality: str = "right") -> dict[str, Any]:
    """Return the votes in screen order, as a browser sends them."""
    payload = answer.question.payload
    if "content" in payload:
        right = [index < payload["synonyms"] for index in range(len(payload["content"]["paraphrases"]))]
        votes = {
            "right": right,
            "wrong": [not vote for vote in right],
            "all": [True] * len(right),
            "none": [False] * len(right),
        }[quality]
    else:
        votes = [text in yes.get(payload["item"], ()) for text in payload["paraphrases"]]
    return tasktypes.get("paraphrase").reveal(payload, answer.shown, {"votes": votes})


def work_through(ann: Participation, yes: Mapping[str, Sequence[str]], quality: str = "right") -> int:
    """Submit HITs until no HIT is available, and return the number of HITs."""
    done = 0
    while ann.study.slots.filter(open__gt=0).exists() and _has_work(ann):
        hand_in(ann, yes, quality)
        done += 1
    return done


def _has_work(ann: Participation) -> bool:
    claimed_hits = ann.assignments.filter(kind=Assignment.Kind.REGULAR).values("hit")
    return ann.study.slots.filter(open__gt=0).exclude(hit__in=claimed_hits).exists()


def results_of(study: Study, **parameters: Any) -> Report:
    return make_report(
        study.pk,
        kind="results",
        parameters={"resamples": 50} | parameters,
        user=SYSTEM,
        progress=lambda share, text: None,
    )
