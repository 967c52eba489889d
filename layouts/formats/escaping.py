"""Cells of a batch, escaped for a place in HTML: text, attributes, styles and scripts."""

from __future__ import annotations

import html
import json
import re

TEXT, ATTRIBUTE, CSS, SCRIPT = "text", "attribute", "style", "script"
_PLAIN_IN_CSS = re.compile(r"[^A-Za-z0-9#%., -]")
_UNSAFE_IN_SCRIPT = re.compile("[<>&'\"`$\u2028\u2029]")
_STRING_OR_COMMENT = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|$)|(["'`])(?:\\.|(?!\1).)*?(?:\1|$)""",
    re.DOTALL,
)


def escape(cell: str, context: str, before: str) -> str:
    """Return a cell for a place in HTML. `before` is the HTML before the place."""
    if context == SCRIPT:
        return _in_script(cell, before[_script_start(before) :])
    if context == f"{SCRIPT} {ATTRIBUTE}":
        return html.escape(_in_script(cell, before[_attribute_start(before) :]))
    if context == CSS:
        return _PLAIN_IN_CSS.sub(lambda match: f"\\{ord(match[0]):x} ", cell)
    return html.escape(cell)


def _in_script(cell: str, script: str) -> str:
    """Return a cell as a part of a JavaScript string or, outside of strings, as a JavaScript value.

    A cell that contains JSON becomes the value that it describes. Any other cell becomes a string.
    """
    if _inside_string(script):
        return _UNSAFE_IN_SCRIPT.sub(_unicode, json.dumps(cell, ensure_ascii=False)[1:-1].replace('\\"', '"'))
    try:
        value = json.loads(cell)
    except ValueError:
        value = cell
    literal = json.dumps(value, ensure_ascii=False)
    return re.sub("[<>&\u2028\u2029]", _unicode, literal)


def _inside_string(script: str) -> bool:
    """Return whether a string or comment is open at the end of a script."""
    last = None
    for match in _STRING_OR_COMMENT.finditer(script):
        last = match
    return last is not None and last.end() == len(script) and not _is_closed(last[0])


def _is_closed(text: str) -> bool:
    if text.startswith("/*"):
        return text.endswith("*/")
    return not text.startswith("//") and len(text) > 1 and text[-1] == text[0] and not text.endswith("\\" + text[0])


def _unicode(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _script_start(before: str) -> int:
    tag = before.lower().rfind("<script")
    return before.find(">", tag) + 1


def _attribute_start(before: str) -> int:
    """Return the start of the attribute value that is open at the end of the HTML."""
    return max(before.rfind('="'), before.rfind("='"), before.rfind("= ")) + 2
