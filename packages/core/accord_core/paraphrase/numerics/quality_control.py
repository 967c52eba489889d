"""Quality-control questions from WordNet, with synonyms for the sense used in the example sentence, and with random
words.

Source: Pavlick et al. (2015), §3, who use WordNet synonyms, the synset's own example as the sentence, and three
random words. The paper does not specify how to choose the random words. Here, each random word has the part of speech
and the frequency band of one of the synonyms, so that frequency does not reveal the synonyms, and is not a neighbour of
the phrase in WordNet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from accord_core.paraphrase.formats.quality_control import QualityRow
from accord_core.paraphrase.formats.wordnet import Synset, WordNet, band

SYNONYMS = 3
FEWEST_WORDS = 5
# Senses and synonyms that do not occur in the tagged texts are excluded, because annotators may not know such rare
# words.
COMMON = 1


class TooFewQuestions(ValueError):
    """Error raised if WordNet provides fewer suitable questions than were requested. The error message contains the
    number of suitable questions.
    """


def draw_quality_control(wordnet: WordNet, count: int, *, seed: int) -> list[QualityRow]:
    """Draw `count` questions without repeating a phrase or a synset. The same WordNet version, count and seed always
    produce the same questions.

    The phrase is a word of a synset in the synset's own example. The synonyms are the three most frequent other words
    of the synset. Raises ValueError if the count is below one, and TooFewQuestions if there are not enough questions.
    """
    if count < 1:
        raise ValueError(f"Draw at least one question, not {count}.")
    generator = np.random.default_rng([seed, 0x9C])
    possible = list(_possible(wordnet))
    questions: list[QualityRow] = []
    # The set contains both phrases and synsets, because two questions about the same synset would have the same
    # answers.
    used: set[object] = set()
    for number in generator.permutation(len(possible)).tolist():
        synset, example, phrase, synonyms = possible[number]
        if phrase in used or synset.id in used:
            continue
        random_words = _random_words(wordnet, synset, example, phrase, synonyms, generator)
        if random_words is None:
            continue
        used |= {phrase, synset.id}
        questions.append(_question(synset, example, phrase, synonyms, random_words))
        if len(questions) == count:
            return questions
    raise TooFewQuestions(
        f"This copy of WordNet provides only {len(questions):,} quality-control questions, not {count:,}."
    )


def _possible(wordnet: WordNet) -> Iterator[tuple[Synset, str, str, list[str]]]:
    """Yield (synset, example, phrase, synonyms) for each example that contains a word from its synset, if the synset
    has enough other words.

    If WordNet contains counts, the sense must occur in the tagged texts, and the synonyms must be frequent words.
    """
    counted = bool(wordnet.tagged)
    for synset in wordnet.synsets.values():
        for phrase in synset.words:
            if counted and not _is_tagged(wordnet, synset, phrase):
                continue
            synonyms = _synonyms(wordnet, synset, phrase, counted)
            if len(synonyms) < SYNONYMS:
                continue
            for example in synset.examples:
                if _shows(example, phrase, synonyms):
                    yield synset, example, phrase, synonyms


def _is_tagged(wordnet: WordNet, synset: Synset, phrase: str) -> bool:
    lemma = (phrase.casefold(), synset.id[0])
    counts = dict(zip(wordnet.senses.get(lemma, ()), wordnet.tagged.get(lemma, ()), strict=False))
    return counts.get(synset.id, 0) >= COMMON


def _synonyms(wordnet: WordNet, synset: Synset, phrase: str, counted: bool) -> list[str]:
    """Return the three most frequent other words in the synset, excluding spelling variants and longer forms of the
    phrase.
    """
    part = synset.id[0]
    others = {
        word.casefold(): word
        for word in synset.words
        if _letters(phrase) not in _letters(word) and _letters(word) not in _letters(phrase)
    }
    known = [word for word in others.values() if not counted or wordnet.frequency(word, part) >= COMMON]
    return sorted(known, key=lambda word: (-wordnet.frequency(word, part), word))[:SYNONYMS]


def _shows(example: str, phrase: str, synonyms: Sequence[str]) -> bool:
    """Return whether the example is long enough, contains the phrase exactly once as a whole word, and contains no
    synonym.
    """
    if len(example.split()) < FEWEST_WORDS or example.count(phrase) != 1:
        return False
    return _holds(example, phrase) and not any(_holds(example, word) for word in synonyms)


def _random_words(
    wordnet: WordNet, synset: Synset, example: str, phrase: str, synonyms: Sequence[str], generator: np.random.Generator
) -> list[str] | None:
    """Draw one random word for each synonym, with the same part of speech and frequency band. If one of the frequency
    bands has no suitable word, return None.
    """
    part = synset.id[0]
    near = wordnet.neighbourhood(phrase)
    words: list[str] = []
    for synonym in synonyms:
        pool = wordnet.by_band.get((part, band(wordnet.frequency(synonym, part))), [])
        for place in generator.permutation(len(pool)).tolist():
            word = pool[place]
            if word not in words and not _holds(example, word) and near.isdisjoint(wordnet.neighbourhood(word)):
                words.append(word)
                break
        else:
            return None
    return words


def _question(
    synset: Synset, example: str, phrase: str, synonyms: Sequence[str], random_words: Sequence[str]
) -> QualityRow:
    part, offset = synset.id
    explanation = (
        f"Here “{phrase}” means “{synset.definition}”; {', '.join(synonyms[:-1])} and {synonyms[-1]} can have this "
        f"meaning."
    )
    return QualityRow(
        f"wordnet-{part}{offset:08}",
        example,
        phrase,
        example.index(phrase),
        list(synonyms),
        list(random_words),
        explanation,
    )


def _holds(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def _letters(word: str) -> str:
    return re.sub(r"\W", "", word).casefold()
