"""Features of parsed sentence pairs by part of speech, subject, object and noun phrase (STR-2021, §5, Q3 and Q4).

The function of each feature is in the name: `shared:NOUN` is the Dice coefficient of the nouns, and `related:NOUN` is
the cosine similarity of the mean word vectors of the nouns. Both are missing (NaN) if one of the sentences has no noun.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.numerics.pooling import cosines, pooled
from accord_core.exchange.conllu import TaggedToken

Floats = NDArray[np.float64]
Sentence = Sequence[TaggedToken]
Part = Callable[[Sentence], list[str]]

TAGS = ("PROPN", "NOUN", "ADJ", "VERB", "PRON", "ADV", "AUX", "ADP", "DET", "NUM", "INTJ", "SCONJ", "CCONJ", "PART")
GROUPS = {
    "noun_group": ("NOUN", "PRON", "PROPN"),
    "verb_group": ("VERB", "AUX"),
    "adjective_group": ("ADJ", "ADP", "ADV"),
}
# The labels in Universal Dependencies and in spaCy's English models, as in the extractor by de Vocht (2020).
SUBJECTS = {"nsubj", "nsubj:pass", "nsubjpass", "csubj", "csubj:pass", "csubjpass", "agent", "obl:agent", "expl"}
OBJECTS = {"obj", "dobj", "iobj", "dative", "attr", "oprd"}
NOMINAL = {"NOUN", "PROPN", "PRON"}
# These dependents precede their noun.
MODIFIERS = ("amod", "compound", "det", "flat", "nmod", "nummod", "poss", "predet", "quantmod")
PUNCTUATION = {"PUNCT", "SYM", "X"}
SHARE = 0.1


def parsed_features(
    first: Sequence[Sentence],
    second: Sequence[Sentence],
    vectors: Mapping[str, Floats] | None = None,
    *,
    share: float = SHARE,
) -> dict[str, Floats]:
    """Return the features (n,) of n parsed sentence pairs. Features with the prefix `related:` need word vectors.

    Parts of speech that occur in both sentences of at most `share` of the pairs are omitted, as in STR-2021 (footnote
    10). The number of noun phrases is the sum over both sentences.
    """
    features: dict[str, Floats] = {}
    for name, part in _parts().items():
        parts = [[part(sentence) for sentence in side] for side in (first, second)]
        in_both = sum(bool(one and other) for one, other in zip(*parts, strict=True))
        if name in TAGS and in_both <= share * len(first):
            continue
        if in_both:
            if vectors is not None:
                features[f"related:{name}"] = cosines(pooled(parts[0], vectors), pooled(parts[1], vectors))
            features[f"shared:{name}"] = _dice(*parts)
    phrases = [[noun_phrases(sentence) for sentence in side] for side in (first, second)]
    features["shared:noun_phrases"] = _dice(*phrases)
    features["noun_phrases"] = np.array([len(one) + len(other) for one, other in zip(*phrases, strict=True)], float)
    # Features of the same kind stay together, as in Table 4.
    return {name: features[name] for kind in ("related:", "shared:", "noun") for name in features if kind in name[:8]}


def noun_phrases(sentence: Sentence) -> list[str]:
    """Return a sentence's base noun phrases in lower case and in order, without determiners.

    The head of a noun phrase is a noun, a proper noun or a pronoun. The phrase ends with its head, and begins with the
    leftmost word of its modifiers, such as adjectives, numerals and possessors. A noun inside a longer phrase has no
    phrase of its own.
    """
    phrases: list[str] = []
    end = len(sentence)
    for head in reversed(range(len(sentence))):
        if head >= end or sentence[head].upos not in NOMINAL:
            continue
        modifiers = [place for place in range(head) if _is_modifier(sentence, place, head)]
        end = min([head, *(_left_edge(sentence, place) for place in modifiers)])
        words = [word.form.lower() for word in sentence[end : head + 1] if word.upos not in ("DET", "PUNCT")]
        phrases.append(" ".join(words))
    return phrases[::-1]


def _is_modifier(sentence: Sentence, place: int, head: int) -> bool:
    return sentence[place].head == head and sentence[place].relation.startswith(MODIFIERS)


def _left_edge(sentence: Sentence, place: int) -> int:
    """Return the position of the leftmost word that depends on the word at `place`, directly or indirectly."""
    edge, reached = place, {place}
    for other in reversed(range(place)):
        # In a parse without crossing links, the words of a modifier form an unbroken run.
        if sentence[other].head in reached:
            reached.add(other)
            edge = other
    return edge


def _parts() -> dict[str, Part]:
    parts: dict[str, Part] = {"all": lambda sentence: [word.form for word in sentence if word.upos not in PUNCTUATION]}
    parts |= {tag: _with_tags({tag}) for tag in TAGS}
    parts |= {name: _with_tags(set(tags)) for name, tags in GROUPS.items()}
    return parts | {"subject": _with_relations(SUBJECTS), "object": _with_relations(OBJECTS)}


def _with_tags(tags: set[str]) -> Part:
    return lambda sentence: [word.form for word in sentence if word.upos in tags]


def _with_relations(relations: set[str]) -> Part:
    return lambda sentence: [word.form for word in sentence if word.relation.lower() in relations]


def _dice(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]) -> Floats:
    """Return the Dice coefficient (n,) of the lower-cased words, or NaN if one of the lists is empty."""
    values = np.full(len(first), np.nan)
    for row, (one, other) in enumerate(zip(first, second, strict=True)):
        x, y = ({word.lower() for word in words} for words in (one, other))
        if x and y:
            values[row] = 2 * len(x & y) / (len(x) + len(y))
    return values
