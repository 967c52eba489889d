"""Texts that look the same: warnings about repeated items, and reasons why a phrase is not in its sentence."""

import pytest

from accord_core.bws.formats.items import read_items
from accord_core.exchange.spellings import as_seen, reason_not_found
from accord_core.exchange.tables import Limits, iter_table
from annotate import tasktypes

SAME = ["caf\u00e9 noir", "cafe\u0301 noir", "caf\u00e9\u200b noir", "caf\u00e9  noir", "caf\u00e9\u00a0noir"]


def test_texts_that_look_the_same_get_a_warning():
    rows = "".join(f"{number},{text}\n" for number, text in enumerate([*SAME, "Caf\u00e9 noir"]))
    table = iter_table(f"id,text\n{rows}".encode(), name="items.csv", limits=Limits())
    items, faults, warnings = read_items(table, size=4)
    assert not faults
    assert [warning.line for warning in warnings] == [3, 4, 5, 6]
    assert items[1].content["text"] == SAME[1]  # stored text is not changed


@pytest.mark.parametrize(("name", "pattern"), [("words", "{}"), ("chunks", "{}"), ("chunks", "[ {} ]")])
def test_sentence_pairs_that_look_the_same_get_a_warning(name, pattern):
    task = tasktypes.get(name)
    lines = [f"{number}\t{pattern.format(text)}\t{pattern.format('tea')}\n" for number, text in enumerate([*SAME, "x"])]
    data = "".join(["id\tsource\ttarget\n", *lines]).encode()
    options = task.clean_options({}) | ({"begin": "chunks"} if name == "chunks" else {})
    read = task.read_items(data, "pairs.tsv", options, {"rows": 100, "bytes": 10_000, "cell": 1_000})
    # A no-break space is an error in a token, because it would be invisible.
    assert [fault.line for fault in read.faults] == [6]
    assert [warning.line for warning in read.warnings if "look" in warning.message] == [3, 4, 5]


def test_pairs_in_a_chunk_alignment_that_look_the_same_get_a_warning():
    pair = (
        '<sentence id="{}" status="">\n// {}\n// tea\n<source>\n1 {} : \n</source>\n<translation>\n1 tea : \n'
        "</translation>\n<alignment>\n1 <==> 1 // EQUI // 5 // {} <==> tea \n</alignment>\n</sentence>\n\n\n"
    )
    texts = ["caf\u00e9", "cafe\u0301", "tea"]
    data = "".join(pair.format(number, text, text, text) for number, text in enumerate(texts)).encode()
    task = tasktypes.get("chunks")
    read = task.read_items(data, "pairs.wa", task.clean_options({}), {"rows": 9, "bytes": 10_000, "cell": 1_000})
    assert [warning.line for warning in read.warnings if "look" in warning.message] == [16]


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("A cafe\u0301 noir.", "Unicode form"),
        ("A caf\u00e9\u200b noir.", "zero-width"),
        ("A caf\u00e9  noir.", "spaces"),
        ("A Caf\u00e9 noir.", "upper-case"),
        ("A Cafe\u0301  noir.", "Unicode form"),
        ("A tea.", ""),
    ],
)
def test_the_reason_why_a_phrase_is_not_found(sentence, word):
    reason = reason_not_found(sentence, SAME[0])
    assert word in reason
    assert bool(reason) == bool(word)
    assert as_seen("plain  text ") == "plain text"
