"""A chunker for English sentences with universal part-of-speech tags, which creates chunks in the style of
interpretable STS.

The chunks of the shared task are non-recursive (Abney 1991): a noun phrase up to its head, a preposition with its noun
phrase, or a group of verbs. Coordinated nouns form one chunk. Punctuation marks, conjunctions between clauses, and
adverbs outside other phrases are chunks of their own. The rules use only tags, verb forms and a few function words.
"""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.exchange.conllu import TaggedToken

Chunk = tuple[int, ...]

NOUNS = frozenset(["NOUN", "PROPN", "PRON", "NUM", "SYM", "X"])
NOMINAL = NOUNS | {"DET", "ADJ"}
VERBAL = frozenset(["VERB", "AUX"])
OF_COMPLEX = {
    ("in", "front"): "of",
    ("on", "top"): "of",
    ("in", "back"): "of",
    ("next",): "to",
    ("close",): "to",
    ("out",): "of",
    ("because",): "of",
    ("instead",): "of",
    ("along",): "with",
}
PARTICLES = frozenset("up down off out away over back around along through by".split())
RELATIVE = frozenset(["who", "which", "that", "whom", "where", "when"])


def chunks_of(tokens: Sequence[TaggedToken]) -> list[Chunk]:
    """Return the chunks of a sentence in order. Each chunk contains the numbers of adjacent tokens, starting at 0.

    Every token is in exactly one chunk. Raises ValueError if a token has no universal tag.
    """
    untagged = next((number for number, token in enumerate(tokens) if not token.upos), None)
    if untagged is not None:
        raise ValueError(f"the token {untagged + 1}, “{tokens[untagged].form}”, has no universal part-of-speech tag")
    chunks: list[Chunk] = []
    start = 0
    while start < len(tokens):
        end = _end(tokens, start)
        chunks.append(tuple(range(start, end)))
        start = end
    return chunks


def _end(tokens: Sequence[TaggedToken], start: int) -> int:
    """Return the end of the chunk that starts at a token: the position after the chunk's last token."""
    tag = tokens[start].upos
    if tag == "PUNCT" or (_word(tokens, start) in RELATIVE and tag in ("PRON", "SCONJ", "ADV", "DET")):
        return start + 1
    if (after := _complex_preposition(tokens, start)) is not None:
        return _noun_phrase(tokens, after) or after
    if tag == "ADP":
        after = start + 1
        while _tag(tokens, after) == "ADP" and _tag(tokens, after + 1) != "ADP":
            after += 1
        return _noun_phrase(tokens, after) or after
    if _word(tokens, start) == "there" and _tag(tokens, start + 1) in VERBAL:
        return _verb_group(tokens, start + 1)
    if tag == "ADV" and _tag(tokens, start + 1) == "DET":
        return _noun_phrase(tokens, start + 1) or start + 1
    if (tag in VERBAL and not _is_modifier(tokens, start)) or _begins_infinitive(tokens, start):
        return _verb_group(tokens, start)
    return _noun_phrase(tokens, start) or start + 1


def _complex_preposition(tokens: Sequence[TaggedToken], start: int) -> int | None:
    """Return the end of a multi-word preposition, such as *in front of*. Return None if there is no such
    preposition.
    """
    for words, last in OF_COMPLEX.items():
        size = len(words)
        if tuple(_word(tokens, start + n) for n in range(size)) == words and _word(tokens, start + size) == last:
            return start + size + 1
    return None


def _noun_phrase(tokens: Sequence[TaggedToken], start: int) -> int | None:
    """Return the end of the noun phrases that start at a token, including coordinated noun phrases. Return None if no
    noun phrase starts there.
    """
    end = _simple_noun_phrase(tokens, start)
    while end is not None and _tag(tokens, end) in ("CCONJ", "PUNCT"):
        after = end + 1
        if _tag(tokens, end) == "PUNCT":
            if _word(tokens, end) != ",":
                break
            after += _tag(tokens, after) == "CCONJ"
        another = _simple_noun_phrase(tokens, after)
        if another is None or not _coordinates(tokens, end, another):
            break
        end = another
    return end


