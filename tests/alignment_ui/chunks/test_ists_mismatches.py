"""Tests of the differences between a system's links and gold links, and of the detailed output of the scorer."""

import csv
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.formats.mismatch_files import write_mismatches
from accord_core.chunks.formats.scorer_log import scorer_log
from accord_core.chunks.numerics.mismatches import NO_LINK, mismatches
from accord_core.chunks.numerics.scores import token_links_by_pair
from tests.ists_pairs import FILE, link, pair, two_annotations

SYSTEM = FILE.replace("4 5 <==> 5 6 7 // SPE2 // 4", "4 5 <==> 5 7 // EQUI // 5").replace(
    " <==> 1 2 // SIMI_FACT // 3", " <==> 2 // SIMI // 4"
)
RECORDED = Path(__file__).parents[2] / "fixtures" / "chunks.debug.txt"


def read(text):
    return read_wa(text.encode(), name="test")


def without_order_of_mismatches(text):
    """Return the lines with each block of type mismatches sorted, because the official scorer's order is random."""
    blocks = [[]]
    for line in text.splitlines():
        if bool(blocks[-1]) and ("type mismatch" in line) != ("type mismatch" in blocks[-1][-1]):
            blocks.append([])
        blocks[-1].append(line)
    return [line for block in blocks for line in (sorted(block) if "type mismatch" in block[0] else block)]


def test_the_log_equals_the_recorded_output_of_the_official_scorer():
    log = "".join(scorer_log(read(FILE), read(SYSTEM), names=("gold.wa", "system.wa"), version=2016))
    assert without_order_of_mismatches(log) == without_order_of_mismatches(RECORDED.read_text())


def test_the_log_of_2015_accepts_similar_types():
    log = "".join(scorer_log(read(FILE), read(SYSTEM), names=("gold.wa", "system.wa"), version=2015))
    assert re.findall(r"typescore.*", log, re.DOTALL)[0].count("type mismatch") == 4
    assert log.endswith(" F1 recall:       0.58\n F1 Typ+Sco 0.6710\n")


def test_each_kind_of_difference():
    gold = pair(
        link([0], [0], "EQUI", 5),
        link([1], [1], "SIMI", 3),
        link([2], [2], "SIMI", 3),
        link([3, 4], [3], "REL", 2),
        link([3, 4], [4], "SPE1", 4),
    )
    system = pair(
        link([0], [0], "EQUI", 5),
        link([1], [1], "SIMI", 1.5),
        link([2], [2], "OPPO", 4, flags=["POL"]),
        link([3], [3], "REL", 2),
        link([0], [4], "REL", 1),
    )
    found = mismatches([gold], [system])
    assert [row.kind for row in found.rows] == ["score", "type and score", "chunks", "missing", "extra"]
    assert found.types == {
        ("EQUI", "EQUI"): 1,
        ("SIMI", "SIMI"): 1,
        ("SIMI", "OPPO"): 1,
        ("REL", "REL"): 1,
        ("SPE1", NO_LINK): 1,
        (NO_LINK, "REL"): 1,
    }
    assert found.differences == {0: 2, -1.5: 1, 1: 1}
    assert (found.mean_score_difference, found.mean_absolute_score_difference) == (-0.125, 0.625)
    rows = list(csv.DictReader(io.StringIO("".join(write_mismatches(found)))))
    assert rows[1]["system_type"] == "OPPO_POL"
    assert (rows[3]["gold_source"], rows[3]["system_source"], rows[3]["score_difference"]) == ("d e", "", "")


@pytest.mark.nightly
@given(two_annotations())
def test_the_counts_follow_from_the_token_links(both):
    """A link is missing if no token link of the gold link is in the system, and vice versa. The comparison of an
    annotation with itself has no differences.
    """
    gold, system = both
    found = mismatches(gold, system)
    links = token_links_by_pair(gold, system)
    missing = sum(not (ours.keys() & theirs.keys()) and bool(theirs) for ours, theirs in links.values())
    if missing:
        assert found.kinds["missing"] >= missing
    shared = Counter(
        (theirs[tokens].type, ours[tokens].type) for ours, theirs in links.values() for tokens in ours.keys() & theirs
    )
    assert {types for types in found.types if NO_LINK not in types} == set(shared)
    assert all(found.types[types] <= count for types, count in shared.items())
    assert not mismatches(gold, gold).rows
    turned = mismatches(system, gold)
    assert turned.types == Counter({(other, one): count for (one, other), count in found.types.items()})
    assert turned.differences == Counter({-difference: count for difference, count in found.differences.items()})
