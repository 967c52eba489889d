"""GIZA++ A3 files, which have three lines per pair. Accord reads this format but does not write it.

    # Sentence pair (1) source length 2 target length 3 alignment score : 3e-24
    la maison bleue
    NULL ({ 1 }) house ({ 2 }) blue ({ 3 })

The second line is the target sentence. The third line is the source sentence, in which each word is followed by the
numbers of its target tokens, starting at 1. A file contains only one direction, so each target token has at most one
link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, Ids, Links, SentencePair
from accord_core.pairs.formats.tabs import iter_lines
from accord_core.pairs.formats.tokens import split_tokens, token_fault

NAME = "giza"
HEAD = re.compile(
    r"# Sentence pair \((\d{1,9})\) source length (\d{1,9}) target length (\d{1,9}) alignment score : \S+\s*", re.ASCII
)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
Words = list[tuple[str, list[int]]]


def read_giza(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in file order. The number in a pair's header line is its ID. Raises TableError."""
    faults: list[Fault] = []
    pairs = []
    ids = Ids(faults)
    null = 0
    for line, head, lines in _blocks(list(iter_lines(data, name=name)), faults):
        key = str(int(head[1]))
        ids.add(key, line, None)
        target = tuple(split_tokens(lines[0]))
        words = _words(lines[1])
        if words is None:
            faults.append(
                Fault(
                    line + 2,
                    None,
                    "the line must have the form NULL ({ … }) word ({ 1 2 }) …, with an entry for each source word",
                )
            )
            continue
        before = len(faults)
        source = tuple(word for word, _ in words[1:])
        for place, tokens, length in ((line + 2, source, int(head[2])), (line + 1, target, int(head[3]))):
            if fault := token_fault(tokens):
                faults.append(Fault(place, None, fault))
            elif len(tokens) != length:
                message = (
                    f"the line has {with_noun(len(tokens), 'token')}, but the header on line {line} states {length}"
                )
                faults.append(Fault(place, None, message))
        if len(faults) > before:
            continue
        links = Links(faults, base=1, sizes=(len(source), len(target)))
        for number, (_, targets) in enumerate(words):
            for token in targets:
                links.add(number, token, possible=False, line=line + 2, column=None)
        null += links.null
        pairs.append(SentencePair(key, source, target, links.alignment(), line))
    raise_faults(name, faults)
    notes = [f"{with_noun(null, 'link')} to NULL excluded"] if null else []
    return Corpus(name, NAME, "numbers", pairs, notes)


def _blocks(lines: Sequence[str], faults: list[Fault]) -> Iterator[tuple[int, re.Match[str], Sequence[str]]]:
    """Yield the line number and text of each pair's header, and the next two lines, with the target and source
    sentences.
    """
    place = 0
    while place < len(lines):
        if not lines[place].strip():
            place += 1
        elif not (head := HEAD.fullmatch(lines[place])):
            message = f"this line must be a header such as “# Sentence pair (1) …”, not {shorten(lines[place])}"
            faults.append(Fault(place + 1, None, message))
            return
        elif place + 3 > len(lines):
            faults.append(Fault(place + 1, None, "the file ends within this pair. Each pair needs three lines"))
            return
        else:
            yield place + 1, head, lines[place + 1 : place + 3]
            place += 3


def _words(text: str) -> Words | None:
    """Return each source word, starting with NULL, with its linked target tokens, or None if the line has a different
    form.

    The line is read from the right, because a word can itself be `({` or `})`, and each word is followed by its own
    numbers.
    """
    pieces = split_tokens(text)
    words: Words = []
    while pieces:
        if pieces.pop() != "})":
            return None
        targets = []
        while pieces and _NUMBER.fullmatch(pieces[-1]):
            targets.append(int(pieces.pop()))
        if len(pieces) < 2 or pieces.pop() != "({":
            return None
        words.append((pieces.pop(), targets[::-1]))
    return words[::-1] if words and words[-1][0] == "NULL" else None
