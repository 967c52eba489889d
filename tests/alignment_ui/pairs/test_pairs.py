"""Tests of sentence pairs for annotation: all import formats, the tokeniser, and the faults."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.tables import Limits
from accord_core.pairs.formats.pairs import read_pairs, read_two_files
from accord_core.pairs.formats.tokens import LONGEST_SENTENCE, split_tokens, token_fault, tokenise
from accord_core.pairs.numerics.links import Alignment

THEY = ("They", "had", "gone", ".")
LEFT = ("They", "left", ".")
A3_HEAD = "# Sentence pair (1) source length 4 target length 3 alignment score : 1"


def read(text, **options):
    return read_pairs(text.encode(), "pairs", **options)


def places(found):
    return [(fault.line, fault.column) for fault in found]


class TestWaysIn:
    HEAD = "id,source,target,prealignment,subcorpus\n"

    def test_a_table(self):
        found = read(self.HEAD + "n1,They had gone .,They left .,0-0 1?1,news\nn2,a b,c,,mtc\n")
        assert (found.faults, found.warnings) == ([], [])
        first, second = found.rows
        assert first[:3] == ("n1", THEY, LEFT)
        assert first.prealignment == Alignment.of([(0, 0)], [(1, 1)])
        assert (first.metadata, first.line, first.held_out) == ({"subcorpus": "news"}, 2, False)
        assert second.prealignment is None

    @pytest.mark.parametrize(
        "text",
        [
            "Sentence1,SENTENCE2\nThey had gone .,They left .\n",
            "source;target\r\nThey had gone .;They left .\r\n",
            "source\ttarget\nThey had gone .\tThey left .\n",
            "They had gone .\tThey left .\n",
            '{"source": "They had gone .",\t"target": ["They", "left", "."]}\n',
            '[{"source": "They had gone .", "target": "They left ."}]',
            f"{A3_HEAD}\nThey left .\nNULL ({{ 1 2 3 }}) They ({{ }}) had ({{ }}) gone ({{ }}) . ({{ }})\n",
        ],
    )
    def test_the_same_pair_in_many_forms(self, text):
        [row] = read("\ufeff" + text).rows
        assert row[1:3] == (THEY, LEFT)

    def test_pairs_without_ids_are_called_by_their_place(self):
        assert [row.key for row in read("a\tb\n\nc\td\n").rows] == ["pair-1", "pair-2"]

    def test_alignments_become_the_prealignment(self):
        pair = {"id": "news-A:7", "source": "a b", "target": "b a", "sureAlign": "0-1", "possibleAlign": "1-0"}
        [row] = read(json.dumps([pair])).rows
        assert (row.key, row.metadata) == ("news-A:7", {"subcorpus": "news"})
        assert row.prealignment == Alignment.of([(0, 1)], [(1, 0)])

    def test_json_lines_say_links_in_either_way(self):
        lines = [
            {"id": "1", "source": "a b", "target": "c", "prealignment": {"sure": [[0, 0]], "possible": [[1, 0]]}},
            {"id": "2", "source": "a c", "target": "c", "prealignment": "0-0 1?0"},
            {"id": "3", "source": "a d", "target": "c", "prealignment": {"sure": [], "possible": []}, "genre": "x"},
        ]
        found = read("\n".join(map(json.dumps, lines)))
        assert [row.prealignment for row in found.rows] == [
            Alignment.of([(0, 0)], [(1, 0)]),
            Alignment.of([(0, 0)], [(1, 0)]),
            Alignment(),
        ]
        assert found.rows[2].metadata["genre"] == "x"

    def test_two_files_and_a_third(self):
        found = read_two_files(b"a b\nc\n", b"x\ny z\n", b"0-0 1?0\n\n")
        assert [row.prealignment for row in found.rows] == [Alignment.of([(0, 0)], [(1, 0)]), Alignment()]
        assert [row.prealignment for row in read_two_files(b"a\n", b"b\n").rows] == [None]

    def test_a_sentence_in_brackets_is_no_list(self):
        [row] = read('{"source": "[ ]", "target": "[ 1 ]"}').rows
        assert row[1:3] == (("[", "]"), ("[", "1", "]"))
        assert read('source\ttarget\n["a"]\t[]\n').rows[0][1:3] == (('["a"]',), ("[]",))

    def test_held_out(self):
        found = read("id,source,target,gold_only\n1,a,b,yes\n2,c,d,\n3,e,f,perhaps\n")
        assert [row.held_out for row in found.rows] == [True, False]
        assert places(found.faults) == [(4, "gold_only")]

    def test_a_quotation_mark_between_tabs_is_a_token(self):
        found = read('source\ttarget\n" Go , " he said\t"Go" he said\n')
        assert found.rows[0].source == ('"', "Go", ",", '"', "he", "said")
        assert found.warnings == []
        assert places(read('source\ttarget\n"He said ""go"""\tGo\n').warnings) == [(2, "source")]

    def test_tokenised_on_import_or_not(self):
        text = 'source,target\n"Don\'t go, please.",Stay!\n'
        assert read(text).rows[0].source == ("Don't", "go,", "please.")
        assert read(text, tokenise=True).rows[0][1:3] == (("Don't", "go", ",", "please", "."), ("Stay", "!"))


