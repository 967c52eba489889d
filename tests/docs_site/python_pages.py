"""The reference of `accord_core` and `accord_client` for the documentation site, as Markdown: one page per public
module, from its source.

A page contains the module's docstring with its example, and each public name with its signature and docstring.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import accord_core

Function = ast.FunctionDef | ast.AsyncFunctionDef
WIDTH = 100  # of a signature in one line
EXAMPLE = re.compile(r"(?:^>>>.*\n?(?:^(?!>>>)\S.*\n?)*)+", re.MULTILINE)


def modules() -> list[str]:
    """Return the public modules, with those of accord-core in the order of the table in its README."""
    readme = (Path(accord_core.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    return [*re.findall(r"^\| `(accord_core\.\w+)`", readme, re.MULTILINE), "accord_client"]


def pages() -> dict[str, str]:
    """Return the pages by name, which is the name of the module with hyphens."""
    return {re.sub("[._]", "-", name): _page(importlib.import_module(name)) for name in modules()}


def _page(module: ModuleType) -> str:
    parts = [f"# {module.__name__}", _prose(inspect.getdoc(module) or "")]
    for name in module.__all__:
        value = getattr(module, name)
        parts.append(f"## {name}")
        if inspect.isclass(value) or inspect.isfunction(value):
            parts += _definition(name, value)
        elif inspect.ismodule(value):
            parts.append(_prose(inspect.getdoc(value) or ""))
        else:
            parts.append(f"```python\n{name} = {value!r}\n```")
    return "\n\n".join(filter(None, parts)) + "\n"


def _definition(name: str, value: type | object) -> Iterator[str]:
    node = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]  # type: ignore[arg-type]
    if isinstance(node, Function):
        yield f"```python\n{_signature(node)}\n```"
        yield _prose(ast.get_docstring(node) or "")
    elif isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        yield f"```python\nclass {name}{f'({bases})' * bool(bases)}\n```"
        for part in node.body:
            if isinstance(part, Function) and part.name == "__init__":
                yield f"```python\n{_signature(part).replace('__init__', name, 1).removesuffix(' -> None')}\n```"
        yield _prose(ast.get_docstring(node) or "")
        fields = [ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign)]
        if fields:
            yield "Fields:\n\n```python\n" + "\n".join(fields) + "\n```"
        for part in node.body:
            if isinstance(part, Function) and not part.name.startswith("_"):
                yield f"```python\n{_signature(part)}\n```"
                yield _prose(ast.get_docstring(part) or "")


def _signature(node: Function) -> str:
    """Return the call of a function with its types, with one parameter per line if it is long."""
    arguments = re.sub(r"^(?:self|cls)(?:, |$)", "", ast.unparse(node.args))
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if any(ast.unparse(decorator) in ("property", "cached_property") for decorator in node.decorator_list):
        return f"{node.name}{result.replace(' ->', ':')}"
    name = f"async {node.name}" if isinstance(node, ast.AsyncFunctionDef) else node.name
    line = f"{name}({arguments}){result}"
    if len(line) <= WIDTH:
        return line
    # A comma before a name, a star or a slash separates parameters; others are within types and defaults.
    parts = re.split(r", (?=(?:\*{0,2}\w+(?:: |=|,|$))|\*,|/)", arguments)
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def _prose(docstring: str) -> str:
    """Return a docstring as Markdown: its examples, which begin with `>>>`, become code."""
    return EXAMPLE.sub(r"```python\n\g<0>\n```", docstring)
