"""Functions that escape batch cells for their context in HTML, such as text, attributes, styles and scripts."""

from __future__ import annotations

import html
import json
import re

TEXT, ATTRIBUTE, URL, CSS, SCRIPT = "text", "attribute", "URL", "style", "script"
_PLAIN_IN_CSS = re.compile(r"[^A-Za-z0-9#%., -]")
# Regular expressions in a script can contain quotation marks, so it is not always clear whether a string is open.
# Without these characters, a cell cannot contain code even if it is inserted with the wrong quotation marks.
_UNSAFE_IN_SCRIPT = re.compile("[^\\w ., \u0080-\U0010ffff]|[\u2028\u2029\ud800-\udfff]", re.ASCII)
_JSON_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_IGNORED_IN_URL = re.compile(r"[\x00-\x20]")
_STRING_OR_COMMENT = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|$)|(["'`])(?:\\.|(?!\1).)*?(?:\1|$)""",
    re.DOTALL,
)


def escape(cell: str, context: str, script: str) -> str:
    """Return a cell, escaped for its context in the HTML. If the cell is inside a script, `script` contains the part of
    the script that precedes the cell.
    """
    if context == SCRIPT:
        return _in_script(cell, script)
    if context == f"{SCRIPT} {ATTRIBUTE}":
        return html.escape(_in_script(cell, script))
    if context == CSS:
        return _PLAIN_IN_CSS.sub(lambda match: f"\\{ord(match[0]):x} ", cell)
    # A cell such as `javascript:alert(1)` would run as a script. Browsers do not know the scheme `unsafe`.
    if context == URL and _IGNORED_IN_URL.sub("", cell).lower().startswith("javascript:"):
        cell = f"unsafe:{cell}"
    return html.escape(cell)


def _in_script(cell: str, script: str) -> str:
    """Return a cell as part of a JavaScript string or, outside strings, as a JavaScript value.

    A cell that contains JSON becomes the value that it describes. Any other cell becomes a string.
    """
    if _inside_string(script):
        return _UNSAFE_IN_SCRIPT.sub(_unicode, cell)
    try:
        literal = json.dumps(json.loads(cell))
    except (ValueError, RecursionError):
        literal = json.dumps(cell)
    return _JSON_STRING.sub(lambda match: f'"{_UNSAFE_IN_SCRIPT.sub(_unicode, json.loads(match[0]))}"', literal)


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