class TestFaults:
    def test_all_at_once_by_line_and_column(self):
        found = read(
            "id,source,target,prealignment\na,x y,z,2-0\na,x,z,0-0 0?0\n,x,z,\nd, ,z\u00a0z,0-x\ne,x\nf,x,z,\n"
        )
        assert places(found.faults) == [
            (2, "prealignment"),
            (3, "id"),
            (3, "prealignment"),
            (4, "id"),
            (5, "source"),
            (5, "target"),
            (5, "prealignment"),
            (6, "target"),
        ]
        assert [row.key for row in found.rows] == ["f"]

    @pytest.mark.parametrize(
        "link", ['{"sure": [[0]]}', '{"sure": [[0, "0"]]}', '{"sure": [[0, -1]]}', '{"maybe": []}', "[[0, 0]]", "0:0"]
    )
    def test_links_that_are_none(self, link):
        value = json.loads(link) if link[0] in "[{" else link
        found = read(json.dumps({"source": "a", "target": "b", "prealignment": value}))
        assert places(found.faults) == [(1, "prealignment")]

    def test_too_long(self):
        words = " ".join(["w"] * LONGEST_SENTENCE)
        found = read(f"source,target\n{words},x\n{words} w,y\n")
        assert [row.line for row in found.rows] == [2]
        message = "the sentence has 101 tokens, more than the limit of 100. Split or shorten the sentence"
        assert [str(fault) for fault in found.faults] == [f"line 3, column source: {message}"]
        assert not read(f"source,target\n{words} w,y\n", longest=None).faults

    def test_other_numbers_of_lines(self):
        found = read_two_files(b"a\nb\n", b"a\n", b"\n\n\n")
        assert [(fault.column, fault.message[:17]) for fault in found.faults] == [
            ("target", "the file has 1 li"),
            ("prealignment", "the file has 3 li"),
        ]
        assert found.rows == []

    @pytest.mark.parametrize("text", ["a,b\n1,2\n", "x\ty\tz\n1\t2\t3\n", '{"text": "a"}\n'])
    def test_no_columns_for_two_sentences(self, text):
        [fault] = read(text).faults
        assert "source and target (or sentence1 and sentence2)" in fault.message

    def test_rows_of_tab_separated_text(self):
        assert places(read("source\ttarget\na\nb\tc\td\ne\tf\t\n").faults) == [(2, None), (3, None)]
        assert places(read("source\ttarget\tSource\na\tb\tc\n").faults) == [(1, "Source")]

    def test_limits(self):
        for text in (
            "a\tb\nc\td\n",
            "source,target\na,b\nc,d\n",
            '[{"source":"a","target":"b"},\n{"source":"c","target":"d"}]',
        ):
            [fault] = read(text, limits=Limits(rows=1)).faults
            assert "more than 1 rows" in fault.message
            [fault] = read(text, limits=Limits(bytes=5)).faults
            assert "more than the limit of 5" in fault.message
        assert read_two_files(b"a\nb\n", b"c\nd\n", limits=Limits(rows=1)).faults

    def test_the_same_pair_twice_is_a_warning(self):
        found = read("a\tb\nc\td\na\tb\n")
        assert [str(warning) for warning in found.warnings] == [
            "line 3: the two sentences are the same as on line 1, or look the same"
        ]

    @pytest.mark.parametrize("data", [b"", "\u2028".encode(), b"source,target\n", b"\xff\xfe", b"[]", b"a\x00b"])
    def test_nothing_to_read(self, data):
        found = read_pairs(data, "pairs")
        assert found.rows == []
        assert len(found.faults) == 1


