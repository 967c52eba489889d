"""Functions that swap a file's source and target sentences, and match the files for the two directions."""

from __future__ import annotations

from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.matching import match, refuse_links_outside
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.symmetrize import Method, symmetrize


def transposed(corpus: Corpus) -> Corpus:
    """Return the pairs with their source and target swapped, in both the sentences and the links."""
    pairs = [
        pair._replace(
            source=pair.target,
            target=pair.source,
            alignment=Alignment.of(
                ((target, source) for source, target in pair.alignment.sure),
                ((target, source) for source, target in pair.alignment.possible),
            ),
        )
        for pair in corpus.pairs
    ]
    return Corpus(corpus.name, corpus.format, corpus.ids, pairs, corpus.notes)


def symmetrized(forward: Corpus, backward: Corpus, method: Method) -> tuple[list[SentencePair], list[str]]:
    """Return the pairs of `forward` with the merged links of both files, and notes about the matching.

    Both files must have the same source sentences (see `transposed`). The distinction between sure and possible links
    is lost, because aligners do not make it. Raises TableError if the pairs of the files do not match, or
    if a link of `backward` is outside the sentences of `forward`.
    """
    matched = match(forward, backward)
    refuse_links_outside(matched.pairs, backward.name)
    pairs = [
        one._replace(
            source=one.source or other.source,
            target=one.target or other.target,
            alignment=Alignment(symmetrize(one.alignment.links, other.alignment.links, method)),
        )
        for one, other in matched.pairs
    ]
    return pairs, matched.notes