def _coordinates(tokens: Sequence[TaggedToken], end: int, after: int) -> bool:
    """Return whether a comma or conjunction at `end` connects two noun phrases, where the second ends at `after`.

    A comma connects noun phrases only if a conjunction follows it or the second noun phrase.
    """
    if _tag(tokens, end) == "CCONJ" or _tag(tokens, end + 1) == "CCONJ":
        return True
    return _tag(tokens, after) == "CCONJ" or (_word(tokens, after) == "," and _tag(tokens, after + 1) in NOMINAL)


def _simple_noun_phrase(tokens: Sequence[TaggedToken], start: int) -> int | None:
    """Return the end of the noun phrase that starts at a token, or None if no noun phrase starts there."""
    end, noun = start, False
    while end < len(tokens):
        tag = tokens[end].upos
        if _word(tokens, end) in RELATIVE and end > start:
            break
        if tag in NOUNS:
            if noun and tag == "PRON" and tokens[end - 1].upos != "PRON":
                break
            noun = tag != "NUM" or _tag(tokens, end + 1) not in ("ADJ", "NUM")
        elif tag == "DET":
            if noun:
                break
        elif tag == "ADJ":
            if noun and _tag(tokens, end + 1) not in NOUNS:
                break
        elif tag == "ADV":
            if noun or _tag(tokens, end + 1) not in ("ADJ", "NUM"):
                break
        elif tag == "CCONJ":  # A conjunction of two adjectives before a noun: a black and white cat
            if noun or end == start or tokens[end - 1].upos not in ("ADJ", "NOUN") or _tag(tokens, end + 1) != "ADJ":
                break
        elif tag == "PART" and _word(tokens, end) in ("'s", "’s", "'"):
            noun = False
        elif not (tag == "VERB" and not noun and _is_modifier(tokens, end)):
            break
        end += 1
    return end if end > start else None


def _verb_group(tokens: Sequence[TaggedToken], start: int) -> int:
    """Return the end of a verb group, such as *is not standing up*."""
    end = start
    while end < len(tokens):
        tag = tokens[end].upos
        if tag == "VERB":
            end += 1
            break
        inside = tag == "AUX" or tag == "PART" or (tag == "ADV" and _tag(tokens, end + 1) in (*VERBAL, "PART"))
        if not inside:
            break
        end += 1
    if _begins_particle(tokens, end):
        end += 1
    return max(end, start + 1)


def _begins_particle(tokens: Sequence[TaggedToken], place: int) -> bool:
    """Return whether a token is a particle of the preceding verb, such as *up* in *is standing up*."""
    if _tag(tokens, place - 1) != "VERB" or _tag(tokens, place) not in ("ADP", "ADV"):
        return False
    if tokens[place].xpos == "RP" or tokens[place].relation == "compound:prt":
        return True
    if _word(tokens, place) in PARTICLES and _tag(tokens, place + 1) in ("ADP", "PUNCT", ""):
        return True
    return _tag(tokens, place) == "ADP" and _tag(tokens, place + 1) not in (*NOMINAL, "ADV", "VERB")


def _begins_infinitive(tokens: Sequence[TaggedToken], place: int) -> bool:
    return tokens[place].upos == "PART" and _tag(tokens, place + 1) in (*VERBAL, "PART", "ADV")


def _is_modifier(tokens: Sequence[TaggedToken], place: int) -> bool:
    """Return whether a participle modifies the next noun, as in *a fenced area*."""
    token = tokens[place]
    if token.upos != "VERB" or token.feature("VerbForm") not in ("Part", "Ger", ""):
        return False
    if not _word(tokens, place).endswith(("ing", "ed", "en", "n")):
        return False
    if _tag(tokens, place + 1) not in ("NOUN", "PROPN", "ADJ"):
        return False
    before = _tag(tokens, place - 1) if place else ""
    return before in ("", "DET", "ADJ", "NUM", "ADP") or (before == "PRON" and tokens[place - 1].xpos == "PRP$")


def _tag(tokens: Sequence[TaggedToken], place: int) -> str:
    return tokens[place].upos if 0 <= place < len(tokens) else ""


def _word(tokens: Sequence[TaggedToken], place: int) -> str:
    return tokens[place].form.lower() if 0 <= place < len(tokens) else ""