class TestTokeniser:
    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            ("She's well-known, isn't she?", "She's well-known , isn't she ?"),
            ("It cost $1,000.50 (5%) in 1990-95.", "It cost $ 1,000.50 ( 5 % ) in 1990-95 ."),
            ("Wait... no -- ``really''!!", "Wait ... no -- `` really '' !!"),
            ("the U.S. and e.g. Mr. J.Smith", "the U.S. and e.g. Mr . J . Smith"),
            ("dogs' 'tis rock-'n'-roll", "dogs ' ' tis rock - ' n ' - roll"),
            ("L’homme col·lega", "L’homme col·lega"),
            ("هَذَا كِتَابٌ، ٣٫٥ كيلو.", "هَذَا كِتَابٌ ، ٣٫٥ كيلو ."),
            ('אמר לצה"ל: בית־ספר!', 'אמר לצה"ל : בית־ספר !'),
            ("नमस्ते दुनिया।", "नमस्ते दुनिया ।"),
            ("می‌خواهم بروم", "می‌خواهم بروم"),
            ("这是句子。東京タワー", "这 是 句 子 。 東 京 タ ワ ー"),
            ("안녕하세요, 세계!", "안녕하세요 , 세계 !"),
            ("ok 👍🏽👩‍👧 🇫🇷🇩🇪", "ok 👍🏽 👩‍👧 🇫🇷 🇩🇪"),
            ("nai\u0308ve m²\u00a0x\u200by", "nai\u0308ve m² x y"),
        ],
    )
    def test_many_scripts(self, text, tokens):
        assert tokenise(text) == tokens.split(" ")

    @given(st.one_of(st.text(), st.text(alphabet="aB1.,'-\" \t\u0301\u200d🇫👩中א")))
    def test_nothing_is_changed_and_nothing_is_lost(self, text):
        tokens = tokenise(text)
        gone = {character for character in text if not any(character in token for token in tokens)}
        assert all(unicodedata.category(character)[0] in "ZC" for character in gone)
        assert "".join(tokens) == "".join(character for character in text if character not in gone)

    @given(st.one_of(st.text(), st.text(alphabet="aB1.,'-\" \t\u0301\u200d🇫👩中א")))
    def test_tokens_are_tokens(self, text):
        tokens = tokenise(text)
        assert tokenise(" ".join(tokens)) == tokens
        assert split_tokens(" ".join(tokens)) == tokens
        assert token_fault(tokens or ["x"]) is None

    @pytest.mark.parametrize(
        ("tokens", "said"),
        [([], "empty"), (["a", "b\u202fc"], "token 1 contains whitespace (U+202F"), (["a", ""], "token 1 is empty")],
    )
    def test_what_is_no_sentence(self, tokens, said):
        assert said in token_fault(tokens)
