"""The columns of a table of sentence pairs, for the form that matches the columns of an uploaded file."""

from __future__ import annotations

from annotate.exchange.layout import FileColumn

PAIR_COLUMNS = (
    FileColumn("id", aliases=("item id", "pair id", "identifier", "number", "nr", "no", "key")),
    FileColumn("source", True, aliases=("sentence 1", "sentence a", "text 1", "s1"), also=("sentence1",)),
    FileColumn(
        "target", True, aliases=("sentence 2", "sentence b", "text 2", "s2", "translation"), also=("sentence2",)
    ),
    FileColumn("gold_only", aliases=("held out",)),
)
PREALIGNMENT = FileColumn("prealignment", aliases=("alignment", "links"))
LINKS = FileColumn("links", required=True, aliases=("alignment", "expected links"))
