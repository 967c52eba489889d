"""Errors in the header of a file are reported together with the errors in its rows, so that one pass fixes both."""

import pytest

from annotate import tasktypes
from annotate.tasktypes import ItemDraft

ITEMS = {name: ItemDraft(name, {"text": name}, {}) for name in ("p1", "p2", "p3", "p4")}
LIMITS = {"rows": 100, "bytes": 10_000, "cell": 1_000}

# The task type, the kind of file, its text, a word in the error of the header, and the lines with errors in their rows.
FILES = [
    ("bws", "items", "id,words,gold_only\n1,a,maybe\n1,b,\n3,c,d,e\n", "text", [2, 3, 4]),
    ("bws", "gold", "Item1,Item2,Item3,Item4,BestItem,WorstItem\np1,p2,p9,p3,p1,p2\np1,p2,p3,p4,p1\n", "Expl", [2, 3]),
    ("bws", "gold", "id,Item1,Item2,Item3,BestItem,WorstItem\n1,p1,p2,p9,p1,p2\n1,p1,p2,p3,,p2\n", "Item4", [2, 3]),
    ("paraphrase", "items", "id,sentence,phrase,domain\n1,A dog,cat,x\n2,A dog,A,x,y\n", "paraphrases", [2, 3]),
    ("paraphrase", "gold", "id,sentence,phrase,synonyms\n1,A dog,cat,a|b|c\n2,A dog,A\n", "random_words", [2, 3]),
    ("words", "items", "id,src,target\n1,a,b\n1,c,d\n2,c,d,e\n", "source", [3, 4]),
    ("words", "gold", "id,source,target\n1,,b\n2,c,d\n2,c,d\n4,c,d,e\n", "gold", [2, 4, 5]),
    ("chunks", "items", "id,src,target\n1,a,b\n1,c,d\n2,c,d,e\n", "source", [3, 4]),
    ("chunks", "gold", "id,source,target\n1,[ a,[ b ]\n1,c,d\n2,c,d,e\n", "links", [2, 3, 4]),
]


@pytest.mark.parametrize(("name", "kind", "text", "header", "lines"), FILES)
def test_both_are_reported(name, kind, text, header, lines):
    task = tasktypes.get(name)
    options = task.clean_options({})
    if kind == "items":
        faults = task.read_items(text.encode(), "file.csv", options, LIMITS).faults
    else:
        faults = task.read_gold(text.encode(), "file.csv", options, ITEMS).faults
    of_header = [fault for fault in faults if fault.line in (None, 1)]
    assert len(of_header) == 1
    assert header in str(of_header[0])
    assert sorted({fault.line for fault in faults} - {None, 1}) == lines


def test_a_pair_before_the_line_that_adds_its_column_is_not_lost():
    text = '{"id": "1", "source": "a"}\n{"id": "2", "source": "a", "target": "b"}\n'
    read = tasktypes.get("words").read_items(text.encode(), "pairs.jsonl", {"tokenise": False}, LIMITS)
    assert [(fault.line, fault.column) for fault in read.faults] == [(1, "target")]
