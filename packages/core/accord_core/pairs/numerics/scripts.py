"""The script of sentences, such as Latin or Arabic."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

_JAPANESE = {"HIRAGANA": "CJK", "KATAKANA": "CJK"}  # A sentence mixes them with ideographs.


def script_of(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str | None:
    """Return the script of most letters, such as “Latin”, or None if there are no letters. The names of scripts are the
    first words of the letters' Unicode names. Japanese and Chinese are both “CJK”.
    """
    letters = Counter(letter for pair in pairs for side in pair for word in side for letter in word if letter.isalpha())
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        name = unicodedata.name(letter, "").partition(" ")[0]
        scripts[_JAPANESE.get(name, name if name == "CJK" else name.title())] += count
    return max(scripts, key=lambda name: (scripts[name], name)) if scripts else None
