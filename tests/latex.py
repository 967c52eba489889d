"""A reader of the LaTeX in texts about a study, which reports faults that would stop LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping

SIGNS = {
    r"\textbackslash": "\\",
    r"\textasciitilde": "~",
    r"\textasciicircum": "^",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
}
MATHS = {
    r"\alpha": "α",
    r"\kappa": "κ",
    r"\pi": "π",
    r"\rho": "ρ",
    r"\chi": "χ",
    r"\pm": "±",
    "-": "−",
    r"\times": "×",
    r"\leq": "≤",
    r"\geq": "≥",
}
PAIRS = {"--": "–", "''": '"'}  # characters that LaTeX joins
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\$[^$]*\$|[{}~^_&#%]|[^\\{}$~^_&#%]", re.DOTALL)


def typeset(source: str, macros: Mapping[str, str]) -> str:
    """Return the text of a paragraph. `macros` maps the names of macros to their text. Raises ValueError for faults."""
    tokens, text, depth, after_macro = TOKEN.findall(source), "", 0, False
    if "".join(tokens) != source:
        raise ValueError(f"unbalanced mathematics in {source!r}")
    cite, previous = False, ""
    for token in tokens:
        if after_macro and token.isspace():
            raise ValueError(f"LaTeX ignores the space after a macro in {source!r}")
        after_macro = False
        if token == "{":
            depth += 1
        elif token == "}":
            depth, cite = depth - 1, False
            if depth < 0:
                raise ValueError(f"a closing brace too many in {source!r}")
        elif token[0] == "$":
            text += MATHS[token[1:-1]]
        elif len(token) > 1 and token[1:].isalpha():
            after_macro = True
            cite = token == r"\citep"
            text += "" if cite else SIGNS[token] if token in SIGNS else macros[token]
        elif token[0] == "\\":
            if token[1] not in "&%$#_{}":
                raise ValueError(f"{token} in {source!r}")
            text += token[1]
        elif token in "~^_&#%":
            raise ValueError(f"an unescaped {token} in {source!r}")
        elif not cite:
            text = text[:-1] + PAIRS[previous + token] if previous + token in PAIRS else text + token
        previous = token
    if depth:
        raise ValueError(f"an unclosed brace in {source!r}")
    return text


def definitions(numbers: str) -> dict[str, str]:
    r"""Return the text of each macro in a file of `\newcommand` lines."""
    found = {}
    for line in numbers.splitlines():
        if not line or line.startswith("%"):
            continue
        match = re.fullmatch(r"\\newcommand\{(\\[a-zA-Z]+)\}\{(.*)\} % [^\n]+", line)
        if match is None or match[1] in found:
            raise ValueError(f"not a definition, or a second one: {line!r}")
        found[match[1]] = typeset(match[2], {})
    return found
