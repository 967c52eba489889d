"""Write the generated modules of the client from the OpenAPI schema of an Accord server.

`models.py` contains a type for each component of the schema, and `operations.py` a function for each operation.
`script/client` runs this program, and a test fails if the modules are outdated.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

FOLDER = Path(__file__).parent / "accord_client" / "generated"
NOTE = "`script/client` writes this file."
PAGE = re.compile(r"(?:Cursor)?Page$")
WIDTH = 116
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
NULL = "NullEnum"  # the component whose only value is null
# Names that a component must not hide in `models.py`.
TAKEN = {"Any", "Literal", "NotRequired", "TypeAlias", "TypedDict"}


def modules(schema: Schema) -> dict[str, str]:
    """Return the source of each module by file name, before formatting."""
    return {"models.py": "\n".join(_models(schema)), "operations.py": "\n".join(_operations(schema))}


def formatted(source: str) -> str:
    """Format source with ruff and the settings of this project."""
    for command in (["check", "--quiet", "--select", "F401,I", "--fix"], ["format", "--quiet"]):
        ruff = [
            str(Path(sys.executable).with_name("ruff")),
            *command,
            "--stdin-filename",
            str(FOLDER / "module.py"),
            "-",
        ]
        source = subprocess.run(ruff, input=source, capture_output=True, text=True, check=True).stdout  # noqa: S603
    return source


def _models(schema: Schema) -> Iterator[str]:
    yield f'"""The types of the JSON in requests and responses. {NOTE}"""\n\nfrom __future__ import annotations\n'
    yield "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n"
    for name, part in schema["components"]["schemas"].items():
        if name in TAKEN or not name.isidentifier():
            raise ValueError(f"The component {name} needs another name.")
        if name != NULL and not _row_type(part):
            yield from _model(name, part)


def _model(name: str, part: Schema) -> Iterator[str]:
    """Yield a TypedDict for an object, and an alias for any other type."""
    properties: Schema = part.get("properties", {})
    if not properties:
        yield f"\n{name}: TypeAlias = {_type(part, quoted=True)}\n"
        return
    types = {
        key: _type(each) if key in part.get("required", ()) else f"NotRequired[{_type(each)}]"
        for key, each in properties.items()
    }
    if all(_is_name(key) for key in types):
        yield f"\n\nclass {name}(TypedDict):"
        yield from _docstring(part.get("description", ""), "    ")
        yield from (f"    {key}: {each}" for key, each in types.items())
    else:
        fields = ", ".join(f"{key!r}: {each!r}" for key, each in types.items())
        yield f"\n{name} = TypedDict({name!r}, {{{fields}}})"


def _type(part: Schema, *, quoted: bool = False, prefix: str = "") -> str:
    """Return the Python type of a part of the schema. `quoted` is for expressions that Python evaluates on import."""
    plain = _plain_type(part, prefix)
    can_be_null = part.get("nullable") and plain != "Any" and not plain.endswith("None")
    kind = f"{plain} | None" if can_be_null else plain
    return repr(kind) if quoted else kind


def _plain_type(part: Schema, prefix: str) -> str:
    """Return the type of the values other than null."""
    if "$ref" in part:
        name = _referenced(part)
        return "None" if name == NULL else f"{prefix}{name}"
    if "enum" in part:
        return f"Literal[{', '.join(map(repr, part['enum']))}]"
    choices = part.get("allOf") or part.get("anyOf") or part.get("oneOf")
    if choices:
        return " | ".join(dict.fromkeys(_type(choice, prefix=prefix) for choice in choices))
    kind = part.get("type")
    if part.get("format") == "binary":
        return "bytes"
    if kind == "array":
        return f"list[{_type(part['items'], prefix=prefix)}]"
    if kind == "object":
        values = part.get("additionalProperties")
        return f"dict[str, {_type(values, prefix=prefix) if isinstance(values, dict) else 'Any'}]"
    if isinstance(kind, list):
        return " | ".join(SIMPLE.get(each, "Any") for each in kind)
    return SIMPLE.get(str(kind), "Any")


def _operations(schema: Schema) -> Iterator[str]:
    yield f'"""A function for each operation of the API. {NOTE}"""\n\nfrom __future__ import annotations\n'
    yield "from typing import Any, Literal\n"
    yield "from accord_client.operation import Listing, Operation, segment\n"
    yield "from . import models\n"
    for path, methods in schema["paths"].items():
        for method, described in methods.items():
            yield from _operation(schema, method.upper(), path, described)


def _operation(schema: Schema, method: str, path: str, described: Schema) -> Iterator[str]:
    parameters = described.get("parameters", ())
    in_path = re.findall(r"{(\w+)}", path)
    query = {each["name"]: each for each in parameters if each["in"] == "query"}
    names = {name: f"{name}_in_query" if name in in_path else _identifier(name) for name in query}
    headers = {each["name"] for each in parameters if each["in"] == "header"}
    body, has_file = _body(schema, described)
    arguments = [f"{name}: {'int' if _is_number(parameters, name) else 'str'}" for name in in_path]
    fixed = [repr(method), "f" * bool(in_path) + repr(re.sub(r"{(\w+)}", r"{segment(\1)}", path))]
    if body:
        required = described["requestBody"].get("required")
        arguments.append(f"body: models.{body}" if required else f"body: models.{body} | None = None")
        fixed.append("body=body")
    optional = [_query_argument(names[name], each) for name, each in query.items()]
    if query:
        fixed.append(f"query={{{', '.join(f'{name!r}: {argument}' for name, argument in names.items())}}}")
    for header, name in (("If-Match", "if_match"), ("Idempotency-Key", "idempotency_key")):
        if header in headers:
            optional.append(f"{name}: str | None = None")
            fixed.append(f"{name}={name}")
    if has_file:
        fixed.append("has_file=True")
    if _is_repeatable(method, headers, described):
        fixed.append("repeatable=True")
    if "Idempotency-Key" in headers:
        fixed.append("accepts_key=True")
    returned, row, is_json = _returned(schema, described)
    if not is_json:
        fixed.append("returns_json=False")
    signature = ", ".join([*arguments, *(["*", *optional] if optional else [])])
    kind = f"Listing[{row}]" if row else f"Operation[{returned}]"
    yield f"\n\ndef {_identifier(described['operationId'])}({signature}) -> {kind}:"
    yield from _docstring(described.get("description", ""), "    ")
    yield f"    return {'Listing' if row else 'Operation'}({', '.join(fixed)})"


def _is_number(parameters: Any, name: str) -> bool:
    return any(each["name"] == name and each["schema"].get("type") == "integer" for each in parameters)


def _query_argument(name: str, parameter: Schema) -> str:
    kind = _type(parameter["schema"], prefix="models.")
    optional = "" if parameter.get("required") else " | None = None"
    return f"{name}: {kind}{optional}"


def _is_repeatable(method: str, headers: set[str], described: Schema) -> bool:
    """Return whether a request can be sent again after a lost response. Annotators' requests always can: a claim
    returns the HIT in progress, and stored answers and submitted HITs stay as they are.
    """
    return method in ("GET", "PUT") or "Idempotency-Key" in headers or "annotation" in described.get("tags", ())


def _body(schema: Schema, described: Schema) -> tuple[str, bool]:
    """Return the name of the body's model, and whether the body can contain a file."""
    content = described.get("requestBody", {}).get("content", {})
    if not content:
        return "", False
    name = _referenced(next(iter(content.values()))["schema"])
    fields = schema["components"]["schemas"][name].get("properties", {}).values()
    return name, any(field.get("format") == "binary" for field in fields)


