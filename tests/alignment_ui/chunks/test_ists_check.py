"""Tests that the checker reports every rule that a `.wa` file can break, with the line."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.formats.ists import pair_text, read_wa
from accord_core.chunks.formats.ists_check import check_wa, wa_statistics, well_formed
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.formats.ists_links import read_link
from accord_core.exchange.faults import TableError
from tests.ists_pairs import FILE, link, pair, pairs

LINK = "3 <==> 3 4 // EQUI // 5 // chase <==> runs after "
DAMAGE = {
    "sentence tag": ('<sentence id="x2" status="checked">', "<sentence id=x2>", 32, "contains no readable ID"),
    "sentence tag, no blank after the id": ('"x2" status="checked">', '"x2">', 32, "contains no readable ID"),
    "sentence id": ("// Two dogs", f"{LINK}\n// Two dogs", 1, "a link is before the first <sentence id=…>"),
    "parts": (LINK, "3 <==> 3 4 // EQUI", 25, "must contain tokens, a type and a score"),
    "parts, no type": (LINK, "3 <==> 3 4", 25, "must contain tokens, a type and a score"),
    "tokens": (LINK, "<==> 3 4 // EQUI // 5 // ", 25, "the first side is empty"),
    "tokens, none on the other side": (LINK, "3 <==> // EQUI // 5 // ", 25, "the second side is empty"),
    "tokens, one list": (LINK, "3 4 // EQUI // 5 // chase <==> runs", 25, "must contain two lists of tokens"),
    "tokens, three lists": (LINK, "3 <==> 3 <==> 4 // EQUI // 5 // ", 25, "must contain two lists of tokens"),
    "token": (LINK, "3 <==> 3,4 // EQUI // 5 // ", 25, "“3,4” is not a token"),
    "token, negative": (LINK, "-3 <==> 3 4 // EQUI // 5 // ", 25, "“-3” is not a token"),
    "token, in other digits": (LINK, "3 <==> ٣ // EQUI // 5 // ", 25, "“٣” is not a token"),
    "token, beyond all bounds": (LINK, f"3 <==> {'9' * 5000} // EQUI // 5 // ", 25, "is not a token"),
    "type": (LINK, "3 <==> 3 4 // EQUI_FACTS // 5 // ", 25, "“FACTS” is not a type"),
    "type, in small letters": (LINK, "3 <==> 3 4 // equi // 5 // ", 25, "“equi” is not a type"),
    "main type": (
        LINK,
        "3 <==> 3 4 // FACT_POL // 5 // ",
        25,
        "“FACT_POL” must contain exactly one of the types EQUI, OPPO, SPE1, .* not 0",
    ),
    "main type, two": (
        LINK,
        "3 <==> 3 4 // EQUI_SIMI // 5 // ",
        25,
        "“EQUI_SIMI” must contain exactly one of .* not 2",
    ),
    "main type, none": (LINK, "3 <==> 3 4 // // 5 // ", 25, "“” must contain exactly one of .* not 0"),
    "flags": (LINK, "3 <==> 3 4 // EQUI_FACT_POL_FACT // 5 // ", 25, "a type can have at most two flags, not 3"),
    "score": (LINK, "3 <==> 3 4 // EQUI // five // ", 25, "a number from 0 to 5, or NIL, not “five”"),
    "score, none": (LINK, "3 <==> 3 4 // EQUI // // ", 25, "a number from 0 to 5, or NIL, not “”"),
    "score, nil": (LINK, "3 <==> 0 // NOALI // nil // ", 25, "a number from 0 to 5, or NIL, not “nil”"),
    "score, not a number": (LINK, "3 <==> 3 4 // EQUI // NaN // ", 25, "not “NaN”"),
    "score range": (LINK, "3 <==> 3 4 // EQUI // 5.1 // ", 25, "the score must be from 0 to 5, not 5.1"),
    "score range, below": (LINK, "3 <==> 3 4 // EQUI // -1 // ", 25, "the score must be from 0 to 5, not -1"),
    "score range, beyond all bounds": (LINK, "3 <==> 3 4 // EQUI // 1e999 // ", 25, "the score must be from 0 to 5"),
    "NIL": (LINK, "3 <==> 3 4 // EQUI // NIL // ", 25, "only NOALI and ALIC can have the score NIL, not EQUI"),
}


def damaged(what):
    old, new, line, message = DAMAGE[what]
    if what == "sentence id":
        return f"{LINK}\n{FILE}", line, message
    assert FILE.count(old) == 1
    return FILE.replace(old, new), line, message


class TestWellFormed:
    def test_the_whole_file_is(self):
        assert well_formed(FILE) == []

    @pytest.mark.parametrize("what", DAMAGE)
    def test_a_damaged_line_is_found_and_named(self, what):
        text, line, message = damaged(what)
        rule = what.partition(",")[0]
        found = {each.rule: each for each in well_formed(text)}
        assert rule in found
        assert found[rule].line == line
        assert re.search(message, found[rule].message)
        assert {each.line for each in found.values()} == {line}

    @pytest.mark.parametrize("what", DAMAGE)
    def test_a_damaged_file_is_not_read(self, what):
        text, line, _ = damaged(what)
        with pytest.raises(TableError) as caught:
            read_wa(text.encode(), name="system.wa", tokens=False)
        assert {fault.line for fault in caught.value.faults} == {line}

    def test_a_file_without_sentences(self):
        [fault] = well_formed("1,2,3\n")
        assert (fault.line, fault.rule) == (None, "no sentence")

    def test_every_fault_of_a_line_and_of_a_file(self):
        text = FILE.replace(LINK, "3 <==> 3 x // FACT // 7 // ").replace("// REL //", "// RELATED //")
        assert [(each.line, each.rule) for each in well_formed(text)] == [
            *[(25, "token"), (25, "main type"), (25, "score range")],
            *[(45, "type"), (45, "main type")],
        ]

    @pytest.mark.parametrize(
        "line",
        [
            "3 <==> 3 4 // EQUI // 5",
            "  3<==>3   4//EQUI//5//",
            "3 <==> 3 4 // POL_EQUI_FACT // .5 // a // b <==> c",
            "3 <==> 3 4 // EQUI_FACT_FACT // +5e0 // ",
            "3 <==> 3 4 // EQUI_ // 5. // ",
            "99 3 3 <==> 0 // EQUI // 0 // ",
            "0 <==> 0 // ALIC // 4 // ",
            "1 <==> 1 // NOALI // NIL // ",
        ],
    )
    def test_the_checker_is_easy_going_otherwise(self, line):
        assert well_formed(FILE.replace(LINK, line)) == []

    @given(pairs())
    def test_what_is_written_is_well_formed(self, each):
        assert well_formed(pair_text(each)) == []

    @given(st.text("0123 <=>/_.-+eNILEQUFACT\t", max_size=40))
    def test_any_line_is_read_or_refused_for_a_reason(self, text):
        found, broken = read_link(text)
        assert (found is None) == bool(broken)


GUIDED = pair(link([0, 1], [0], "EQUI", 5), link([2], [1], "SPE1", 4), link([3, 4], [2, 3, 4], "REL", 0))


def broken_by(*links, many_to_many=None, **others):
    """Return the rules that an annotation breaks after its last link has been replaced by these links."""
    each = pair(*GUIDED.links[:2], *links, **others)
    return [(fault.code, fault.link) for fault in guideline_faults(each, many_to_many=many_to_many)]


class TestGuidelines:
    def test_a_whole_annotation_breaks_none(self):
        left_over = (link([3, 4], [], "NOALI", None), link([], [2, 3, 4], "ALIC", None))
        for setting in (None, False, True):
            assert guideline_faults(GUIDED, many_to_many=setting) == []
        assert broken_by(*left_over, many_to_many=False) == []

    @pytest.mark.parametrize(
        ("code", "links"),
        {
            "no-such-token": [link([3, 4, 5], [2, 3, 4])],
            "no-tokens": [link([3, 4], [2, 3, 4]), link([], [], "NOALI", None)],
            "one-side": [link([3, 4], [], "SIMI", 3), link([], [2, 3, 4], "NOALI", None)],
            "two-sides": [link([3, 4], [2, 3, 4], "NOALI", None)],
            "left-over-score": [link([3, 4], [], "NOALI", 0), link([], [2, 3, 4], "NOALI", None)],
            "left-over-flag": [link([3, 4], [], "ALIC", None, ["POL"]), link([], [2, 3, 4], "NOALI", None)],
            "no-score": [link([3, 4], [2, 3, 4], "SIMI", None)],
            "equi-score": [link([3, 4], [2, 3, 4], "EQUI", 4)],
            "score-5": [link([3, 4], [2, 3, 4], "SIMI", 5)],
        }.items(),
    )
    def test_each_rule_of_a_link(self, code, links):
        place = 3 if code == "no-tokens" else 2
        assert broken_by(*links) == [(code, place)]

    def test_every_token_is_covered_punctuation_too(self):
        first, second = guideline_faults(pair(link([0], [0, 2, 3, 4]), source="a . c", target="p q r s t"))
        assert (first.code, first.source, first.target, first.link) == ("not-covered", (1, 2), (), None)
        assert (second.code, second.source, second.target) == ("not-covered", (), (1,))
        assert "“. c” is not in a chunk" in first.message

    def test_one_to_one_a_token_has_one_link(self):
        doubled = [link([3, 4], [2]), link([3, 4], [3]), link([2], [4])]
        assert broken_by(*doubled, many_to_many=False) == [("two-links", 3), ("two-links", 4)]
        assert broken_by(*doubled, many_to_many=True) == []
        other_side = [link([3], [2]), link([4], [2, 3, 4])]
        [fault] = guideline_faults(pair(*GUIDED.links[:2], *other_side), many_to_many=False)
        assert (fault.code, fault.link, fault.source, fault.target) == ("two-links", 3, (), (2,))
        assert "“r” already has a link or a mark" in fault.message

    @pytest.mark.parametrize(
        ("code", "links"),
        {
            "no-alic": [link([3, 4], [], "ALIC", None), link([], [2, 3, 4], "NOALI", None)],
            "linked-twice": [link([3, 4], [2, 3, 4]), link([3, 4], [2, 3, 4], "REL")],
            "linked-and-left-over": [link([3, 4], [2, 3, 4]), link([4], [], "NOALI", None)],
        }.items(),
    )
    def test_each_rule_of_many_to_many(self, code, links):
        place = 2 if code == "no-alic" else 3
        assert (code, place) in broken_by(*links, many_to_many=True)
        assert code not in dict(broken_by(*links))

    @pytest.mark.parametrize("many_to_many", [None, True])
    def test_a_token_is_in_one_chunk(self, many_to_many):
        overlapping = [link([3, 4], [2, 3]), link([4], [4])]
        assert broken_by(*overlapping, many_to_many=many_to_many) == [("two-chunks", 3)]
        assert broken_by(*overlapping, many_to_many=False) == [("two-links", 3)]
        assert broken_by(link([3, 4], [2, 3]), link([4, 3], [4]), many_to_many=many_to_many) == []

    def test_the_sentence_for_the_annotator_shows_the_words(self):
        [fault] = guideline_faults(replace(GUIDED, links=(*GUIDED.links[:2], link([3, 4], [2, 3, 4], "SIMI", 5))))
        assert (
            fault.message == "“d e” – “r s t” has a score of 5, but only links of type EQUI can have this score. "
            "Lower the score or change the type to EQUI."
        )


class TestStrict:
    def test_a_file_that_follows_the_guidelines(self):
        text = FILE.replace("1 <==> 1 3 // REL", "1 <==> 1 3 // SIMI")
        for setting in (None, False):
            assert check_wa(text, strict=True, many_to_many=setting).faults == []

    def test_the_line_and_the_pair_are_named(self):
        text = FILE.replace("1 2 <==> 1 2 // SIMI_FACT // 3", "1 2 <==> 1 // SIMI_FACT // 5")
        found = check_wa(text, strict=True)
        assert found.malformed == []
        assert [(each.line, each.rule) for each in found.against_guidelines] == [(1, "not-covered"), (24, "score-5")]
        assert found.against_guidelines[0].message.startswith(
            "sentence pair 1: In the second sentence, “dog” is not in a"
        )
        assert check_wa(text).faults == []

    def test_the_setting_of_a_study(self):
        assert [each.rule for each in check_wa(FILE, strict=True, many_to_many=True).faults] == ["no-alic"]
        assert check_wa(FILE, many_to_many=True).faults == []

    def test_ids_and_tokenisations_that_do_not_fit_together(self):
        text = FILE.replace('"x2"', '"1"').replace("// R&D <up>", "// R & D <up>")
        assert [(each.line, each.rule) for each in check_wa(text, strict=True).faults] == [
            (32, "same-id"),
            (32, "two-tokenisations"),
        ]

    def test_a_broken_line_does_not_make_its_words_uncovered(self):
        found = check_wa(FILE.replace(LINK, LINK.replace("EQUI", "SAME")), strict=True)
        assert {each.line for each in found.malformed} == {25}
        assert found.against_guidelines == []
        assert found.statistics is None

    def test_a_broken_list_is_told_once(self):
        found = check_wa(FILE.replace("2 <up> : ", "2 <up>:"), strict=True)
        assert [(each.line, each.rule) for each in found.faults] == [(37, "token list")]

    def test_lists_that_are_not_numbered_and_pairs_without_tokens(self):
        unnumbered = check_wa(FILE.replace("2 dogs : ", "3 dogs : "), strict=True)
        assert [(each.line, each.rule) for each in unnumbered.faults] == [(6, "token list")]
        bare = '<sentence id="1" status="">\n1 <==> 1 // EQUI // 5 // \n'
        assert "no tokens" in [each.rule for each in check_wa(bare, strict=True).faults]
        assert check_wa(bare).faults == []


class TestStatistics:
    def test_what_is_counted(self):
        assert check_wa(FILE).statistics.as_dict() == {
            "pairs": 2,
            "pairs_with_links": 2,
            "links": 8,
            "types": {"EQUI": 1, "OPPO": 0, "SPE1": 0, "SPE2": 1, "SIMI": 1, "REL": 1, "NOALI": 3, "ALIC": 1},
            "flags": {"FACT": 1, "POL": 0},
            "scores": {"1.5": 1, "3": 1, "4": 1, "5": 1, "NIL": 4},
        }

    def test_pairs_with_the_same_id_are_one(self):
        found = wa_statistics([pair(), pair(link([0], [0])), pair(name="2")])
        assert (found.pairs, found.pairs_with_links, found.links) == (2, 1, 1)
