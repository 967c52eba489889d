"""Contrast sentences: variants of a sentence `NP V NP` that are not paraphrases of it (Pham et al., 2013,
*non-paraphrasing sets*).

For *A old man plays a guitar*, S swaps the nouns, D changes a determiner to *no*, and SD does both. Each variant
contains almost the same words but has a different meaning, so measures of meaning that consider only the words fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Adjectives = Literal["both", "with", "without"]
Kind = Literal["S", "D", "SD"]

SINGULAR = (
    "a",
    "an",
    "the",
    "every",
    "each",
    "another",
    "some",
    "this",
    "that",
    "my",
    "your",
    "his",
    "her",
    "its",
    "our",
    "their",
)
NEGATIVE = ("no", "neither")
PLURAL = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "many",
    "several",
    "both",
    "these",
    "those",
    "few",
    "all",
    "most",
)
# Words that are not nouns, adjectives, determiners or full verbs. A sentence that contains such a word does not have
# the form NP V NP.
FUNCTION_WORDS = frozenset(
    "is are was were be been being am has have had does do did will would can could shall should may might must "
    "not n't never to of in on at by with from for into onto over under up down off out about through around near "
    "behind along across between against as like than and or but nor so if when while because that's who which whose "
    "he she it they we you i him them us me himself herself itself themselves there here very too".split()
)
MOST_MODIFIERS = 3

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_END = re.compile(r"\s*[.!]?\s*\Z")
_VOWEL = re.compile(r"(?!(?:uni(?!n)|use|usu|eu|ewe|one|once|u-))[aeiou]|hour|honest|heir|hono", re.IGNORECASE)


class OutsidePattern(ValueError):
    """Error raised if a sentence cannot be parsed as NP V NP without guessing. The error message explains why the
    sentence cannot be parsed.
    """


class Contrast(NamedTuple):
    """A variant of a sentence, and its kind."""

    kind: Kind
    text: str


class NounPhrase(NamedTuple):
    """The parts of a noun phrase: the determiner (possibly empty), the modifiers and the noun. The capital letter at
    the start of a sentence is removed.
    """

    determiner: str
    modifiers: tuple[str, ...]
    noun: str


class Clause(NamedTuple):
    """The parts of a sentence `NP V NP`, and its final punctuation mark."""

    subject: NounPhrase
    verb: str
    object: NounPhrase
    end: str
    capital: bool


def contrast_sentences(sentence: str, *, adjectives: Adjectives = "both") -> list[Contrast]:
    """Return the S, D and SD variants of a sentence, in this order. Repeated variants and copies of the original
    sentence are excluded.

    S swaps the nouns `with` their adjectives, `without` their adjectives, or in both ways. Determiners keep their
    positions, but if the object has no determiner, the whole phrases are swapped. D changes one or both determiners to
    *no* or *some*, with at least one *no*. SD does both. *a* and *an* are corrected to match the next word, unless the
    sentence itself has *a* before a vowel, as in the published sets. Raises OutsidePattern.
    """
    clause = parse_clause(sentence)
    swaps = [swapped(clause, adjectives=with_them) for with_them in _ways(adjectives)]
    negated = list(_negated(clause))
    variants = [Contrast("S", clause_text(each, clause)) for each in swaps]
    variants += [Contrast("D", clause_text(each, clause)) for each in negated]
    for each in negated:
        variants += [Contrast("SD", clause_text(swapped(each, adjectives=way), clause)) for way in _ways(adjectives)]
    first: dict[str, Contrast] = {}
    for contrast in variants:
        first.setdefault(contrast.text, contrast)
    first.pop(clause_text(clause, clause), None)  # This swap would exchange a noun with itself.
    return list(first.values())


def parse_clause(sentence: str) -> Clause:
    """Return the parts of a sentence in the present tense with a singular subject. Raises OutsidePattern.

    The function does not use a dictionary. The verb is the only word that ends in -s and is followed by a determiner,
    or else the only word that could be a verb. If two words could be the verb, the sentence does not match the pattern.
    """
    body = _END.sub("", sentence)
    end = sentence[len(body) :].strip()
    tokens = body.split()
    if odd := next((token for token in tokens if not _WORD.fullmatch(token)), None):
        raise OutsidePattern(f"“{odd}” is not a plain word")
    if len(tokens) < 4:
        raise OutsidePattern("the sentence has fewer than four words")
    words = [token.lower() for token in tokens]
    _refuse_unfit(words)
    place = _verb(words)
    tokens[0] = words[0]
    start = place + 2 if words[place + 1] in SINGULAR else place + 1
    subject = _noun_phrase(tokens[0], tokens[1:place])
    object_ = _noun_phrase(tokens[place + 1] if start == place + 2 else "", tokens[start:])
    return Clause(subject, tokens[place], object_, end, sentence.lstrip()[:1].isupper())


def swapped(clause: Clause, *, adjectives: bool) -> Clause:
    """Swap the nouns of a clause, with or without their adjectives."""
    one, other = clause.subject, clause.object
    # If one of the nouns has no determiner, swapping could leave a countable noun without a determiner, as in “The
    # music plays man”.
    places = (one.determiner, other.determiner) if other.determiner else (other.determiner, one.determiner)
    if adjectives:
        subject = NounPhrase(places[0], other.modifiers, other.noun)
        object_ = NounPhrase(places[1], one.modifiers, one.noun)
    else:
        subject = NounPhrase(places[0], one.modifiers, other.noun)
        object_ = NounPhrase(places[1], other.modifiers, one.noun)
    return clause._replace(subject=subject, object=object_)


def _refuse_unfit(words: list[str]) -> None:
    if any(word in NEGATIVE for word in words):
        raise OutsidePattern("the sentence is already negated")
    if words[0] in PLURAL:
        raise OutsidePattern(f"“{words[0]}” makes the subject plural, which would not fit the verb after a swap")
    if words[0] not in SINGULAR:
        raise OutsidePattern("the sentence does not begin with a determiner")
    if unfit := next((word for word in words if word in FUNCTION_WORDS or word in PLURAL), None):
        raise OutsidePattern(f"“{unfit}” is not part of NP V NP")
    if len(places := [n for n, word in enumerate(words) if word in SINGULAR]) > 2:
        raise OutsidePattern(f"the sentence has {len(places)} determiners")


def _verb(words: list[str]) -> int:
    """Return the position of the verb in a sentence."""
    second = next((n for n, word in enumerate(words) if n and word in SINGULAR), None)
    if second is not None:
        if second < 3 or not _third_person(words[second - 1]):
            raise OutsidePattern(f"the word before “{words[second]}” is not a verb in -s")
        return second - 1
    possible = [n for n in range(2, len(words) - 1) if _third_person(words[n])]
    if len(possible) != 1:
        what = "no word" if not possible else " and ".join(f"“{words[n]}”" for n in possible)
        raise OutsidePattern(f"{what} could be the verb")
    after = words[possible[0] + 1 :]
    if len(after) > 1 and after[0].endswith("ing"):
        raise OutsidePattern(f"“{after[0]}” could be a participle")
    return possible[0]


def _third_person(word: str) -> bool:
    return len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "'s", "’s"))


def _noun_phrase(determiner: str, rest: list[str]) -> NounPhrase:
    if not rest:
        raise OutsidePattern("a noun is missing")
    if len(rest) > MOST_MODIFIERS + 1:
        raise OutsidePattern(f"“{' '.join(rest)}” has more than {MOST_MODIFIERS} modifiers")
    if rest[-1].endswith("ly"):
        raise OutsidePattern(f"“{rest[-1]}” could be an adverb")
    if _third_person(rest[-1]):
        raise OutsidePattern(f"“{rest[-1]}” looks like a plural, which would not fit the verb after a swap")
    return NounPhrase(determiner, tuple(rest[:-1]), rest[-1])


def _negated(clause: Clause) -> Iterator[Clause]:
    """Replace one or both determiners with *no* or *some*, so that the sentence contains at least one *no*. Nouns
    without a determiner do not get one.
    """
    subjects, objects = (
        (phrase, *(phrase._replace(determiner=new) for new in ("no", "some") if phrase.determiner))
        for phrase in (clause.subject, clause.object)
    )
    for subject in subjects:
        for object_ in objects:
            if "no" in (subject.determiner, object_.determiner):
                yield clause._replace(subject=subject, object=object_)


def _ways(adjectives: Adjectives) -> tuple[bool, ...]:
    return {"both": (True, False), "with": (True,), "without": (False,)}[adjectives]


def clause_text(clause: Clause, original: Clause) -> str:
    """Return the text of a clause, with the articles *a* and *an* used as in the original clause."""
    articles = _articles(original)
    words = [*_words(clause.subject, articles), clause.verb, *_words(clause.object, articles)]
    text = " ".join(words)
    return (text[0].upper() if clause.capital else text[0]) + text[1:] + clause.end


def _words(phrase: NounPhrase, articles: dict[str, str] | None) -> list[str]:
    rest = [*phrase.modifiers, phrase.noun]
    determiner = phrase.determiner
    if determiner.lower() in ("a", "an"):
        determiner = "a" if articles is None else articles.get(rest[0]) or ("an" if _VOWEL.match(rest[0]) else "a")
    return [determiner, *rest] if determiner else rest


def _articles(clause: Clause) -> dict[str, str] | None:
    """Return the sentence's indefinite article before a word. If the sentence uses *a* before a vowel, return None,
    because such a sentence never uses *an*.
    """
    articles = {}
    for phrase in (clause.subject, clause.object):
        first = (*phrase.modifiers, phrase.noun)[0]
        if phrase.determiner in ("a", "an"):
            articles[first] = phrase.determiner
            if phrase.determiner == "a" and _VOWEL.match(first):
                return None
    return articles
