"""Tests of labels in the JSON format of Label Studio, in the form of an export from Label Studio."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.faults import TableError
from accord_core.exchange.label_studio_labels import LabelledItem, label_studio_label_config, write_label_studio_labels
from accord_core.exchange.labels import LabelFile, read_labels
from annotate.commands.main import main

names = st.text("abcé-7", min_size=1, max_size=4)


def choice(label: str, control: str = "sentiment") -> dict[str, Any]:
    value = {"choices": [label]}
    return {"id": "x1", "from_name": control, "to_name": "text", "type": "choices", "origin": "manual", "value": value}


def annotation(who: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {"id": 4, "was_cancelled": False, "ground_truth": False, "lead_time": 4.2, "task": 1}
    return {**common, "completed_by": who, "result": list(results), **more}


def exported(*annotations: dict[str, Any], key: int = 1, **facts: Any) -> dict[str, Any]:
    data = {"text": "The shop opens at nine."} | facts
    return {"id": key, "data": data, "annotations": list(annotations), "predictions": [{"result": [choice("bad")]}]}


EXPORT = [
    exported(
        annotation({"id": 1, "email": "ann@example.org", "first_name": "Ann"}, choice("good")),
        annotation(2, choice("bad")),
        annotation(3, was_cancelled=True),
        annotation("cy"),
    ),
    exported(annotation(2, choice("good")), key=2, item="p2"),
]


def read(tasks: list[Any]) -> LabelFile:
    return read_labels(json.dumps(tasks, indent=1).encode(), name="export.json")


def votes(file: LabelFile) -> list[tuple[str, str, str]]:
    found = file.labels
    return [
        (file.items[item], file.annotators[who], file.names[label])
        for item, who, label in zip(found.item, found.annotator, found.label, strict=True)
    ]


def test_each_annotation_is_the_label_of_one_annotator() -> None:
    file = read(EXPORT)
    assert votes(file) == [("1", "ann@example.org", "good"), ("1", "2", "bad"), ("p2", "2", "good")]


@given(
    st.dictionaries(
        names, st.dictionaries(names, st.sampled_from(["yes", "no", "maybe"]), min_size=1, max_size=3), min_size=1
    )
)
def test_labels_survive_a_round_trip(items: dict[str, dict[str, str]]) -> None:
    tasks = [LabelledItem(item, {"text": f"text of {item}"}, list(given.items())) for item, given in items.items()]
    data = "".join(write_label_studio_labels(tasks)).encode()
    found = votes(read_labels(data, name="tasks.json"))
    assert found == [(item, who, label) for item, given in items.items() for who, label in given.items()]


@pytest.mark.parametrize(
    ("tasks", "column", "message"),
    [
        ([{"annotations": []}], "data", 'a task must have "data"'),
        ([exported(annotation(None, choice("a")))], "completed_by", "must have the annotator in completed_by"),
        (
            [exported(annotation(1, {"type": "choices", "from_name": "l", "value": {"choices": ["a", "b"]}}))],
            "choices",
            "an annotation has the choices a, b, but an item can have one label",
        ),
        ([exported(annotation(1))], None, "the tasks have no annotations with choices or ratings"),
        ([EXPORT[1], 1], None, 'each entry of the list must be an object such as {"data"'),
    ],
)
def test_each_error_names_its_place(tasks: list[Any], column: str | None, message: str) -> None:
    with pytest.raises(TableError) as raised:
        read([*tasks] if column is None else [EXPORT[1], *tasks])
    [fault] = raised.value.faults
    assert fault.column == column
    assert message in fault.message
    assert column is None or (fault.line or 0) > 1


def accord(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["labels", *arguments])


def test_the_commands_read_and_write_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("votes.csv").write_text("item,annotator,label\np1,ann,yes\np1,bob,no\np2,ann,no\np2,bob,no\n")
    Path("items.csv").write_text("id,sentence\np1,First & last.\np2,Second.\n")
    config = ["--texts", "items.csv", "--write-config", "config.xml"]
    there = accord("convert", "votes.csv", "tasks.json", "--to", "label-studio", *config)
    assert there.exit_code == 0, there.stderr
    tasks = json.loads(Path("tasks.json").read_text())
    assert [task["data"] for task in tasks] == [
        {"item": "p1", "text": "First & last."},
        {"item": "p2", "text": "Second."},
    ]
    assert Path("config.xml").read_text() == label_studio_label_config(["no", "yes"])
    controls = ElementTree.fromstring(Path("config.xml").read_text())  # noqa: S314 (written by the command)
    assert {each.get("value") for each in controls.iter("Choice")} == {"yes", "no"}
    assert accord("convert", "tasks.json", "back.csv", "--to", "table").exit_code == 0
    assert Path("back.csv").read_text() == Path("votes.csv").read_text()
    assert accord("agreement", "tasks.json", "--json").stdout == accord("agreement", "votes.csv", "--json").stdout
    assert (
        "apply only to the format label-studio"
        in accord("convert", "votes.csv", "x.csv", "--to", "table", *config).stderr
    )
    Path("items.csv").write_text("id,sentence\np1,First.\n")
    assert (
        "1 items have no text, for example p2"
        in accord("convert", "votes.csv", "t.json", "--to", "label-studio", *config).stderr
    )


def test_one_of_several_controls_is_chosen_by_its_name(tmp_path: Path) -> None:
    rating = {"type": "rating", "from_name": "fluency", "to_name": "text", "value": {"rating": 4}}
    tasks = [exported(annotation(who, choice("good"), rating)) for who in (1,)]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    assert "the file has the columns item, annotator, sentiment, fluency, text" in accord("aggregate", str(path)).stderr
    assert accord("aggregate", str(path), "--label", "fluency").stdout.splitlines()[1].startswith("1,4,1,1")
