"""Tests of the modules that `script/client` writes: they are up to date, and a page keeps the type of its rows."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from drf_spectacular.renderers import OpenApiJsonRenderer

from tests.api.openapi import api_schema

CLIENT = Path(__file__).parents[2] / "packages" / "client"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", CLIENT / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_modules_are_up_to_date(generate: ModuleType) -> None:
    schema = json.loads(OpenApiJsonRenderer().render(api_schema()))
    for name, source in generate.modules(schema).items():
        written = (CLIENT / "accord_client" / "generated" / name).read_text(encoding="utf-8")
        assert written == generate.formatted(source), f"Run script/client: {name} is outdated."


def test_types_follow_the_schema(generate: ModuleType) -> None:
    properties = {
        "name": {"type": "string"},
        "share": {"type": "number", "nullable": True},
        "state": {"enum": ["a", "b"]},
        "rows": {"type": "array", "items": {"$ref": "#/components/schemas/Row"}},
        "either": {"oneOf": [{"$ref": "#/components/schemas/Row"}, {"$ref": "#/components/schemas/NullEnum"}]},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
    }
    row = {"type": "object", "properties": {"class": {"type": "string"}}, "required": ["class"]}
    thing = {"type": "object", "properties": properties, "required": list(properties)[:-1]}
    source = generate.modules({"components": {"schemas": {"Row": row, "Thing": thing}}, "paths": {}})["models.py"]
    lines = [line.strip() for line in generate.formatted(source).splitlines()]
    assert lines[lines.index("class Thing(TypedDict):") + 1 :] == [
        "name: str",
        "share: float | None",
        "state: Literal['a', 'b']".replace("'", '"'),
        "rows: list[Row]",
        "either: Row | None",
        "counts: NotRequired[dict[str, int]]",
    ]
    assert 'Row = TypedDict("Row", {"class": "str"})' in lines
