"""Tests of faults in files of word alignments: each fault names its line, and any text is read or rejected."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accord_core.exchange.faults import TableError
from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.formats.registry import FORMATS
from accord_core.pairs.formats.sentences import read_sentence_files
from accord_core.pairs.numerics.links import Alignment
from tests.alignment_ui.pairs.alignments import faults, links, read, sentences_of, written


class TestFaults:
    """All faults of a file are reported together, each with its line."""

    PAIRS = sentences_of([SentencePair("a", ("x", "y"), ("z",)), SentencePair("b", ("x",), ("y", "z"))])

    @pytest.mark.parametrize(
        ("name", "text", "found"),
        [
            ("pharaoh", "0-0 2-0\n0-2 0/1\n", [(1, "2-0"), (2, "0-2"), (2, "'0/1'")]),
            ("talp", "1s1 3p1\n1s3 1-1\n", [(1, "3p1"), (2, "1s3"), (2, "'1-1'")]),
            ("wpt", "1 3 1 S\n2 1 3\n3 1 1\n2 1\n", [(1, "3 1"), (2, "1 3"), (3, "pair 3"), (4, "'2 1'")]),
        ],
    )
    def test_out_of_range_or_no_link_at_all(self, name, text, found):
        assert [
            (line, told in message)
            for (line, _, message), (_, told) in zip(faults(text, name, self.PAIRS), found, strict=True)
        ] == [(line, True) for line, _ in found]

    def test_the_range_is_told_as_the_file_counts(self):
        assert "only tokens 0 to 1" in faults("2-0\n\n", "pharaoh", self.PAIRS)[0][2]
        assert "only tokens 1 to 2" in faults("3s1\n\n", "talp", self.PAIRS)[0][2]

    @pytest.mark.parametrize(
        ("text", "line"),
        [("0-0\n0-0 0?0\n", 2), ("1s1\n1p1 1s1\n", 2), ("1 1 1 S\n1 1 1 P\n", 2)],
    )
    def test_sure_repeated_as_possible(self, text, line):
        [(found, _, message)] = faults(text)
        assert found == line
        assert "sure" in message
        assert "possible" in message

    def test_the_same_link_twice_is_one_link(self):
        assert links(read("0-0 0-0\n").pairs) == [([(0, 0)], [])]

    def test_jacana_by_line_and_key(self):
        text = """[
          {"id": "a", "source": "x y", "target": "z", "sureAlign": "0-1", "possibleAlign": ""},
          {"id": "a", "source": " ", "target": "x\u00a0y", "sureAlign": 7},
          {"id": "c", "source": "x", "target": "z", "sureAlign": "0-0", "possibleAlign": "0-0"}
        ]"""
        assert [(line, column) for line, column, _ in faults(text)] == [
            (2, "sureAlign"),
            (3, "source"),
            (3, "target"),
            (3, "sureAlign"),
            (3, "id"),
            (4, "possibleAlign"),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            '[{"id": "a",}]',
            '[{"id": "a"}',
            '[{"id": "a"}] x',
            '[{"id": "a"} {"id": "b"}]',
            f'[{{"id": {"9" * 5000}}}]',
            '[{"a": ' + "[" * 9999,
        ],
    )
    def test_broken_json(self, text):
        assert any("JSON" in message for _, _, message in faults(text))

    def test_goldalign_by_line_and_column(self):
        text = "1\ta b\t\tc\t\t1\t1\t2-0\t\t\n1\t \t\tc\t\t1\t1\t\t0:0\t\n2\ta\n"
        assert [(line, column) for line, column, _ in faults(text)] == [
            (1, "8"),
            (2, "1"),
            (2, "2"),
            (2, "9"),
            (3, None),
        ]

    @pytest.mark.parametrize(
        ("lines", "line"),
        [
            (
                (
                    "# Sentence pair (1) source length 2 target length 1 alignment score : 1",
                    "a",
                    "NULL ({ }) b ({ 1 })",
                ),
                3,
            ),
            (
                (
                    "# Sentence pair (1) source length 1 target length 2 alignment score : 1",
                    "a",
                    "NULL ({ }) b ({ 1 })",
                ),
                2,
            ),
            (
                (
                    "# Sentence pair (1) source length 1 target length 1 alignment score : 1",
                    "a",
                    "NULL ({ }) b ({ 2 })",
                ),
                3,
            ),
            (("# Sentence pair (1) source length 1 target length 1 alignment score : 1", "a", "b ({ 1 })"), 3),
            (("# Sentence pair (1) source length 1 target length 1 alignment score : 1", "a"), 1),
        ],
    )
    def test_a3(self, lines, line):
        assert [found for found, _, _ in faults("\n".join(lines), "giza")] == [line]

    def test_other_numbers_of_pairs(self):
        [(_, _, message)] = faults("0-0\n", "pharaoh", self.PAIRS)
        assert message == "the number of lines is 1, but the number of sentence pairs in pairs.tsv is 2"

    def test_blinker_by_file_and_line(self):
        from accord_core.pairs.formats.blinker import archive

        data = archive([("samp1.SentPair10", "1 1\n"), ("samp1.SentPair9", "1 1\n2 x\n0 1\n"), ("README", "")])
        assert faults(data) == [
            (2, None, "in samp1.SentPair9, '2 x' is not a link. Write a link as two numbers, such as 4 1")
        ]
        two = archive([("A1/samp1.SentPair0", "1 1\n"), ("A2/samp1.SentPair0", "")])
        assert "Each folder contains the links of one annotator" in faults(two)[0][2]
        assert "cannot be read" in faults(data[:100])[0][2]

    def test_an_archive_is_limited_before_it_is_unpacked(self, monkeypatch):
        from accord_core.pairs.formats import blinker

        def unpacked(*_):
            pytest.fail("a file of the archive was unpacked")

        monkeypatch.setattr("zipfile.ZipFile.read", unpacked)
        data = blinker.archive([("samp1.SentPair0", "1 1\n" * 9), ("samp1.SentPair1", ""), ("README", "")])
        monkeypatch.setattr(blinker, "MOST_FILES", 2)
        assert faults(data) == [(None, None, "the archive has more than 2 files. Split it")]
        monkeypatch.setattr(blinker, "MOST_FILES", 3)
        monkeypatch.setattr(blinker, "MOST_BYTES", 35)
        assert faults(data) == [(None, None, "the archive has more than 0 MB when unpacked. Split it")]

    def test_blinker_in_the_order_of_samples(self):
        from accord_core.pairs.formats.blinker import archive

        data = archive([(f"samp{n}.SentPair{k}", f"{n} {k + 1}\n") for n in (10, 2) for k in (3, 1)])
        assert [pair.id for pair in read(data).pairs] == [f"samp{n}.SentPair{k}" for n in (2, 10) for k in (1, 3)]

    def test_sentences_that_go_together(self):
        with pytest.raises(TableError, match="sentence 2 is not in t"):
            read_sentence_files(b"<s snum=1> a </s>\n<s snum=2> b </s>\n", b"<s snum=1> a </s>\n", names=["s", "t"])


TEXTS = st.lists(
    st.sampled_from([*'01 \t\n-?spS[]{}:,<>"', "0-0", "1 1 1", "NULL ({", "})", "\ufeff", "\u00a0"]), max_size=30
)
A3 = "# Sentence pair (1) source length 1 target length 1 alignment score : 1\n"


LAST = SentencePair("last", ("a",), ("b",), Alignment.of([(0, 0)]))


class TestAnyText:
    """Any text is either read as links that can be written, or rejected with faults in lines of the text."""

    @given(pieces=TEXTS, first=st.sampled_from(["", '[{"', A3, "\t" * 8, "1 1 1\n"]))
    @example(pieces=["0-0", "\n"], first="")
    @example(pieces=["0-7"], first="")
    @example(pieces=[], first="1 1 1\n")
    def test_is_read_or_refused(self, pieces, first):
        text = first + "".join(pieces)
        for name in (None, *FORMATS):
            pairs, faults_found = outcome(text, name)
            if pairs is None:
                assert faults_found
                assert all(
                    fault.message and (fault.line or 1) in range(1, lines_in(text) + 1) for fault in faults_found
                )
                continue
            assert links(read(written([*pairs, LAST], "talp"), "talp").pairs) == links([*pairs, LAST])
            for pair in pairs:
                assert pair.source != ()
                assert pair.target != ()
                if pair.source and pair.target:
                    assert all(i < len(pair.source) and j < len(pair.target) for i, j in pair.alignment.links)

    def test_the_same_text_is_read_by_some_formats_and_refused_by_others(self):
        """The property above is meaningful only if both of its cases occur."""
        was_read = {name: outcome("1 1 1\n", name)[0] is not None for name in FORMATS}
        assert set(was_read.values()) == {True, False}
        assert was_read["wpt"]


def outcome(text, name):
    """Return the pairs of the text, or None and the faults."""
    try:
        return read(text, name).pairs, []
    except TableError as error:
        return None, error.faults


def lines_in(text):
    return max(1, len(text.splitlines()) + text.endswith("\n"))
