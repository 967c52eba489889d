"""Sentences as tokens. Tokenised sentences are split at spaces, and other sentences are split by the built-in
tokeniser.

The tokeniser does not depend on the language. It uses only the Unicode properties of each character, so the result is
the same on every machine:

- Words consist of letters, digits and combining marks. A word can contain apostrophes and hyphens (don't, well-known),
  a number can contain full stops or commas (3.14, 1,000), and full stops can follow single letters (U.S., e.g.).
- Each Chinese or Japanese character is a separate token.
- All other characters are separate tokens, but a repeated character (…, --, !!) is a single token.

The tokeniser does not change or remove any text. The tokens are the text without its spaces, and tokenising the tokens
again does not change them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

LONGEST_SENTENCE = 100
"""Maximum number of tokens in a sentence to be annotated. The alignment editor cannot display longer sentences clearly.
"""

# Each of these letters represents a class of characters. The tokeniser splits the text at characters in the class
# OTHER.
LETTER, DIGIT, MARK, JOINER, IDEOGRAPH = "LDMJC"
APOSTROPHE, HYPHEN, FULL_STOP, COMMA, FLAG, SPACE, OTHER = "AHPKFSO"

_SIGNS = {
    **dict.fromkeys("'’·׳״", APOSTROPHE),  # in don't, col·lega, צה״ל
    **dict.fromkeys("-\u2010\u2011\u058a\u05be", HYPHEN),
    ".": FULL_STOP,
    **dict.fromkeys(",\u066b\u066c", COMMA),
    "\u200d": JOINER,
    **dict.fromkeys("\u200b\ufeff", SPACE),  # invisible, and not part of a word
}
_CATEGORIES = {"Nd": DIGIT, "Zs": SPACE, "Zl": SPACE, "Zp": SPACE, "Cc": SPACE, "Cf": MARK}
_IDEOGRAPHS = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u309d-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
_SKIN_TONES = "\U0001f3fb-\U0001f3ff"
_MARKS = re.compile(f"[{_SKIN_TONES}]")
_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]")
# Hebrew acronyms are often typed with a straight quotation mark inside the word.
_GERSHAYIM = re.compile('(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])')

_TOKEN = re.compile(
    r"""
      L[MJ]* (?: P L[MJ]* )+ P? (?![LDMJ])                                       # U.S., e.g.
    | [LD][MJ]* (?: [LD][MJ]* | [AH](?=[LD]) | (?<=D)[PK](?=D) )*                # words and numbers
    | C[MJ]*
    | FF                                                                         # flag of a country, from two letters
    | [MJ]+                                                                      # marks without a base character
    | (?P<other> [AHPKFO] (?: [MJ]+ (?: (?<=J)O[MJ]* )* )? )                     # emoji may be joined
    """,
    re.VERBOSE,
)
_BLANKS = re.compile(r"[ \t]+")
_WHITE_SPACE = re.compile(r"\s")


def tokenise(text: str) -> list[str]:
    """Return the tokens of an untokenised sentence, in order."""
    return list(_tokens(text, _parts(text)))


def split_tokens(text: str) -> list[str]:
    """Return the tokens of a tokenised sentence, which are separated by spaces and tabs.

    Other programs do not split at other whitespace, such as a no-break space. Such characters are kept, and
    `token_fault` reports them.
    """
    return [token for token in _BLANKS.split(text) if token]


def are_untokenised(texts: Iterable[str]) -> bool:
    """Return whether more punctuation is attached to words than separated from them by spaces, as in “Stay here.”."""
    attached = separate = 0
    for text in texts:
        for token in text.split():
            parts = tokenise(token)
            if parts and not (_is_word(parts[0]) and _is_word(parts[-1])):
                attached += len(parts) > 1
                separate += len(parts) == 1
    return attached > separate


def token_fault(tokens: Sequence[str], *, longest: int | None = None) -> str | None:
    """Return the error in a sentence, or None if it is valid. A sentence must not be empty or too long, and tokens must
    not contain whitespace.
    """
    if not tokens:
        return "the sentence is empty"
    if longest is not None and len(tokens) > longest:
        return f"the sentence has {len(tokens)} tokens, more than the limit of {longest}. Split or shorten the sentence"
    for number, token in enumerate(tokens):
        if not token:
            return f"token {number} is empty (token numbers start at 0)"
        if space := _WHITE_SPACE.search(token):
            return f"token {number} contains whitespace (U+{ord(space[0]):04X}; token numbers start at 0): {token!r}"
    return None


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))


def _tokens(text: str, parts: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(parts, place)
        if found is None:  # a space
            place += 1
            continue
        end = found.end()
        if found["other"] and end == place + 1:
            while end < len(text) and text[end] == text[place]:
                end += 1
        yield text[place:end]
        place = end


def _parts(text: str) -> str:
    parts = [_part(character) for character in text]
    for found in _GERSHAYIM.finditer(text):
        parts[found.start()] = APOSTROPHE
    return "".join(parts)


def _part(character: str) -> str:
    if sign := _SIGNS.get(character):
        return sign
    if _IDEOGRAPHS.match(character):
        return IDEOGRAPH
    if _MARKS.match(character):
        return MARK
    if _FLAGS.match(character):
        return FLAG
    category = unicodedata.category(character)
    return _CATEGORIES.get(category) or {"L": LETTER, "N": LETTER, "M": MARK}.get(category[0], OTHER)
