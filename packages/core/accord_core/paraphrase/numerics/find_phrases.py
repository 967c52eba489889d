"""Functions that search sentences for the phrases in a table, and choose one phrase per sentence (Pavlick et al., 2015,
§3).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from accord_core.numerics.draws import draw

_TOKEN = re.compile(r"\w+|[^\w\s]")

Tokens = tuple[str, ...]


class Match(NamedTuple):
    """An occurrence of a phrase in sentence number `sentence`, from character `start` to character `end`. `phrase` is
    spelled as in the table.
    """

    sentence: int
    start: int
    end: int
    phrase: str


def find_phrases(
    sentences: Sequence[tuple[str, str]],
    phrases: Iterable[str],
    *,
    per: int | None = None,
    per_domain: int | Mapping[str, int] | None = None,
    seed: int = 1,
) -> list[Match]:
    """Choose one phrase for each (sentence, domain), in sentence order. At most `per` sentences are chosen for each
    phrase and domain.

    Phrases match whole words, regardless of case. If one phrase contains another phrase, the longer phrase counts.
    `per` is the maximum number of sentences per phrase and domain, or None for no limit. `per_domain` is the maximum
    number of sentences in each domain, or in each of the named domains, or None for no limit. A sentence with several
    phrases is assigned to the phrase with the fewest sentences so far in its domain and, among several such phrases, to
    the rarest phrase. The seed determines the order of the sentences, so the chosen sentences of a domain are a
    random sample. Raises ValueError if one of the limits is below one.
    """
    if per is not None and per < 1:
        raise ValueError(f"The limit must be at least one sentence per phrase and domain, not {per}.")
    if isinstance(per_domain, int):
        per_domain = dict.fromkeys((domain for _, domain in sentences), per_domain)
    for domain, limit in (per_domain or {}).items():
        if limit < 1:
            raise ValueError(f"The limit for the domain {domain} must be at least one sentence, not {limit}.")
    phrase_by_tokens = _by_tokens(phrases)
    longest = max((len(tokens) for tokens in phrase_by_tokens), default=0)
    matches = [_matches(number, text, phrase_by_tokens, longest) for number, (text, _) in enumerate(sentences)]
    return sorted(_chosen(matches, [domain for _, domain in sentences], per, per_domain or {}, seed))


def _by_tokens(phrases: Iterable[str]) -> Mapping[Tokens, str]:
    known: dict[Tokens, str] = {}
    for phrase in phrases:
        tokens = tuple(token.casefold() for token in _TOKEN.findall(phrase))
        if tokens:
            known.setdefault(tokens, phrase)
    return known


def _matches(number: int, text: str, phrase_by_tokens: Mapping[Tokens, str], longest: int) -> list[Match]:
    """Return all phrases in the text, except phrases that are part of a longer phrase."""
    places = [(match.start(), match.end()) for match in _TOKEN.finditer(text)]
    tokens = tuple(text[start:end].casefold() for start, end in places)
    matches: list[Match] = []
    covered = 0
    for first in range(len(tokens)):
        for last in range(min(first + longest, len(tokens)), max(first, covered), -1):
            phrase = phrase_by_tokens.get(tokens[first:last])
            if phrase is not None:
                matches.append(Match(number, places[first][0], places[last - 1][1], phrase))
                covered = last
                break
    return matches


def _chosen(
    matches: Sequence[Sequence[Match]],
    domains: Sequence[str],
    per: int | None,
    per_domain: Mapping[str, int],
    seed: int,
) -> list[Match]:
    rarity = Counter((domains[number], phrase) for number, own in enumerate(matches) for phrase in _phrases(own))
    sentences_per_phrase: Counter[tuple[str, str]] = Counter()
    sentences_per_domain: Counter[str] = Counter()
    chosen = []
    for number in sorted(range(len(matches)), key=lambda number: draw(seed, "sentence", number)):
        domain = domains[number]
        if sentences_per_domain[domain] >= per_domain.get(domain, len(matches)):
            continue
        free = [each for each in matches[number] if per is None or sentences_per_phrase[domain, each.phrase] < per]
        if not free:
            continue
        best = min(
            free, key=lambda each: (sentences_per_phrase[domain, each.phrase], rarity[domain, each.phrase], each.start)
        )
        sentences_per_phrase[domain, best.phrase] += 1
        sentences_per_domain[domain] += 1
        chosen.append(best)
    return chosen


def _phrases(matches: Iterable[Match]) -> set[str]:
    return {each.phrase for each in matches}
