"""Validation of JSON against the OpenAPI schema of the API."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

Schema = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


@cache
def api_schema() -> Schema:
    """Return the schema that the server provides."""
    schema: Schema = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def forget_schema() -> None:
    """Forget the schema, because a test adds a task type or has added one."""
    for cached in (api_schema, operations, _response_validator, _components):
        cached.cache_clear()


@cache
def operations() -> dict[str, Schema]:
    """Return the operations by method and path, such as `get /api/v1/studies`."""
    return {
        f"{method} {path}": operation
        for path, methods in api_schema()["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }


def validator(part: Schema) -> Validator:
    """Return a JSON Schema validator for a part of the schema."""
    return Draft202012Validator({"components": _components(), "allOf": [_converted(part)]})


def check_response(method: str, path: str, response: Any) -> None:
    """Fail if the schema does not describe the status or the JSON body of a response of the API."""
    operation = operations().get(f"{method.lower()} {_template(path)}")
    if operation is None or response.status_code in UNDESCRIBED:
        return
    assert str(response.status_code) in operation["responses"], f"{method} {path}: {response.status_code}"
    if response.get("Content-Type", "").startswith("application/json") and not response.streaming:
        errors = _errors(method.lower(), _template(path), str(response.status_code), response.json())
        assert not errors, f"{method} {path}: {errors[0].json_path} {errors[0].message}"


UNDESCRIBED = (405, 500)


def _errors(method: str, template: str, status: str, body: Any) -> list[Any]:
    return list(_response_validator(method, template, status).iter_errors(body))


@cache
def _response_validator(method: str, template: str, status: str) -> Validator:
    described = api_schema()["paths"][template][method]["responses"][status]
    return validator(described["content"]["application/json"]["schema"])


def _template(path: str) -> str:
    """Return the path in the schema to which a path leads, such as `/api/v1/studies/{study}`."""
    route = resolve(path.partition("?")[0]).route
    for converter in ("str:", "int:", "slug:", "path:"):
        route = route.replace(f"<{converter}", "{")
    return "/" + route.replace(">", "}")


@cache
def _components() -> Schema:
    converted: Schema = _converted(api_schema()["components"])
    return converted


def _converted(part: Any) -> Any:
    """Convert OpenAPI 3.0 to JSON Schema: `nullable` becomes the type `null`."""
    if isinstance(part, list):
        return [_converted(each) for each in part]
    if not isinstance(part, dict):
        return part
    converted = {name: _converted(each) for name, each in part.items() if name not in ("nullable", "example")}
    return {"anyOf": [converted, {"type": "null"}]} if part.get("nullable") is True else converted
