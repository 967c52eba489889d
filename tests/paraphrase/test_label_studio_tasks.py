"""Tests of paraphrase studies in the JSON format of Label Studio: votes as annotations, and tasks as items."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from accord_core.exchange.labels import read_labels
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from paraphrase.exports import EXPORTS
from paraphrase.items import read_items
from tests.factories import make_annotator
from tests.paraphrasing import paraphrase_study, work_through

pytestmark = pytest.mark.django_db
LIMITS = {"rows": 100, "bytes": 1_000_000, "cell": 2_000}


def download(study: Study, name: str) -> bytes:
    export = next(each for each in EXPORTS if each.filename == name)
    return b"".join(export.write(study_data(study), None))


@pytest.mark.nightly
def test_votes_are_annotations_and_tasks_are_items_of_another_study() -> None:
    study = paraphrase_study()
    for word in ("branch", "slope"):
        accepted = {item.key: [f"{item.content['phrase']} {word}"] for item in study.items.all()}
        work_through(make_annotator(study), accepted)
    data = download(study, "label-studio.json")
    tasks, votes = read_labels(data, name="tasks"), read_labels(download(study, "votes.csv"), name="votes")

    def named(file):  # type: ignore[no-untyped-def]
        found = zip(file.labels.item, file.labels.annotator, file.labels.label, strict=True)
        return {(file.items[item], file.annotators[who], file.names[label]) for item, who, label in found}

    assert named(tasks) == named(votes)
    assert len(json.loads(data)) == len(tasks.items)
    read = read_items(data, "tasks.json", {}, LIMITS)
    assert (read.faults, read.warnings) == ([], [])
    expected = {item.key: (item.content, item.metadata) for item in study_data(study).items}
    assert {item.key: (item.content, item.metadata) for item in read.items} == expected
    config = ElementTree.fromstring(download(study, "label-studio.xml"))  # noqa: S314 (text of the module)
    shown = {(each.get("value") or "").removeprefix("$") for each in config.iter("Text")}
    assert shown == {"text", "phrase", "paraphrase"} <= json.loads(data)[0]["data"].keys()


def test_tasks_of_one_item_must_agree_and_need_their_texts() -> None:
    first = {"text": "A bank.", "phrase": "bank", "paraphrase": "shore", "domain": "d", "sentence_id": "s"}

    def faults(*facts: dict[str, str], limits: dict[str, int] = LIMITS) -> list[str]:
        data = json.dumps([{"data": each} for each in facts]).encode()
        return [fault.message for fault in read_items(data, "tasks.json", {}, limits).faults]

    assert faults(first, first | {"paraphrase": "slope"}) == []
    [message] = faults(first, first | {"domain": "e"})
    assert "another sentence, phrase or domain than the task on line 1 (task 1) with the same sentence_id" in message
    assert "must have “data” with the texts text, phrase" in faults({"text": "A"})[0]
    assert "more than the limit of 1" in faults(first, first | {"sentence_id": "t"}, limits={**LIMITS, "rows": 1})[0]
    unnamed = {key: value for key, value in first.items() if key != "sentence_id"}
    data = json.dumps([{"data": unnamed}, {"data": unnamed | {"paraphrase": "slope"}}]).encode()
    [item] = read_items(data, "tasks.json", {}, LIMITS).items
    assert (item.key, item.content["paraphrases"]) == ("task-1", ["shore", "slope"])
