"""Measures of word alignments and of typed chunk alignments, and an aligner for parallel text and paraphrases.

Links are pairs (source, target) of token numbers, which start at 0.

>>> from accord_core.alignment import Alignment, symmetrize, word_scores
>>> gold = Alignment.of(sure=[(0, 0), (1, 1)], possible=[(2, 2)])
>>> system = Alignment.of(sure=[(0, 0), (2, 2), (3, 3)])
>>> round(word_scores([(gold, system)]).aer, 3)  # 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), Och and Ney (2003)
0.4
>>> sorted(symmetrize({(0, 0), (1, 1)}, {(0, 0), (1, 0)}, "intersect"))
[(0, 0)]
"""

from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.scores import IstsScores, ists_scores
from accord_core.pairs.numerics.links import (
    Alignment,
    Link,
    LinkCounts,
    WordScores,
    link_counts,
    link_f1,
    pair_f1,
    paper_scores,
    word_scores,
)
from accord_core.pairs.numerics.prealign import prealign
from accord_core.pairs.numerics.symmetrize import symmetrize
from accord_core.words.numerics.aggregation import majority, medoid

__all__ = [
    "Alignment",
    "ChunkLink",
    "IstsPair",
    "IstsScores",
    "Link",
    "LinkCounts",
    "WordScores",
    "ists_scores",
    "link_counts",
    "link_f1",
    "majority",
    "medoid",
    "pair_f1",
    "paper_scores",
    "prealign",
    "symmetrize",
    "word_scores",
]
