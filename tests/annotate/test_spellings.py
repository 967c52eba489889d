"""Texts that look the same: warnings about repeated items, and reasons why a phrase is not in its sentence."""

import pytest

from annotate.exchange.spellings import as_seen, reason_not_found
from annotate.exchange.tables import Limits, iter_table
from bws.formats.items import read_items

SAME = ["caf\u00e9 noir", "cafe\u0301 noir", "caf\u00e9\u200b noir", "caf\u00e9  noir", "caf\u00e9\u00a0noir"]


def test_texts_that_look_the_same_get_a_warning():
    rows = "".join(f"{number},{text}\n" for number, text in enumerate([*SAME, "Caf\u00e9 noir"]))
    table = iter_table(f"id,text\n{rows}".encode(), name="items.csv", limits=Limits())
    items, faults, warnings = read_items(table, size=4)
    assert not faults
    assert [warning.line for warning in warnings] == [3, 4, 5, 6]
    assert items[1].content["text"] == SAME[1]  # stored text is not changed


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
