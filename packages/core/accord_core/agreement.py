"""Agreement between annotators on labels, word links and chunk links, and whether a system can replace an annotator.

Krippendorff's example with four observers and missing labels (2011, “Computing Krippendorff's Alpha-Reliability”, C):
nominal α is .743 and interval α .849.

>>> import numpy as np
>>> from accord_core.agreement import krippendorff_alpha
>>> from accord_core.scores import Labels
>>> table = np.array([  # one row per observer, and 0 for no label
...     [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
...     [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
...     [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
...     [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
... ])
>>> observer, unit = np.nonzero(table)
>>> labels = Labels(unit, observer, table[observer, unit] - 1, n_items=12, n_annotators=4, n_labels=5)
>>> round(krippendorff_alpha(labels).value, 3)
0.743
>>> round(krippendorff_alpha(labels, "interval").value, 3)
0.849
"""

from accord_core.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from accord_core.numerics.agreement import agreement, fleiss_kappa, gwet_ac1, krippendorff_alpha, raw_agreement
from accord_core.numerics.alternative_annotator import AltTest, CannotTest, alternative_annotator_test, rivals
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.cohen import MeanKappa, cohen_kappa_means
from accord_core.words.numerics.agreement import AlignedPair, phrase_agreement, word_agreement

__all__ = [
    "AlignedPair",
    "AltTest",
    "CannotTest",
    "ChunkAnnotation",
    "Coefficient",
    "MeanKappa",
    "agreement",
    "alternative_annotator_test",
    "chunk_agreement",
    "cohen_kappa_means",
    "fleiss_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
    "phrase_agreement",
    "raw_agreement",
    "rivals",
    "word_agreement",
]
