"""Tests of the JSON Schemas of files: each download of the example studies conforms to its schema in every row, and a
broken row does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator, FormatChecker

from accord_client.tables import parsed
from annotate import tasktypes
from annotate.management.commands.demo import STUDIES
from annotate.models import Study
from annotate.results.selectors.downloads import exports_of, write_export
from annotate.results.selectors.schemas import file_schema, schema_names, schema_of
from annotate.server.refusals import Refused
from tests.console_study import report_on
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


def parts(data: bytes, filename: str, schema: Any) -> list[Any]:
    """Return the parts of a file that its schema describes."""
    if schema["unit"] == "file":
        return [data.decode()]
    if schema["unit"] == "line":
        return data.decode().removesuffix("\n").split("\n")
    return parsed(data, filename, schema)


def faults(data: bytes, filename: str, schema: Any) -> list[str]:
    validator = Draft202012Validator(schema, format_checker=FormatChecker())
    return [
        f"{filename} {number}: {error.json_path} {error.message}"
        for number, part in enumerate(parts(data, filename, schema), start=1)
        for error in validator.iter_errors(part)
    ]


def downloads(study: Study) -> Iterator[tuple[str, bytes, Any]]:
    """Yield each file of the study with its schema."""
    task = tasktypes.get(study.task_type)
    for export in exports_of(study):
        try:
            data = b"".join(write_export(study, export.filename)[1])
        except Refused as refused:
            if "exceeds the Mechanical Turk limit" not in refused.message:
                raise
            continue
        yield export.filename, data, file_schema(task, export)


@pytest.mark.nightly
@pytest.mark.parametrize("example", STUDIES)
def test_every_row_of_each_example_study_conforms(example: str) -> None:
    call_command("demo", example, verbosity=0)
    study = Study.objects.get()
    report_on(study)
    checked = 0
    for filename, data, schema in downloads(study):
        assert faults(data, filename, schema) == []
        checked += len(parts(data, filename, schema))
        _required_fields_are_necessary(data, filename, schema)
    assert checked > 100


def _required_fields_are_necessary(data: bytes, filename: str, schema: Any) -> None:
    """Check that a row without a required field is a fault, and so is a row with a text instead of a number."""
    rows = parts(data, filename, schema)
    validator = Draft202012Validator(schema)
    for name in schema.get("required", ()):
        row = dict(rows[0])
        del row[name]
        assert not validator.is_valid(row), f"{filename}: {name}"
        described = schema["properties"][name]
        if described.get("anyOf", [described])[0].get("type") in ("integer", "number"):
            assert not validator.is_valid({**rows[0], name: "many"}), f"{filename}: {name}"


@pytest.fixture
def study() -> Study:
    study = make_study(items=10, gold=4, judgements=2)
    annotator = make_annotator(study)
    do_hit(annotator)
    report_on(study)
    return study


def test_the_files_of_a_best_worst_study_conform(study: Study) -> None:
    checked = {filename: faults(data, filename, schema) for filename, data, schema in downloads(study)}
    assert {"scores.csv", "annotations.csv", "tuples.tsv", "answers.jsonl"} <= checked.keys()
    assert [found for found in checked.values() if found] == []


@pytest.mark.parametrize(
    ("filename", "old", "new"),
    [
        ("scores.csv", b"item,score,", b"item,points,"),
        ("scores-full.csv", b",appearances,", b",seen,"),
        ("folds.csv", b",1\n", b",one\n"),
        ("annotations.csv", b",BestItem,", b",Best,"),
        ("tuples.tsv", b"\t", b" "),
        ("answers.jsonl", b'"counts": true', b'"counts": "yes"'),
        ("answers.jsonl", b'"best": "', b'"finest": "'),
        ("answers.jsonl", b'"seconds": ', b'"minutes": '),
    ],
)
def test_a_broken_row_does_not_conform(study: Study, filename: str, old: bytes, new: bytes) -> None:
    _, data, schema = next(each for each in downloads(study) if each[0] == filename)
    assert old in data
    assert faults(data, filename, schema) == []
    assert faults(data.replace(old, new), filename, schema)


def test_all_schemas_are_served_and_valid() -> None:
    listed = Client().get(reverse("file-schemas")).json()
    assert list(listed) == schema_names()
    assert "study" in listed
    for name in listed:
        Draft202012Validator.check_schema(schema_of(name))
    for name in ("bws/scores.csv", "study"):
        response = Client().get(listed[name])
        assert (response.status_code, response["Content-Type"]) == (200, "application/schema+json")
        assert response.json() == schema_of(name)
    assert Client().get("/api/schemas/bws/nothing.csv.json").status_code == 404
