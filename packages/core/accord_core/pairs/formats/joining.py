"""Conversion of two files, one with sure links and one with all links, into sure and possible links.

Some corpora are released as two files: one with the sure links, and one in which the possible links are merged into the
sure links.
"""

from __future__ import annotations

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.matching import match
from accord_core.pairs.numerics.links import Alignment


def joined(sure: Corpus, merged: Corpus) -> tuple[list[SentencePair], list[str]]:
    """Return the pairs in `sure` with the remaining links in `merged` as possible links, and notes about the matching.

    All links of a file count, whether the file marks them as sure or possible. Raises TableError if the pairs do not
    match, or if a sure link is missing from `merged`.
    """
    matched = match(sure, merged)
    pairs, faults = [], []
    for number, (pair, other) in enumerate(matched.pairs, start=1):
        certain, every = pair.alignment.links, other.alignment.links
        if missing := certain - every:
            source, target = min(missing)
            message = (
                f"pair {pair.id or number} has no link {source}-{target}, which is a sure link in {sure.name}. "
                "The second file must contain all links"
            )
            faults.append(Fault(other.line, None, message))
            continue
        pairs.append(
            pair._replace(
                source=pair.source or other.source,
                target=pair.target or other.target,
                alignment=Alignment(certain, every - certain),
            )
        )
    raise_faults(merged.name, faults)
    return pairs, matched.notes
