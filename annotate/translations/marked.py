"""Functions that collect the texts for translation from annotators' templates, Python code and the task types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract, extract_python
from django.template import Engine, Template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from annotate.tasktypes import TaskType

# The arguments of Django's functions that contain the text, the plural form and the context (“c”).
KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
Text = tuple[str | tuple[str, ...], str | None]  # a text, or its singular and plural form, and its context


def in_template(source: str) -> Iterator[Text]:
    """Yield the texts that are marked for translation in a template."""
    template = Template(source, engine=Engine.get_default())
    kinds: Any = (TranslateNode, BlockTranslateNode)
    nodes: Any = template.nodelist.get_nodes_by_type(kinds)
    for node in nodes:
        context = node.message_context.resolve({}) if node.message_context else None
        if isinstance(node, TranslateNode):
            yield node.filter_expression.var.literal, context
        else:
            singular, _names = node.render_token_list(node.singular)
            yield (singular, node.render_token_list(node.plural)[0]) if node.plural else singular, context


def in_python(source: bytes) -> Iterator[Text]:
    """Yield the texts that are marked for translation in a Python module. Raises ValueError for a text that is not a
    plain string, which Babel would leave out.
    """
    for line, _function, arguments, *_ in extract_python(BytesIO(source), KEYWORDS, [], {}):
        if None in (arguments if isinstance(arguments, tuple) else (arguments,))[:2]:
            raise ValueError(f"Line {line}: text marked for translation must be a plain string, not an expression.")
    for _line, text, _comments, context in extract("python", BytesIO(source), KEYWORDS):
        yield text, context


def in_defaults(task_types: Sequence[TaskType]) -> Iterator[Text]:
    """Yield the default texts of the task types."""
    for task in task_types:
        for texts in (task.own_texts(), *task.further_texts):
            yield from ((text, None) for text in texts.marked())


def in_folders(templates: Sequence[Path], folders: Sequence[Path], task_types: Sequence[TaskType]) -> Catalog:
    """Return the texts that are marked in annotators' templates and in all modules in these folders, and the default
    texts of the task types.
    """
    texts = {text for path in templates for text in in_template(path.read_text(encoding="utf-8"))}
    texts |= set(in_defaults(task_types))
    for folder in folders:
        for path in folder.rglob("*.py"):
            source = path.read_bytes()
            if b"gettext" in source:  # few modules, and Babel takes long to read one
                texts |= set(in_python(source))
    catalogue = Catalog()
    for text, context in texts:
        catalogue.add(text, context=context)
    return catalogue
