"""Studies with answers, and files of systems, for tests of scores."""

from __future__ import annotations

import json

import pytest

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.core.services.claim import claim
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Study, Upload
from annotate.studies.services.study import create_study, open_study
from evaluation.services import systems
from tests.factories import UserFactory, make_annotator


def draw_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use so few draws for intervals and tests that hundreds of intervals take little time, but p can still be below
    .01.
    """
    monkeypatch.setattr(systems, "RESAMPLES", 100)
    monkeypatch.setattr(systems, "PERMUTATIONS", 200)


SUBJECTS = ("the old ferry", "a small dog", "the tall mast", "her red car", "that quiet street", "some warm bread")


def relatedness_study(items: int = 10, prefix: str = "p") -> Study:
    """Create a study with sentence pairs from two sources in which later items are judged as more related. The IDs of
    the items start with `prefix`.
    """
    study = create_study(
        user=UserFactory(),
        title="A secret title",
        task_type="bws",
        judgements=2,
        seed=1,
        gold_block=0,
        rule_threshold=0,
        instructions="Choose.",
    )
    rows = ["id,sentence1,sentence2,source"]
    for n in range(items):
        shared = " ".join(SUBJECTS[: n % 6])
        rows.append(f"{prefix}{n},{shared} leaves {n},{shared} departs {n},{'news' if n % 2 else 'fiction'}")
    _bring(study, "items.csv", "\n".join(rows))
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    simulate(study, user=SYSTEM, annotators=3, seed=3, truth={f"{prefix}{n}": n / items for n in range(items)})
    return study


def predictions(study: Study, *, reverse: bool = False, without: int = 0) -> bytes:
    """Return a score for every item except `without` items: the number of the item or its negative."""
    keys = list(study.items.order_by("pk").values_list("key", flat=True))
    rows = [f"{key},{-int(key[1:]) if reverse else int(key[1:])}" for key in keys[without:]]
    return ("item,score\n" + "\n".join(rows) + "\n").encode()


PAIRS = [
    ("the ferry left at dusk", "the boat departed at nightfall"),
    ("a dog barked all night", "a hound howled all evening"),
    ("she sold her old car", "she traded her worn automobile"),
]


def words_study() -> Study:
    """Create a study with three pairs that one annotator has aligned word by word."""
    study = create_study(
        user=UserFactory(),
        title="Links",
        task_type="words",
        options={"prealign": "none"},
        judgements=1,
        seed=1,
        questions_per_hit=3,
        gold_block=0,
        rule_threshold=0,
        instructions="Link.",
    )
    lines = [json.dumps({"id": f"p{n}", "source": s, "target": t}) for n, (s, t) in enumerate(PAIRS)]
    _bring(study, "pairs.jsonl", "\n".join(lines))
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    value = {"sure": [[i, i] for i in range(5)], "possible": [], "log": [[5, "sure", "drag", [[0, 0]]]]}
    answer_one_hit(study, value)
    return study


def answer_one_hit(study: Study, value: object) -> None:
    somebody = make_annotator(study)
    assignment = claim(somebody.pk).assignment
    assert assignment is not None
    answers = [AnswerSent(answer.position, value, seconds=9.0) for answer in assignment.answers.all()]
    submit(somebody.pk, assignment.public_id, answers)


def do_jobs(study: Study) -> list[str]:
    """Run all waiting jobs, and return the outcome of each job."""
    waiting = list(study.jobs.filter(state="waiting").order_by("pk"))
    for job in waiting:
        jobs.run(job.pk)
    return [study.jobs.get(pk=job.pk).state for job in waiting]


def _bring(study: Study, filename: str, text: str) -> Upload:
    return import_file(study, purpose="items", filename=filename, data=text.encode(), user=SYSTEM)
