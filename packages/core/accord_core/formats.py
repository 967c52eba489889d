"""Readers and writers of annotation files. Readers take the bytes of a file, and its name for error messages.

A file with faults raises `TableError`, which lists each fault with its line and column.

>>> from accord_core.formats import TableError, read_annotations, read_labels
>>> text = b"Item1,Item2,Item3,Item4,BestItem,WorstItem\\nw,x,y,z,w,z\\nz,y,x,w,x,z\\n"
>>> file = read_annotations(text, name="answers.csv")
>>> file.items, file.judgements.best.tolist()
(['w', 'x', 'y', 'z'], [0, 1])

>>> read_labels(b"item,annotator,label\\n1,ann,yes\\n1,bob,no\\n", name="labels.csv").names
['no', 'yes']

>>> try:
...     read_annotations(text.replace(b"w,z\\n", b"v,z\\n"), name="answers.csv")
... except TableError as error:
...     print(error)
answers.csv, line 2, column BestItem: v is not one of the items in this row
"""

from accord_core.bws.formats import (
    AnnotationRow,
    Annotations,
    read_annotations,
    read_items,
    read_tuples,
    write_annotations,
    write_scores,
    write_tuples,
)
from accord_core.chunks.formats.ists import read_wa, write_wa
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.labels import LabelFile, read_labels
from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.registry import read_alignments, write_alignments

__all__ = [
    "AnnotationRow",
    "Annotations",
    "Corpus",
    "Fault",
    "LabelFile",
    "SentencePair",
    "TableError",
    "read_alignments",
    "read_annotations",
    "read_items",
    "read_labels",
    "read_tuples",
    "read_wa",
    "write_alignments",
    "write_annotations",
    "write_scores",
    "write_tuples",
    "write_wa",
]
