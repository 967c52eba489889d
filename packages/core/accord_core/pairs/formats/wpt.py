"""The WPT format of the shared tasks at NAACL 2003 and ACL 2005, with one line per link.

    18 1 1 S
    18 2 3 P 0.7

The columns are the pair, the source token, the target token, S (sure, the default) or P (possible), and optionally a
confidence. All numbers start at 1, and token 0 is NULL. A pair without links has no line. The sentences are in two
separate files with lines such as <s snum=18> They had gone . </s>.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, Ids, Links, SentencePair, Tokens, each_link
from accord_core.pairs.formats.places import UNKNOWN, by_number, numbers_of
from accord_core.pairs.formats.tabs import iter_lines
from accord_core.pairs.formats.tokens import split_tokens, token_fault

NAME = "wpt"
MOST_PAIRS = 1_000_000
LINE = re.compile(
    r"\s*(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})(?:\s+([SP]))?(?:\s+([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))?\s*",
    re.ASCII | re.IGNORECASE,
)
SENTENCE = re.compile(r'\s*<s\s+snum="?(\d{1,9})"?\s*>(.*)</s>\s*', re.ASCII | re.IGNORECASE)


def read_wpt(data: bytes, *, name: str, sentences: Corpus | None = None) -> Corpus:
    """Return the pairs in a file, by number. A pair whose number does not occur in the file has no links. Raises
    TableError.

    With sentences, the result has one pair per sentence pair. Without sentences, the highest number in the file is the
    number of pairs.
    """
    faults: list[Fault] = []
    known = by_number(sentences)
    links: dict[int, Links] = {}
    first_line: dict[int, int] = {}
    confidences = 0
    for line, text in enumerate(iter_lines(data, name=name), start=1):
        if not text.strip():
            continue
        found = LINE.fullmatch(text)
        if found is None:
            message = (
                f"{shorten(text.strip())!r} is not a link. Write the pair, the source "
                "token, the target token, and S or P, as in 18 1 2 S"
            )
            faults.append(Fault(line, None, message))
            continue
        pair, source, target = (int(number) for number in found.groups()[:3])
        if fault := _unknown_pair(pair, known, sentences):
            faults.append(Fault(line, None, fault))
            continue
        if pair not in links:
            links[pair] = Links(faults, base=1, sizes=known[pair].sizes if known else None)
            first_line[pair] = line
        possible = (found[4] or "S").upper() == "P"
        links[pair].add(source, target, possible=possible, line=line, column=None, text=f"{source} {target}")
        confidences += found[5] is not None
    raise_faults(name, faults)
    everything = known or {number: UNKNOWN._replace(id=str(number)) for number in range(1, max(links, default=0) + 1)}
    pairs = [
        words._replace(alignment=links[number].alignment(), line=first_line[number])
        if number in links
        else words._replace(line=None)
        for number, words in everything.items()
    ]
    notes = []
    if null := sum(found.null for found in links.values()):
        notes.append(f"{with_noun(null, 'link')} to NULL excluded")
    if confidences:
        notes.append(f"confidence of {with_noun(confidences, 'link')} excluded")
    if missing := len(pairs) - len(links):
        notes.append(f"{with_noun(missing, 'pair')} without a line counted as pairs without links")
    return Corpus(name, NAME, sentences.ids if sentences else "numbers", pairs, notes)


def write_wpt(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """Yield one line per link. Pairs are numbered by their IDs if all IDs are numbers, and otherwise by position."""
    for number, pair in _numbered(pairs):
        for i, j, possible in each_link(pair.alignment):
            yield f"{number} {i + 1} {j + 1} {'P' if possible else 'S'}\n"


def read_wpt_sentences(data: bytes, *, name: str) -> list[tuple[str, Tokens, int]]:
    """Return (number, tokens, line) for each sentence in a file with lines such as `<s snum=1> … </s>`. Raises
    TableError.
    """
    faults: list[Fault] = []
    found = []
    ids = Ids(faults)
    for line, text in enumerate(iter_lines(data, name=name), start=1):
        if not text.strip():
            continue
        sentence = SENTENCE.fullmatch(text)
        if sentence is None:
            faults.append(Fault(line, None, "a line must have the form <s snum=1> … </s>, with the number of the pair"))
            continue
        key, tokens = str(int(sentence[1])), tuple(split_tokens(sentence[2]))
        ids.add(key, line, None)
        if fault := token_fault(tokens):
            faults.append(Fault(line, None, fault))
        found.append((key, tokens, line))
    raise_faults(name, faults)
    return found


def write_wpt_sentences(pairs: Iterable[SentencePair]) -> tuple[list[str], list[str]]:
    """Return the lines of the source and target files, numbered as in `write_wpt`. Every pair must include its
    sentences."""
    numbered = list(_numbered(pairs))
    source, target = (
        [f"<s snum={number}> {' '.join(words)} </s>\n" for number, words in side]
        for side in (
            [(number, pair.source or ()) for number, pair in numbered],
            [(number, pair.target or ()) for number, pair in numbered],
        )
    )
    return source, target


def _numbered(pairs: Iterable[SentencePair]) -> Iterator[tuple[int, SentencePair]]:
    found = list(pairs)
    return zip(numbers_of(found) or range(1, len(found) + 1), found, strict=True)


def _unknown_pair(pair: int, known: dict[int, SentencePair] | None, sentences: Corpus | None) -> str | None:
    if sentences is not None and known is not None and pair not in known:
        return f"pair {pair} is not in {sentences.name}, which has {with_noun(len(known), 'sentence pair')}"
    if pair == 0:
        return "pair 0 does not exist, because pair numbers start at 1"
    if pair > MOST_PAIRS:
        return f"pair {pair:,} is above the limit of {MOST_PAIRS:,}. Add the sentences, or number the pairs from 1"
    return None
