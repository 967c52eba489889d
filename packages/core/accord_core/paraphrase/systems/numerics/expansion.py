"""Additional paraphrases of a sentence `NP V NP`, with added adjectives or different determiners (Pham et al., 2013,
*ground truth sets*).

The paper adds attributive adjectives and determiners that do not distort the meaning. Only a person can choose these
words, so a template lists the adjectives and determiners for each noun.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from accord_core.paraphrase.systems.numerics.contrast import Clause, NounPhrase, clause_text, parse_clause


class NounTemplate(NamedTuple):
    """The adjectives and determiners that can be used with a noun without distorting the meaning."""

    adjectives: Sequence[str] = ()
    determiners: Sequence[str] = ()


def expanded_sentences(sentence: str, templates: Mapping[str, NounTemplate]) -> list[str]:
    """Return the paraphrases that differ from a sentence in one noun phrase, first by an adjective and then by a
    determiner. `templates` contains lower-case nouns.

    An adjective is added to nouns without modifiers, directly before the noun. A determiner replaces the determiner of
    the noun phrase or is added to a noun without a determiner. *a* and *an* are corrected to match the next word,
    unless the sentence itself has *a* before a vowel. The result does not contain the sentence itself. Raises
    OutsidePattern.
    """
    clause = parse_clause(sentence)
    variants = [
        *(each for subject in (True, False) for each in _with_adjectives(clause, templates, subject=subject)),
        *(each for subject in (True, False) for each in _with_determiners(clause, templates, subject=subject)),
    ]
    texts = dict.fromkeys(clause_text(each, clause) for each in variants)
    texts.pop(clause_text(clause, clause), None)
    return list(texts)


def _with_adjectives(clause: Clause, templates: Mapping[str, NounTemplate], *, subject: bool) -> Iterator[Clause]:
    phrase = clause.subject if subject else clause.object
    for adjective in templates.get(phrase.noun.lower(), NounTemplate()).adjectives:
        if not phrase.modifiers:
            yield _with_phrase(clause, phrase._replace(modifiers=(adjective,)), subject=subject)


def _with_determiners(clause: Clause, templates: Mapping[str, NounTemplate], *, subject: bool) -> Iterator[Clause]:
    phrase = clause.subject if subject else clause.object
    for determiner in templates.get(phrase.noun.lower(), NounTemplate()).determiners:
        if determiner != phrase.determiner.lower():
            yield _with_phrase(clause, phrase._replace(determiner=determiner), subject=subject)


def _with_phrase(clause: Clause, phrase: NounPhrase, *, subject: bool) -> Clause:
    return clause._replace(subject=phrase) if subject else clause._replace(object=phrase)
