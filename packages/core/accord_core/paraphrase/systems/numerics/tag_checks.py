"""Functions that check paraphrase sets with part-of-speech tags, including the parts of speech, the tense, and the
words that S and D sentences keep (Pham et al., 2013).

The sentences of the paper consist of nouns, verbs, adjectives and determiners, and the verb is in the present tense.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from accord_core.exchange.conllu import TaggedToken
from accord_core.paraphrase.systems.formats.pham import PARAPHRASE, SetSentence

NOUNS = frozenset(["NOUN", "PROPN"])
DETERMINERS = frozenset(["DET", "NUM"])  # The paper counts numerals such as “two” as determiners.
ALLOWED = NOUNS | DETERMINERS | {"ADJ", "VERB"}
PRESENT_TAGS, PAST_TAGS = frozenset(["VBZ", "VBP"]), frozenset(["VBD"])


class Violation(NamedTuple):
    """A sentence that breaks a rule. `rule` is the permanent name of the rule."""

    sentence: SetSentence
    rule: str
    message: str


class TagChecks(NamedTuple):
    """The violations in sentence order, and the numbers of checked sentences, of those without tags, and of those whose
    verb has no tense.
    """

    violations: list[Violation]
    checked: int
    without_tags: int
    without_tense: int


def tag_checks(sentences: Iterable[SetSentence], tagged: Mapping[str, Sequence[TaggedToken]]) -> TagChecks:
    """Check all sentences that have tags. `tagged` maps a sentence's comparable text (`comparable_text`) to its tokens.

    The rules are: `part-of-speech` (only nouns, verbs, adjectives, determiners and a final punctuation mark), `verb`
    (exactly one verb), `tense` (present tense), `structure` (a P sentence has the same sequence of nouns and verbs as
    most P sentences of its set), and `kept-words` (an S, D or SD sentence contains the nouns and the verb of a P
    sentence of its set).
    """
    violations: list[Violation] = []
    checked = without_tags = without_tense = 0
    listed = list(sentences)
    tokens_of = {each: tagged.get(comparable_text(each.text)) for each in listed}
    structures: dict[tuple[str, str], Counter[str]] = {}
    words: dict[tuple[str, str], list[Counter[str]]] = {}
    for each, tokens in tokens_of.items():
        if tokens is not None and each.kind == PARAPHRASE:
            structures.setdefault(each.set, Counter())[structure(tokens)] += 1
            words.setdefault(each.set, []).append(content_words(tokens))
    for each in listed:
        tokens = tokens_of[each]
        if tokens is None:
            without_tags += 1
            continue
        checked += 1
        rules = list(_form_violations(tokens))
        tenses = {tense(token) for token in tokens if token.upos == "VERB"}
        without_tense += "" in tenses
        if tenses - {"", "Pres"}:
            rules.append(("tense", "the verb is not in the present tense"))
        if each.kind == PARAPHRASE:
            common, _ = structures[each.set].most_common(1)[0]
            if structure(tokens) != common:
                rules.append(("structure", f"the structure {structure(tokens)} differs from {common} in the set"))
        elif each.set in words and content_words(tokens) not in words[each.set]:
            rules.append(("kept-words", "no P sentence of the set has the same nouns and the same verb"))
        violations += [Violation(each, rule, message) for rule, message in rules]
    return TagChecks(violations, checked, without_tags, without_tense)


def comparable_text(text: str) -> str:
    """Return a sentence in lower case without spaces and final punctuation, so that different tokenisations match."""
    return "".join(text.split()).casefold().rstrip(".!?")


def structure(tokens: Sequence[TaggedToken]) -> str:
    """Return the sequence of nouns and verbs, such as NOUN VERB NOUN. Adjacent nouns count as one noun."""
    names: list[str] = []
    before = ""
    for token in tokens:
        name = "NOUN" if token.upos in NOUNS else token.upos
        if name in ("NOUN", "VERB") and not (name == before == "NOUN"):
            names.append(name)
        before = name
    return " ".join(names)


def content_words(tokens: Sequence[TaggedToken]) -> Counter[str]:
    """Return the numbers of all nouns and verbs, in lower case."""
    return Counter(token.form.casefold() for token in tokens if token.upos in NOUNS or token.upos == "VERB")


def tense(token: TaggedToken) -> str:
    """Return the tense of a verb from its features or its Penn Treebank tag: Pres, Past, or the name of another form.
    If the tags contain no tense, return an empty string.
    """
    if token.feature("Tense") and token.feature("VerbForm") in ("", "Fin"):
        return token.feature("Tense")
    if token.xpos in PRESENT_TAGS:
        return "Pres"
    if token.xpos in PAST_TAGS:
        return "Past"
    form = token.feature("VerbForm")
    return "" if form in ("", "Fin") else form


def _form_violations(tokens: Sequence[TaggedToken]) -> list[tuple[str, str]]:
    body = tokens[:-1] if tokens and tokens[-1].upos == "PUNCT" else tokens
    rules = [
        ("part-of-speech", f"“{token.form}” is not a noun, verb, adjective or determiner, but has the tag {token.upos}")
        for token in body
        if token.upos not in ALLOWED
    ]
    verbs = [token.form for token in body if token.upos == "VERB"]
    if len(verbs) != 1:
        rules.append(("verb", f"the sentence has {len(verbs)} verbs instead of one"))
    return rules
