"""Parses of sentence pairs, read from a CoNLL-U file whose sentences are matched to the pairs, or created by a spaCy
model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord_core.exchange.conllu import TaggedSentence, TaggedToken
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.spacy_models import load_model, tagged_token

Words = list[list[TaggedToken]]


def parses_of(
    sentences: Iterable[TaggedSentence], pairs: Mapping[str, tuple[str, str]], *, name: str
) -> tuple[Words, Words]:
    """Return the words of all first sentences, followed by those of all second sentences, in item order.

    Accord matches a parsed sentence to an item's sentence by the comment `sent_id`, which is the item's ID followed by
    `:1` or `:2`. Otherwise, the comment `text`, or the words separated by spaces, must equal the sentence. Several
    parsed sentences can have the same `sent_id`, because a parser can divide a sentence. Raises TableError with the
    names of sentences that have no parse.
    """
    by_id: dict[str, list[TaggedToken]] = {}
    by_text: dict[str, list[TaggedToken]] = {}
    for sentence in sentences:
        key = sentence.comments.get("sent_id", "")
        words = by_id.setdefault(key, [])
        words += _shifted(list(sentence.tokens), len(words))
        for text in (sentence.comments.get("text", ""), " ".join(sentence.forms)):
            by_text.setdefault(_plain(text), list(sentence.tokens))
    sides: tuple[Words, Words] = ([], [])
    faults = []
    for item, texts in pairs.items():
        for side, text in enumerate(texts):
            words = by_id.get(f"{item}:{side + 1}") or by_text.get(_plain(text)) or []
            if not words:
                faults.append(
                    Fault(None, None, f"sentence {side + 1} of {item} has no parse (sent_id {item}:{side + 1})")
                )
            sides[side].append(words)
    raise_faults(name, faults)
    return sides


def parse_with_spacy(pairs: Mapping[str, tuple[str, str]], model: str) -> Iterator[TaggedSentence]:
    """Parse all sentences with a spaCy model, and yield each parse with the `sent_id` that `parses_of` expects.

    Raises MissingExtraError if spaCy is not installed, and TableError if the model is not installed.
    """
    parser = load_model(model, "Parsing")
    sentences = [(f"{item}:{side + 1}", text) for item, pair in pairs.items() for side, text in enumerate(pair)]
    documents = parser.pipe(text for _, text in sentences)
    for (key, text), document in zip(sentences, documents, strict=True):
        yield TaggedSentence(tuple(_words(document)), 0, {"sent_id": key, "text": text})


def _words(document: Sequence[Any]) -> list[TaggedToken]:
    """Return the words in a spaCy document. Whitespace tokens are omitted."""
    tokens = [token for token in document if not token.is_space]
    place = {token.i: number for number, token in enumerate(tokens)}
    return [tagged_token(token, -1 if token.head.i == token.i else place.get(token.head.i)) for token in tokens]


def _shifted(words: Sequence[TaggedToken], places: int) -> list[TaggedToken]:
    """Shift the positions of the words by `places`, which is the number of preceding words. The root's head does not
    change.
    """
    return [word if word.head is None or word.head < 0 else replace(word, head=word.head + places) for word in words]


def _plain(text: str) -> str:
    return " ".join(text.split())