def _returned(schema: Schema, described: Schema) -> tuple[str, str, bool]:
    """Return the type of the successful response, the type of its rows if it is a page of a list, and whether it is
    JSON.
    """
    kinds, is_json = [], True
    for status, response in described["responses"].items():
        if status.startswith("2"):
            content = response.get("content", {})
            part = content.get("application/json", {}).get("schema")
            is_json = is_json and (not content or part is not None)
            kinds.append(_type(part, prefix="models.") if part else "bytes" if content else "None")
            if part and "$ref" in part:
                page = schema["components"]["schemas"][_referenced(part)]
                if row := _row_type(page):
                    return "", row, True
    return " | ".join(dict.fromkeys(kinds)), "", is_json


def _row_type(part: Schema) -> str:
    """Return the type of the rows if the component is a page of a list, or otherwise an empty string."""
    properties = part.get("properties", {})
    is_page = {"next", "previous", "results"} <= properties.keys()
    return _type(properties["results"]["items"], prefix="models.") if is_page else ""


def _referenced(part: Schema) -> str:
    """Return the name of the component that a part of the schema refers to."""
    return str(part["$ref"]).rsplit("/", 1)[1]


def _docstring(text: str, indent: str) -> Iterator[str]:
    text = text.replace("\\", "\\\\").strip()
    if text:
        lines = [line for part in text.splitlines() for line in textwrap.wrap(part, WIDTH - 6) or [""]]
        quoted = "\n".join(f"{indent}{line}".rstrip() for line in lines).strip()
        yield f'{indent}"""{quoted}"""' if len(lines) == 1 else f'{indent}"""{quoted}\n{indent}"""'


def _identifier(name: str) -> str:
    plain = re.sub(r"\W+", "_", name)
    plain = re.sub(r"_+", "_", plain)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def _is_name(key: str) -> bool:
    return key.isidentifier() and not keyword.iskeyword(key)


def write(schema: Schema) -> None:
    """Write the modules."""
    for name, source in modules(schema).items():
        (FOLDER / name).write_text(formatted(source), encoding="utf-8")


if __name__ == "__main__":
    write(json.load(sys.stdin))
