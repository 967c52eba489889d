"""Tests of the examples, formats and errors in the OpenAPI schema."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from annotate import tasktypes
from annotate.api.openapi import FORMATS
from annotate.gold.services import draw_candidates
from annotate.models import Study, User
from annotate.tasktypes import TaskType
from tests.api.conftest import Api
from tests.api.openapi import api_schema, operations, validator
from tests.factories import make_annotator, make_study

TASK_TYPES = ["bws", "chunks", "layout", "paraphrase", "words"]
# The options with which the examples of a task type agree, if these are not the default options.
OPTIONS = {
    "layout": {
        "layout": '<p>${text}</p><input type="radio" name="topic" value="politics">'
        '<input type="checkbox" name="certain">'
    }
}
OPERATIONS = operations()


def texts_in(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield all texts in a JSON value, each with the name of its property."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from texts_in(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part, name)
    elif isinstance(value, str):
        yield name, value


def json_bodies(operation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the media types of JSON requests and responses, by their place in the operation."""
    bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
    media_types = {place: body.get("content", {}).get("application/json") for place, body in bodies.items()}
    return {place: media_type for place, media_type in media_types.items() if media_type}


@pytest.mark.nightly
def test_every_body_has_a_valid_example() -> None:
    faults = []
    for label, operation in OPERATIONS.items():
        for place, media_type in json_bodies(operation).items():
            shown = media_type.get("examples") or {"": {"value": media_type["example"]}}
            check = validator(media_type["schema"])
            for name, example in shown.items():
                faults += [f"{label} {place}: {at}" for at, text in texts_in(example["value"]) if text == "text"]
                faults += [
                    f"{label} {place} {name}: {error.json_path} {error.message}"
                    for error in check.iter_errors(example["value"])
                ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "label",
    [
        "post /api/v1/claims",
        "get /api/v1/studies/{study}/answers",
        "post /api/v1/studies",
        "get /api/v1/studies/{study}",
    ],
)
def test_operations_that_depend_on_the_task_type_have_an_example_for_each(label: str) -> None:
    bodies = json_bodies(OPERATIONS[label])
    media_type = bodies.get("201") or bodies["200"]
    assert set(media_type["examples"]) >= set(TASK_TYPES)


@pytest.mark.parametrize("slug", TASK_TYPES)
def test_the_examples_of_a_task_type_describe_one_question(slug: str) -> None:
    task: TaskType = tasktypes.get(slug)
    examples = {part: getattr(task.formats, part)["example"] for part in FORMATS}
    for part, example in examples.items():
        validator(getattr(task.formats, part)).validate(example)
    options = task.clean_options(OPTIONS.get(slug, {}))
    validator({"$ref": f"#/components/schemas/Options_{slug}"}).validate(options)
    payload, content = examples["payload"], examples["content"]
    shown = task.present(payload, [], dict.fromkeys(task.item_keys(payload), content), options)
    validator(task.formats.question).validate(shown)
    assert shown.keys() == examples["question"].keys()
    value = task.clean(payload, [], examples["answer"], options)
    assert value == examples["value"]
    assert task.reveal(payload, [], value) == examples["answer"]


def test_formats_reject_what_is_not_an_answer() -> None:
    for slug in TASK_TYPES:
        for part in ("answer", "value"):
            check = validator(getattr(tasktypes.get(slug).formats, part))
            assert list(check.iter_errors({"best": "first", "votes": 1, "sure": 2, "chunks": []})), (slug, part)


def test_operations_list_only_errors_that_can_happen() -> None:
    for label, operation in OPERATIONS.items():
        statuses = set(operation["responses"])
        names = {parameter["name"] for parameter in operation.get("parameters", ())}
        assert {"401", "429", "503"} <= statuses, label
        assert ("413" in statuses) == ("415" in statuses) == ("requestBody" in operation), label
        assert ("422" in statuses) == ("Idempotency-Key" in names), label
        if label.startswith("get") and "annotation" not in operation["tags"]:
            assert "403" not in statuses, label


def test_enumerated_properties_list_their_values() -> None:
    components = api_schema()["components"]["schemas"]
    for name in ("StudyShape", "StudyDraftRequest", "ShownStudy"):
        assert components[name]["properties"]["task_type"]["enum"] == TASK_TYPES


def test_every_parameter_has_a_description() -> None:
    parameters = (each for operation in OPERATIONS.values() for each in operation.get("parameters", ()))
    assert {each["name"] for each in parameters if not each.get("description")} == set()


def test_every_property_has_a_type() -> None:
    any_json = {"draft"}  # the format of a draft is known only to the module of the task type
    typed = {"type", "$ref", "allOf", "anyOf", "oneOf", "enum"}
    untyped = {
        f"{component}.{name}"
        for component, schema in api_schema()["components"]["schemas"].items()
        for name, field in schema.get("properties", {}).items()
        if not typed & field.keys() and name not in any_json
    }
    assert not untyped


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_examples_of_requests_contain_only_values_that_the_server_accepts(owner: Api, user: User) -> None:
    study = make_study(user=user, gold=3)
    Study.objects.filter(pk=study.pk).update(admission="named")  # so that the examples can name annotators
    [candidate] = draw_candidates(study.pk, 1, user=user)
    values = defaultdict(
        lambda: "1",
        study=study.public_id,
        pseudonym=make_annotator(study).pseudonym,
        question=candidate.public_id,
        questionnaire="screening",
        kind="exclude",
        ref="tuple-01",
    )
    for label, operation in OPERATIONS.items():
        method, path = label.split()
        media_type = json_bodies(operation).get("request")
        if media_type and "annotation" not in operation["tags"]:
            examples = media_type.get("examples") or {"": {"value": media_type["example"]}}
            names = set(examples) if path == "/api/v1/studies" else {next(iter(examples))}
            for name in names:
                response = owner.ask(method.upper(), path.format_map(values), examples[name]["value"])
                body = response.content.decode()
                assert response.status_code != 400 or response.json()["code"] == "faults", f"{label} {name}: {body}"
