"""The columns in a table of sentence pairs, which the template file contains and uploads are matched against."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from accord_core.exchange.layout import FileColumn

FIRST = ("sentence 1", "sentence a", "text 1", "s1")
SECOND = ("sentence 2", "sentence b", "text 2", "s2", "translation")
PAIR_COLUMNS = (
    FileColumn("id", aliases=("item id", "pair id", "item", "pair", "number", "nr", "no"), example="pair-1"),
    FileColumn(
        "source", required=True, aliases=FIRST, also=("sentence1",), example="A dog sleeps .", label="first sentence"
    ),
    FileColumn(
        "target",
        required=True,
        aliases=SECOND,
        also=("sentence2",),
        example="A puppy is asleep .",
        label="second sentence",
    ),
    FileColumn("gold_only", aliases=("held out",)),
)
ARRANGEMENTS = (("source", "target"),)
GOLD_ID = replace(PAIR_COLUMNS[0], example="gold-1")
PREALIGNMENT = FileColumn("prealignment", aliases=("alignment", "initial links"))
GOLD = FileColumn("gold", required=True, aliases=("alignment", "expected links"), example="0-0 1-1 2?3 3-4")
LINKS = FileColumn(
    "links",
    required=True,
    aliases=("alignment", "expected links"),
    example="1 2 <==> 1 2 // SPE2 // 4;;3 <==> 3 4 // EQUI // 5;;4 <==> 5 // EQUI // 5",
)
CORPUS_COLUMNS = {"subcorpus", "corpus", "dataset", "genre", "register", "domain", "text type"}
EXPLANATION = FileColumn("explanation", aliases=("comment", "reason", "why"), example="Why this is right.")


def guessed_corpus(columns: Collection[str], option: str) -> dict[str, str]:
    """Return the value of the option for the metadata column with the subcorpus or dataset if exactly one column has a
    usual name for it.
    """
    found = [column for column in columns if column.strip().casefold() in CORPUS_COLUMNS]
    return {option: found[0]} if len(found) == 1 else {}
