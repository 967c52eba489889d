"""ES modules combined into one script, for pages that run without their server.

Each module becomes a function called once, so that names which two modules share stay apart. Comments and needless
space go. A template literal becomes a sum of strings, because Mechanical Turk takes `${…}` for a column of its batch.

What is understood is what the modules here are written in: named imports and exports at the beginning of a line.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_IMPORT = re.compile(r"^import\s*(?:\{([^}]*)\}\s*from\s*)[\"']([^\"']+)[\"'];?[ \t]*$", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+((?:async\s+)?function\s*\*?|const|let|class)\s+([\w$]+)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<template>`)"
    r"|(?P<word>[\w$]+)"
    r"|(?P<mark>=>|\.\.\.|[^\s\w$])",
    re.DOTALL,
)
_REGEX = re.compile(r"/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_REGEX = {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await"}
_NO_NEWLINE_AFTER = set("{(,;[")


def one_script(entry: Path) -> str:
    """Return the module at `entry` with all that it imports, as the text of one script of type module.

    Raises ValueError, naming the file, for a form of import or export that is not understood.
    """
    order: dict[Path, str] = {}
    _load(entry.resolve(), order)
    names = {path: f"$m{number}" for number, path in enumerate(order)}
    last = len(order) - 1
    return "\n".join(
        _body(path, source, names) if number == last else f"const {names[path]}={_wrapped(path, source, names)};"
        for number, (path, source) in enumerate(order.items())
    )


def minify_script(source: str) -> str:
    """Return the same program without comments, needless space and template literals."""
    return "".join(_spaced(_tokens(source, 0)[0]))


def _load(path: Path, order: dict[Path, str]) -> None:
    """Read a module after those it imports."""
    source = path.read_text(encoding="utf-8")
    for found in _IMPORT.finditer(source):
        imported = (path.parent / found[2]).resolve()
        if imported not in order:
            _load(imported, order)
    order[path] = source


def _wrapped(path: Path, source: str, names: dict[Path, str]) -> str:
    exported = ",".join(found[2] for found in _EXPORT.finditer(source))
    return f"(()=>{{{_body(path, source, names)}\nreturn{{{exported}}}}})()"


def _body(path: Path, source: str, names: dict[Path, str]) -> str:
    def bind(found: re.Match[str]) -> str:
        wanted = ",".join(" ".join(name.split()).replace(" as ", ":") for name in found[1].split(",") if name.strip())
        return f"const {{{wanted}}}={names[(path.parent / found[2]).resolve()]};"

    plain = _EXPORT.sub(r"\1 \2", _IMPORT.sub(bind, source))
    if left := _LEFT_OVER.search(plain):
        raise ValueError(f"{path.name}: {left[0]!r} cannot be put into one script.")
    return minify_script(plain)


def _tokens(source: str, at: int, *, inside: bool = False) -> tuple[list[str], int]:
    """Tokens from `at` to the end, or `inside` a template's `${` to its `}`; and where that is."""
    tokens: list[str] = []
    depth = 0
    while at < len(source):
        if _regex_may_follow(tokens) and (found := _REGEX.match(source, at)):
            tokens.append(found[0])
            at = found.end()
            continue
        found = _TOKEN.match(source, at)
        if found is None:  # every character is one of the kinds
            raise ValueError(f"character {at + 1} of a script begins nothing known")
        text, at = found[0], found.end()
        if found.lastgroup == "template":
            text, at = _template(source, at)
        elif found.lastgroup in ("space", "comment"):
            text = "\n" if "\n" in text else " "
        elif text == "{":
            depth += 1
        elif text == "}":
            if inside and depth == 0:
                return tokens, at
            depth -= 1
        tokens.append(text)
    return tokens, at


def _regex_may_follow(tokens: list[str]) -> bool:
    before = next((token for token in reversed(tokens) if not token.isspace()), "")
    return not before or before in _BEFORE_REGEX or before[-1] in "(,=:[!&|?{};+-*%<>~^"


def _template(source: str, at: int) -> tuple[str, int]:
    """Return a sum of strings for the template literal after the backtick before `at`, and the position of its end."""
    parts, text = [], ""
    while source[at] != "`":
        if source.startswith("${", at):
            parts.append(_quoted(text))
            text = ""
            tokens, at = _tokens(source, at + 2, inside=True)
            parts.append(f"({''.join(_spaced(tokens)).strip()})")
        else:
            step = 2 if source[at] == "\\" else 1
            text += source[at : at + step]
            at += step
    if text or not parts:
        parts.append(_quoted(text))
    # It begins with a string, also an empty one, so that all of the sum is text.
    return f"({'+'.join(part for n, part in enumerate(parts) if n == 0 or part != chr(34) * 2)})", at + 1


def _quoted(text: str) -> str:
    plain = text.replace("\\`", "`").replace("\\$", "$")
    return '"' + re.sub(r'(?<!\\)"', r"\"", plain).replace("\n", "\\n") + '"'


def _spaced(tokens: list[str]) -> Iterator[str]:
    """Tokens with a space or a line's end only where the program needs one."""
    before, gap = "", ""
    for token in tokens:
        if token.isspace():
            gap = "\n" if "\n" in (gap, token) else " "
            continue
        if before and (needed := _needed(before, gap, token)):
            yield needed
        yield token
        before, gap = token, ""


def _needed(before: str, gap: str, after: str) -> str:
    if gap == "\n":
        return "" if before[-1] in _NO_NEWLINE_AFTER or after[0] == "}" else "\n"
    joined = _word(before[-1]) and _word(after[0])
    return " " if gap and (joined or (before[-1] == after[0] and after[0] in "+-/")) else ""


def _word(character: str) -> bool:
    return character.isalnum() or character in "_$"
