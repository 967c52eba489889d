"""Functions that collect the texts marked for translation in annotators' templates and in Python code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.template import Engine, Template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from annotate.translations.catalogue import Key

# The number of text arguments of each function, and whether the first argument is a context.
FUNCTIONS = {
    "gettext": (1, False),
    "gettext_lazy": (1, False),
    "ngettext": (2, False),
    "ngettext_lazy": (2, False),
    "pgettext": (1, True),
    "pgettext_lazy": (1, True),
    "npgettext": (2, True),
    "npgettext_lazy": (2, True),
}


def in_template(source: str) -> Iterator[Key]:
    """Yield the texts that are marked for translation in a template."""
    template = Template(source, engine=Engine.get_default())
    kinds: Any = (TranslateNode, BlockTranslateNode)
    nodes: Any = template.nodelist.get_nodes_by_type(kinds)
    for node in nodes:
        context = node.message_context.resolve({}) if node.message_context else ""
        if isinstance(node, TranslateNode):
            yield Key(node.filter_expression.var.literal, context=context)
        else:
            singular, _names = node.render_token_list(node.singular)
            plural = node.render_token_list(node.plural)[0] if node.plural else ""
            yield Key(singular, plural, context)


def in_python(source: str) -> Iterator[Key]:
    """Yield the texts that are marked for translation in a Python module. A module can import a translation function
    under any name.
    """
    tree = ast.parse(source)
    functions: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            functions |= {name.asname or name.name: name.name for name in node.names if name.name in FUNCTIONS}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions):
            continue
        count, has_context = FUNCTIONS[functions[node.func.id]]
        texts = [_constant(argument) for argument in node.args[: count + has_context]]
        context = texts.pop(0) if has_context else ""
        yield Key(texts[0], texts[1] if count == 2 else "", context)


def in_project(root: Path, templates: list[Path], packages: list[str]) -> set[Key]:
    """Return the texts that are marked in annotators' templates and in all modules of these packages."""
    keys = {key for path in templates for key in in_template(path.read_text(encoding="utf-8"))}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            keys |= set(in_python(path.read_text(encoding="utf-8")))
    return keys


def _constant(node: ast.expr) -> str:
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        raise ValueError(f"Line {node.lineno}: text marked for translation must be a plain string, not an expression.")
    return node.value
