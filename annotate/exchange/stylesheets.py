"""Style sheets combined into one, with only the rules that a page uses, for pages that run without their server."""

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_NAMED = re.compile(r"[.#]([A-Za-z][\w-]*)|\[([a-z][\w-]*)")
_ELEMENT = re.compile(r"(?:^|[\s>+~])([a-z][a-z0-9]*)")
_PROPERTY = re.compile(r"(--[\w-]+)\s*:[^;{}]*;?")
_GROUPS = ("@media", "@supports", "@layer")


def style_for(sheets: list[str], page: str) -> str:
    """Return the combined sheets without comments, whitespace and rules that cannot match anything in `page`.

    `page` is everything that may make elements: HTML and scripts. A rule stays when each class, id, attribute and
    element that its selector names occurs there as a word, or begins with one that ends in a hyphen, as scripts put
    names together. What stands in parentheses is not looked at.
    """
    words = set(re.findall(r"[A-Za-z][\w-]*", page)) | {"html", "body"}
    styles = "".join(_rules(_COMMENT.sub("", "\n".join(sheets)), words))
    return _without_unused_properties(styles, page)


def _rules(css: str, words: set[str]) -> Iterator[str]:
    at = 0
    while (opening := css.find("{", at)) >= 0:
        end = _closing(css, opening)
        head, body = " ".join(css[at:opening].split()), css[opening + 1 : end]
        at = end + 1
        if head.startswith(_GROUPS):
            inside = "".join(_rules(body, words))
            if inside:
                yield f"{head}{{{inside}}}"
        elif head.startswith("@"):
            if not head.startswith("@keyframes") or head.split()[1] in words:
                yield f"{head}{{{_tight(body)}}}"
        elif used := [selector for selector in _alternatives(head) if _matches(selector, words)]:
            yield f"{','.join(used)}{{{_tight(body)}}}"


def _closing(css: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(css)):
        depth += {"{": 1, "}": -1}.get(css[at], 0)
        if depth == 0:
            return at
    raise ValueError(f"the block that begins {css[max(0, opening - 40) : opening]!r} does not end")


def _alternatives(head: str) -> list[str]:
    """Return the selectors of a list, which is split at commas outside parentheses."""
    parts, depth = [""], 0
    for character in head:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _matches(selector: str, words: set[str]) -> bool:
    while (bare := _IN_PARENTHESES.sub("", selector)) != selector:
        selector = bare
    named = {first or second for first, second in _NAMED.findall(selector)} | set(_ELEMENT.findall(selector))
    return all(name in words or any(name.startswith(word) for word in words if word.endswith("-")) for name in named)


def _tight(body: str) -> str:
    one_line = " ".join(body.split()).removesuffix(";")
    return re.sub(r"\s*([;{}])\s*", r"\1", re.sub(r";\s*([\w-]+):\s+", r";\1:", f";{one_line}")).strip(";")


def _without_unused_properties(css: str, page: str) -> str:
    """Remove unused custom properties, and then the properties that only these used."""
    used = set(re.findall(r"var\(\s*(--[\w-]+)", css + page))
    fewer = _PROPERTY.sub(lambda match: match[0] if match[1] in used else "", css)
    return css if fewer == css else _without_unused_properties(fewer, page)
