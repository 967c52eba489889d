"""A phrase in a sentence, with candidate paraphrases. Items and gold questions share this structure."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.exchange.cells import is_empty, shorten
from accord_core.exchange.faults import Fault
from accord_core.exchange.spellings import reason_not_found
from accord_core.exchange.tables import Row

MOST_CANDIDATES = 200
LONGEST_PHRASE = 200
SEPARATOR = "|"
_ALSO_SEPARATES = ";"  # in a cell without the separator
_MAY_SEPARATE = re.compile("[,/]")  # or belong to a candidate
_WHOLE = re.compile(r"(\d+)(?:\.0+)?", re.ASCII)  # pandas writes 12.0 in a column with empty cells


class PhraseChecks:
    """A reader for the cells of a row, which adds errors to `faults`. `longest` is the maximum number of characters in
    a sentence.

    A candidate that equals the phrase is an error unless `warnings` is set. In this case, the candidate is added to the
    warnings, because some published collections of substitutes contain such rows with votes.
    """

    def __init__(self, faults: list[Fault], longest: int, warnings: list[Fault] | None = None) -> None:
        self.faults = faults
        self.longest = longest
        self.warnings = warnings

    def sentence(self, row: Row, column: str) -> str:
        text = row.values.get(column, "")
        if not text.strip():
            self._fault(row, column, "the cell is empty")
        elif len(text) > self.longest:
            self._fault(
                row, column, f"the sentence has {len(text):,} characters, more than the limit of {self.longest:,}"
            )
        return text

    def phrase(self, row: Row, column: str) -> str:
        text = row.values.get(column, "").strip()
        if not text:
            self._fault(row, column, "the cell is empty")
        elif len(text) > LONGEST_PHRASE:
            self._fault(
                row, column, f"the phrase has {len(text):,} characters, more than the limit of {LONGEST_PHRASE}"
            )
        return text

    def start(self, row: Row, column: str | None, phrase_column: str, sentence: str, phrase: str) -> int:
        """Return the phrase's offset in characters (code points), counted from 0. If the row has no offset, the phrase
        must occur exactly once in the sentence. Otherwise, the error names `phrase_column`, because the file may not
        contain `column`.
        """
        cell = row.values.get(column, "").strip() if column else ""
        if not sentence.strip() or not phrase:
            return 0  # already reported
        places = occurrences(sentence, phrase)
        if is_empty(cell):
            return self._only_place(row, phrase_column, sentence, phrase, places)
        if not (whole := _WHOLE.fullmatch(cell)):
            self._fault(
                row, column, f"{shorten(cell)} is not a whole number. The offset is in characters, starting at 0"
            )
            return 0
        start = int(whole[1])
        if not sentence.startswith(phrase, start):
            actual = sentence[start : start + len(phrase)]
            difference = (
                f"the sentence has “{shorten(actual)}” at this position"
                if actual
                else "the sentence ends before this position"
            )
            self._fault(row, column, f"“{shorten(phrase)}” is not at character {start}: {difference}{_way(places)}")
        return start

    def candidates(self, row: Row, column: str, phrase: str) -> list[str]:
        """Return the texts in a list. Empty and repeated texts (ignoring case) are reported as errors."""
        faults_before = len(self.faults)
        texts = self.texts(row, column)
        if not texts and len(self.faults) == faults_before:
            self._fault(row, column, "the cell is empty. A question needs at least one candidate")
        if len(texts) > MOST_CANDIDATES:
            self._fault(row, column, f"the row has {len(texts):,} candidates, more than the limit of {MOST_CANDIDATES}")
        earlier_texts: set[str] = set()
        for number, text in enumerate(texts, start=1):
            folded = text.casefold()
            if not text:
                self._fault(row, column, f"candidate {number} is empty")
            elif len(text) > LONGEST_PHRASE:
                self._fault(
                    row,
                    column,
                    f"candidate {number} has {len(text):,} characters, more than the limit of {LONGEST_PHRASE}",
                )
            elif folded == phrase.casefold():
                same = Fault(row.line, column, f"candidate {number}, “{shorten(text)}”, is the phrase itself")
                (self.faults if self.warnings is None else self.warnings).append(same)
            elif folded in earlier_texts:
                self._fault(row, column, f"candidate {number}, “{shorten(text)}”, is already in the list")
            earlier_texts.add(folded)
        return texts

    def texts(self, row: Row, column: str) -> list[str]:
        """Return the list in a cell with either JSON or values separated by `|` or, without `|`, by `;`. Surrounding
        spaces are removed from each text.
        """
        cell = row.values.get(column, "").strip()
        if not cell:
            return []
        if not (cell.startswith("[") and cell.endswith("]")):
            texts = [text.strip() for text in cell.split(SEPARATOR if SEPARATOR in cell else _ALSO_SEPARATES)]
            if len(texts) == 1 and self.warnings is not None and _MAY_SEPARATE.search(cell):
                message = f"“{shorten(cell)}” is one candidate. Separate several candidates with semicolons"
                self.warnings.append(Fault(row.line, column, message))
            return texts
        try:
            texts = _python_list(cell) or json.loads(cell)
        except json.JSONDecodeError as error:
            self._fault(row, column, f"character {error.pos + 1}: not a JSON list ({error.msg})")
            return []
        except (ValueError, RecursionError):
            self._fault(row, column, "the JSON list contains a number with too many digits, or too many nested lists")
            return []
        wrong = next((text for text in texts if not isinstance(text, str)), None)
        if wrong is not None:
            self._fault(row, column, f"{shorten(json.dumps(wrong))} is not text. The list can contain only texts")
            return []
        return [text.strip() for text in texts]

    def _only_place(self, row: Row, column: str, sentence: str, phrase: str, places: Sequence[int]) -> int:
        if len(places) > 1:
            where = ", ".join(map(str, places[:5])) + (", …" if len(places) > 5 else "")
            message = (
                f"“{shorten(phrase)}” occurs {len(places)} times in the sentence. "
                f"Add a column start with its position: {where}"
            )
            self._fault(row, column, message)
        elif not places:
            reason = reason_not_found(sentence, phrase)
            ending = f": {reason}" if reason else ""
            self._fault(row, column, f"“{shorten(phrase)}” does not occur in the sentence{ending}")
        return places[0] if places else 0

    def _fault(self, row: Row, column: str | None, message: str) -> None:
        self.faults.append(Fault(row.line, column, message))


def occurrences(sentence: str, phrase: str) -> list[int]:
    """Return every character offset at which the phrase begins, including overlapping occurrences."""
    places = []
    place = sentence.find(phrase)
    while phrase and place >= 0:
        places.append(place)
        place = sentence.find(phrase, place + 1)
    return places


def in_parts(content: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the text before the phrase, the phrase itself, and the text after it."""
    sentence: str = content["sentence"]
    start, end = content["start"], content["start"] + len(content["phrase"])
    return sentence[:start], sentence[start:end], sentence[end:]


def joined(texts: Sequence[str]) -> str:
    """Return a list as text for a cell. The values are separated by `|` if the list can be restored from this format,
    and otherwise written as JSON.
    """
    plain = SEPARATOR.join(texts)
    clear = not any({SEPARATOR, _ALSO_SEPARATES} & {*text} or text != text.strip() or not text for text in texts)
    return plain if clear and not plain.startswith("[") else json.dumps(list(texts), ensure_ascii=False)


def _way(places: Sequence[int]) -> str:
    if not places:
        return ". The phrase does not occur in the sentence"
    return f". The phrase is at {', '.join(map(str, places[:5]))} (in characters, starting at 0)"


def _python_list(cell: str) -> list[Any] | None:
    """Return the list in a cell such as ['buy', 'get'], which pandas writes for lists, or None for any other cell."""
    if not cell.startswith(("['", '["')):
        return None
    try:
        texts = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return texts if isinstance(texts, list) and all(isinstance(text, str) for text in texts) else None
