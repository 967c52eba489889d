"""The tokenisation rules of the Penn Treebank, used to count the tokens in a sentence.

Source: the script `tokenizer.sed` of Robert MacIntyre (University of Pennsylvania, 1995), in the variant that NLTK
calls `TreebankWordTokenizer`. The rules are for English sentences. Punctuation marks, currency signs and clitics
(`'s`, `n't`, `'ll`) are tokens, and only the last full stop of a text is separated from its word.
"""

from __future__ import annotations

import re

Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*pairs: tuple[str, str]) -> Rules:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


# The order of the rules matters, because later rules look for the spaces that earlier rules insert.
_OPENING_QUOTES = _rules((r'^"', "``"), (r"``", " `` "), (r"([ (\[{<])(?:\"|'')", r"\1 `` "))
_PUNCTUATION = _rules(
    (r"([:,])(\D)", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.\.\.", " ... "),
    (r"([;@#$%&])", r" \1 "),
    (r"([^.])\.([\])}>\"']*)\s*$", r"\1 .\2 "),
    (r"([?!])", r" \1 "),
    (r"([^'])' ", r"\1 ' "),
)
_BRACKETS_AND_DASHES = _rules((r"([\]\[(){}<>])", r" \1 "), (r"--", " -- "))
_CLOSING_QUOTES = _rules((r"''|\"", " '' "))
_CLITICS = _rules(
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_CONTRACTIONS = _rules(
    (r"(?i)\b(can)(not)\b", r" \1 \2 "),
    (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
    (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
    (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
    (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
    (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
    (r"(?i)\b(more)('n)\b", r" \1 \2 "),
    (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r"(?i) ('t)(is)\b", r" \1 \2 "),
    (r"(?i) ('t)(was)\b", r" \1 \2 "),
)


def treebank_tokens(sentence: str) -> list[str]:
    """Return the tokens of an English sentence. Double quotation marks become `` or '', as in the Treebank."""
    text = _apply(_BRACKETS_AND_DASHES, _apply(_PUNCTUATION, _apply(_OPENING_QUOTES, sentence)))
    return _apply(_CONTRACTIONS, _apply(_CLITICS, _apply(_CLOSING_QUOTES, f" {text} "))).split()


def _apply(rules: Rules, text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
