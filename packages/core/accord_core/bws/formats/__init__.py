"""Readers and writers for best–worst files, for use without a server. See docs/formats.md.

Readers take tables or bytes, and report the line and column of every error. Writers yield a file in chunks of text.
Only the reader of annotations imports NumPy, because it returns arrays.
"""

from accord_core.bws.formats.annotations import (
    AnnotationRow,
    Annotations,
    annotation_columns,
    read_annotations,
    write_annotations,
)
from accord_core.bws.formats.gold import GoldRow, gold_columns, read_gold
from accord_core.bws.formats.items import (
    LONGEST_SENTENCE,
    MANY_WORDS,
    ItemRow,
    count_words,
    iter_items,
    read_item_names,
    read_items,
    read_plain_items,
)
from accord_core.bws.formats.scores import scores_table, write_scores
from accord_core.bws.formats.tuples import read_tuples, write_tuples

__all__ = [
    "LONGEST_SENTENCE",
    "MANY_WORDS",
    "AnnotationRow",
    "Annotations",
    "GoldRow",
    "ItemRow",
    "annotation_columns",
    "count_words",
    "gold_columns",
    "iter_items",
    "read_annotations",
    "read_gold",
    "read_item_names",
    "read_items",
    "read_plain_items",
    "read_tuples",
    "scores_table",
    "write_annotations",
    "write_scores",
    "write_tuples",
]
