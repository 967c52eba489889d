"""The file format for paraphrase sets of Pham et al. (2013): the line `(I)`, followed by the line `1` and lines such as
`P 5 20 A man plays a guitar`.

The published file contains irregularities. Irregular lines are read, each irregularity results in a warning with its
line, and the file is written back byte for byte. Only lines that cannot be interpreted are errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault, in_order, raise_faults

KINDS = ("P", "S", "D", "SD")
PARAPHRASE = "P"

_ROMAN = re.compile(r"\(([IVXLCDM]+)\)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+")
_SENTENCE = re.compile(r"(?P<kind>SD|[PSD])(?P<numbers>(?:\s+[0-9]+){0,2})\s+(?P<text>\S.*)", re.IGNORECASE)
_ARTICLE = re.compile(r"\ba\s+[aeio]\w+", re.IGNORECASE)
_BLOCK = {"P": "P", "S": "S", "D": "changed", "SD": "changed"}
_CHANGED = re.compile(r"\bno\b", re.IGNORECASE)

Key = tuple[str, str]


class SetSentence(NamedTuple):
    """A sentence, and the paraphrase set that contains it. `set` contains the number of the set in Roman and Arabic
    numerals, and `kind` is P, S, D or SD.

    `numbers` contains the two numbers, or fewer, that precede the sentence in the file. The readme of the file does not
    explain these numbers. `line` is 0 for a sentence that does not come from a file.
    """

    set: Key
    kind: str
    numbers: tuple[str, ...]
    text: str
    line: int = 0


@dataclass(frozen=True, eq=False)
class ParaphraseSets:
    """The paraphrase sets in a file, with the sentences in order and the irregularities."""

    sentences: list[SetSentence]
    warnings: list[Fault] = field(default_factory=list)

    @property
    def keys(self) -> list[Key]:
        """Return the paraphrase sets, in order of first appearance."""
        return list(dict.fromkeys(each.set for each in self.sentences))


def read_paraphrase_sets(data: bytes, *, name: str) -> ParaphraseSets:
    """Return the paraphrase sets in a file. Raises TableError with every line that is not `(I)`, `1` or a sentence in a
    set.
    """
    text = open_text(data, name=name).read()
    reading = _Reading()
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        if line.strip():
            reading.take(number, line)
    if not reading.sentences and not reading.faults:
        reading.faults.append(Fault(None, None, "no sentence is marked as P, S, D or SD"))
    raise_faults(name, reading.faults)
    reading.look_at_sets()
    return ParaphraseSets(reading.sentences, in_order(reading.warnings))


def write_sentences(sentences: Iterable[SetSentence]) -> Iterator[str]:
    """Return the sentences in the strict format, in their original order.

    In the strict format, `(I)` and `1` are on separate lines, each preceded by a blank line. Blank lines also separate
    P sentences, S sentences and the other sentences, and one space separates the parts of a line.
    """
    roman = arabic = block = None
    first = True
    for each in sentences:
        if each.set[0] != roman:
            yield ("" if first else "\n") + (f"({each.set[0]})\n" if each.set[0] else "")
            roman, arabic, first = each.set[0], None, False
        if each.set[1] != arabic:
            yield f"\n{each.set[1]}\n"
        elif _BLOCK[each.kind] != block:
            yield "\n"
        arabic, block = each.set[1], _BLOCK[each.kind]
        yield " ".join([each.kind, *each.numbers, each.text]) + "\n"


class _Reading:
    """The reader's state between lines."""

    def __init__(self) -> None:
        self.sentences: list[SetSentence] = []
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.roman = ""
        self.arabic = ""
        self.line_of_set: dict[Key, int] = {}
        self.numbers_of_set: dict[Key, tuple[str, ...]] = {}

    def take(self, number: int, line: str) -> None:
        stripped = line.strip()
        if roman := _ROMAN.fullmatch(stripped):
            self.roman, self.arabic = roman[1].upper(), ""
        elif _NUMBER.fullmatch(stripped):
            self._begin_set(number, stripped)
        elif sentence := _SENTENCE.fullmatch(stripped):
            self._add(number, line, sentence)
        else:
            message = (
                "the line must be a heading such as (I), the number of a set, or a sentence such as P 5 20 A man plays"
            )
            self.faults.append(Fault(number, None, message))
            return
        if line != stripped:
            where = "before" if line[0].isspace() else "after"
            self._warn(number, f"the line has whitespace {where} the text")

    def look_at_sets(self) -> None:
        """Return the irregularities that can be detected only in a complete set."""
        counts: dict[Key, Counter[str]] = {key: Counter() for key in self.line_of_set}
        # New files need no numbers, because only the published file has them and their meaning is not documented.
        for each in self.sentences if any(each.numbers for each in self.sentences) else ():
            if len(each.numbers) < 2:
                amount = ("no number", "one number")[len(each.numbers)]
                self._warn(each.line, f"the sentence has {amount} instead of two")
        first_lines: dict[tuple[Key, bool, str], int] = {}
        for each in self.sentences:
            counts[each.set][each.kind] += 1
            earlier = first_lines.setdefault((each.set, each.kind == PARAPHRASE, each.text), each.line)
            if earlier != each.line:
                self._warn(each.line, f"the sentence is the same as on line {earlier}")
        for key, line in self.line_of_set.items():
            kinds = counts[key]
            if kinds[PARAPHRASE] < 2:
                many = "no P sentence" if not kinds[PARAPHRASE] else "only one P sentence"
                self._warn(line, f"the set has {many}, so it has no paraphrases to compare")
            if kinds.total() == kinds[PARAPHRASE]:
                self._warn(line, "the set has no S, D or SD sentence to compare its P sentences with")

    def _begin_set(self, number: int, arabic: str) -> None:
        self.arabic = arabic
        key = self.roman, arabic
        if not self.roman:
            self._warn(number, "the set has no heading such as (I) above it")
        earlier = self.line_of_set.setdefault(key, number)
        if earlier != number:
            self._warn(number, f"the set is already on line {earlier}. The two sets are read as one")

    def _add(self, number: int, line: str, match: re.Match[str]) -> None:
        if not self.arabic:
            self.faults.append(Fault(number, None, "the sentence comes before the number of its set"))
            return
        key = self.roman, self.arabic
        kind, numbers, text = match["kind"], tuple(match["numbers"].split()), match["text"]
        self.sentences.append(SetSentence(key, kind.upper(), numbers, " ".join(text.split()), number))
        if kind != kind.upper():
            self._warn(number, f"{kind} is read as {kind.upper()}")
        if len(numbers) == 2 and self.numbers_of_set.setdefault(key, numbers) != numbers:
            self._warn(number, f"the numbers differ from {' '.join(self.numbers_of_set[key])} in the same set")
        if re.search(r"\s\s|[^\S ]", line.strip()):
            self._warn(number, "the parts of the line must be separated by a single space")
        if article := _ARTICLE.search(text):
            self._warn(number, f"“{article[0]}” should probably have the article “an”. The sentence is read unchanged")
        if kind.upper() in ("P", "S") and (changed := _CHANGED.search(text)):
            self._warn(
                number, f"the sentence is marked as {kind.upper()}, but “{changed[0]}” suggests the kind D or SD"
            )

    def _warn(self, line: int, message: str) -> None:
        self.warnings.append(Fault(line, None, message))
