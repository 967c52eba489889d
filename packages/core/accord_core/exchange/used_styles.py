"""Style sheets without rules for print and for classes that a page does not have, for pages that have a size limit."""

import re

_GROUP = ("@media", "@supports", "@container", "@layer")  # rules that contain other rules
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_BRACE = re.compile(r"[{}]")
_IN_PARENTHESES = re.compile(r"\([^()]*\)")


def used_styles(css: str, page: str) -> str:
    """Return minified CSS without rules for print, and without rules in which each selector has a class whose name does
    not occur in `page`.

    `page` is the HTML and all scripts of the page. Classes in parentheses, such as in `:is(.a, .b)`, are not looked
    for, because one of several can be enough. Scripts must not assemble class names from parts.
    """
    kept, at = [], 0
    while at < len(css):
        brace = css.find("{", at)
        if brace < 0:
            kept.append(css[at:])
            break
        start = css.rfind(";", at, brace) + 1 or at  # after statements such as @charset
        end = _end_of_block(css, brace)
        kept.append(css[at:start])
        kept.append(_rule(css[start:brace], css[brace + 1 : end - 1], page))
        at = end
    return "".join(kept)


def _rule(prelude: str, body: str, page: str) -> str:
    if prelude.strip() == "@media print":
        return ""
    if prelude.strip().startswith(_GROUP):
        body = used_styles(body, page)
        return f"{prelude}{{{body}}}" if body else ""
    if prelude.strip().startswith("@"):
        return f"{prelude}{{{body}}}"
    selectors = prelude
    while (shorter := _IN_PARENTHESES.sub("", selectors)) != selectors:
        selectors = shorter
    is_used = any(all(name in page for name in _CLASS.findall(each)) for each in selectors.split(","))
    return f"{prelude}{{{body}}}" if is_used else ""


def _end_of_block(css: str, brace: int) -> int:
    """Return the position after the block that begins with the brace."""
    depth = 0
    for found in _BRACE.finditer(css, brace):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.end()
    raise ValueError(f"The block at {brace} has no end.")
