"""Tests of word-alignment formats: written files can be read, faults are reported by line, and no file is
read in part.
"""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from alignment_ui.pairs.formats.corpus import Corpus, SentencePair
from alignment_ui.pairs.formats.matching import match
from alignment_ui.pairs.formats.registry import FORMATS, WRITABLE, detect, losses, read_alignments, write_alignments
from alignment_ui.pairs.formats.sentences import read_sentence_files, read_sentences, write_sentence_lines
from alignment_ui.pairs.formats.wpt import write_wpt_sentences
from alignment_ui.pairs.numerics.links import Alignment
from annotate.exchange.faults import Fault, TableError

WORDS = st.sampled_from(["the", "left", ".", "({", "})", '"', "3", "3-4", "NULL", "שלום", "N/A", "[", "#"])


def a_pair(key, source, target, kinds):
    cells = {(i, j): kind for (i, j), kind in kinds.items() if i < len(source) and j < len(target)}
    sure, possible = ([cell for cell, kind in cells.items() if kind == wanted] for wanted in "sp")
    return SentencePair(key, source, target, Alignment.of(sure, possible))


SENTENCE = st.lists(WORDS, min_size=1, max_size=5).map(tuple)
KINDS = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.sampled_from("sp"), max_size=6)
PAIR = st.builds(a_pair, st.just("a"), SENTENCE, SENTENCE, KINDS)


@st.composite
def pairs_with_links(draw):
    """At least the last pair has a link that every format can store, so that the format can be detected and the file is
    complete.
    """
    found = [pair._replace(id=f"news:{n}") for n, pair in enumerate(draw(st.lists(PAIR, max_size=3)))]
    return [*found, SentencePair("last", ("a",), ("b",), Alignment.of([(0, 0)]))]


def written(pairs, name, **options):
    return b"".join(
        chunk if isinstance(chunk, bytes) else chunk.encode() for chunk in write_alignments(pairs, name, **options)
    )


def read(text, name=None, sentences=None):
    data = text if isinstance(text, bytes) else text.encode()
    return read_alignments(data, name="file", format_name=name, sentences=sentences)


def links(pairs):
    return [(sorted(pair.alignment.sure), sorted(pair.alignment.possible)) for pair in pairs]


def faults(text, name=None, sentences=None):
    with pytest.raises(TableError) as raised:
        read(text, name, sentences)
    return [(fault.line, fault.column, fault.message) for fault in raised.value.faults]


def sentences_of(pairs):
    return Corpus("pairs.tsv", "table", "own", pairs)


class TestRoundTrip:
    @settings(max_examples=50)
    @given(pairs=pairs_with_links())
    def test_a_format_loses_what_it_says_and_nothing_else(self, pairs):
        for name in WRITABLE:
            data = written(pairs, name)
            back = read(data).pairs
            lost = " ".join(losses(pairs, name))
            assert [pair.alignment.sure for pair in back] == [pair.alignment.sure for pair in pairs]
            assert ("possible" in lost) == (links(back) != links(pairs))
            assert ("ID" in lost) == ([pair.id for pair in back] != [pair.id for pair in pairs])
            assert ("sentences" in lost) == ([pair[1:3] for pair in back] != [pair[1:3] for pair in pairs])
            beside = read(data, sentences=sentences_of(pairs)).pairs
            assert [pair[:3] for pair in beside] == [pair[:3] for pair in pairs]
            assert links(beside) == links(back)

    @settings(max_examples=30)
    @given(pairs=pairs_with_links(), sign=st.sampled_from("?p"))
    def test_pharaoh_with_a_sign_keeps_possible_links(self, pairs, sign):
        assert not any("possible" in lost for lost in losses(pairs, "pharaoh", possible=sign))
        assert links(read(written(pairs, "pharaoh", possible=sign)).pairs) == links(pairs)

    @settings(max_examples=30)
    @given(pairs=pairs_with_links())
    def test_sentence_files(self, pairs):
        for source, target in (write_sentence_lines(pairs), write_wpt_sentences(pairs)):
            back = read_sentence_files("".join(source).encode(), "".join(target).encode(), names=["s", "t"])
            assert [pair[1:3] for pair in back.pairs] == [pair[1:3] for pair in pairs]

    @given(pair=PAIR)
    def test_pharaoh_is_read_as_nltk_reads_it(self, pair):
        from nltk.translate import Alignment as NltkAlignment  # a slow import

        line = written([pair], "pharaoh").decode().strip()
        theirs = {tuple(link) for link in NltkAlignment.fromstring(line)} if line else set()
        assert theirs == pair.alignment.sure == read(f"{line}\n", "pharaoh").pairs[0].alignment.sure

    @given(pair=PAIR)
    def test_a3_whatever_the_words_are(self, pair):
        """The test writes the file as GIZA++ does, with at most one link per target token, and NULL for all other
        tokens.
        """
        source, target = pair.source, pair.target
        maker = {j: min(i for i, j_ in pair.alignment.links if j_ == j) for _, j in pair.alignment.links}
        groups = {i: [j + 1 for j in range(len(target)) if maker.get(j, -1) == i] for i in range(-1, len(source))}
        text = (
            f"# Sentence pair (1) source length {len(source)} target length {len(target)} alignment score : 1e-9\n"
            f"{' '.join(target)} \n"
            + "".join(
                f"{word} ({{ {''.join(f'{j} ' for j in groups[i])}}}) "
                for i, word in zip(range(-1, len(source)), ("NULL", *source), strict=True)
            )
        )
        corpus = read(text)
        assert corpus.format == "giza"
        assert corpus.pairs[0][1:3] == (source, target)
        assert corpus.pairs[0].alignment == Alignment.of((i, j) for j, i in maker.items())
        assert bool(corpus.notes) == bool(groups[-1])


class TestFormatsAsTheyOccur:
    def test_pharaoh(self):
        assert links(read("0-0 1?2 3p1\n\n10-2\r\n").pairs) == [
            ([(0, 0)], [(1, 2), (3, 1)]),
            ([], []),
            ([(10, 2)], []),
        ]

    def test_wpt(self):
        corpus = read("0002 1 1\n2 2 3 P 0.7\n4 1 2 s\n4 0 3 P\n")
        assert links(corpus.pairs) == [([], []), ([(0, 0)], [(1, 2)]), ([], []), ([(0, 1)], [])]
        assert [pair.id for pair in corpus.pairs] == ["1", "2", "3", "4"]
        assert corpus.notes == [
            "1 link to NULL excluded",
            "confidence of 1 link excluded",
            "2 pairs without a line counted as pairs without links",
        ]

    def test_jacana(self):
        corpus = read(
            json.dumps(
                [
                    {
                        "id": "n:1",
                        "name": "n:1",
                        "source": "They had gone .",
                        "target": "They left .",
                        "sureAlign": "0-0 3-2",
                        "possibleAlign": "1-1 2-1",
                    },
                    {"id": 7, "source": "Yes .", "target": "No ."},
                ]
            )
        )
        assert links(corpus.pairs) == [([(0, 0), (3, 2)], [(1, 1), (2, 1)]), ([], [])]
        assert corpus.pairs[0].source == ("They", "had", "gone", ".")
        assert corpus.pairs[1].id == "7"

    def test_talp(self):
        corpus = read("1s1 2p3 0s2\n\n")
        assert links(corpus.pairs) == [([(0, 0)], [(1, 2)]), ([], [])]
        assert corpus.notes == ["1 link to NULL excluded"]

    def test_goldalign_with_blank_and_absent_cells(self):
        corpus = read("8:1\tdoes it hurt\tN/A\tis it bad\t \t1\t1\t0-0 1-1\t2-2\t \n8:2\ta\t\tb\tc.html\t1\t1\tN/A\n")
        assert links(corpus.pairs) == [([(0, 0), (1, 1)], [(2, 2)]), ([], [])]
        assert corpus.notes == ["links to context or comments of 1 pair excluded"]

    def test_wpt_takes_its_sentences_by_number_or_by_place(self):
        numbered = read_sentence_files(
            b"<s snum=4> a b </s>\n<s snum=7>c</s>\n", b"<s snum=7> z </s>\n<s snum=4> x y </s>\n", names=["s", "t"]
        )
        assert links(read("7 1 1 S\n", sentences=numbered).pairs) == [([], []), ([(0, 0)], [])]
        named = read_sentences(b"id,source,target\nn:4,a b,x y\nn:7,c,z\n", name="pairs.csv")
        corpus = read("2 1 1 S\n", sentences=named)
        assert [(pair.id, pair.target) for pair in corpus.pairs] == [("n:4", ("x", "y")), ("n:7", ("z",))]
        assert links(corpus.pairs) == [([], []), ([(0, 0)], [])]

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_byte_order_mark_and_line_ends(self, mark, end):
        for text in ("0-0 1-1|0-0|", "1 1 1 S|2 1 1 S|", "1s1 2s2|1s1|"):
            assert [sure for sure, _ in links(read(mark + text.replace("|", end).encode()).pairs)][1] == [(0, 0)]

    def test_a_file_of_blank_lines_is_pairs_without_links(self):
        assert links(read("\n\n").pairs) == [([], []), ([], [])]


class TestTelling:
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("\n2?1 0-0\n", "pharaoh"),
            ("1p1 2p2 3s3\n", "talp"),
            ("1 1 1\n", "wpt"),
            (' [ {"id": 1}]', "jacana"),
            ("i\ta\t\tb\t\t1\t1\t0-0\t\t\n", "goldalign"),
        ],
    )
    def test_the_format_is_told_from_the_file(self, text, name):
        assert detect(text.encode(), name="x") == name

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("1p1 2p2\n", "pharaoh (starting at 0) and talp (starting at 1)"),
            ('<sentence id="1" status="">\n', "accord ists"),
            ("<s snum=1> a </s>\n", "the file contains sentences, not links"),
            ("hello world\n", "the format of the file is unknown. Specify one of the formats pharaoh, wpt"),
        ],
    )
    def test_what_cannot_be_told_is_said(self, text, said):
        [(_, _, message)] = faults(text)
        assert said in message


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
        assert message == "the number of lines is 1, but pairs.tsv has 2 sentence pairs"

    def test_blinker_by_file_and_line(self):
        from alignment_ui.pairs.formats.blinker import archive

        data = archive([("samp1.SentPair10", "1 1\n"), ("samp1.SentPair9", "1 1\n2 x\n0 1\n"), ("README", "")])
        assert faults(data) == [
            (2, None, "in samp1.SentPair9, '2 x' is not a link. Write a link as two numbers, such as 4 1")
        ]
        two = archive([("A1/samp1.SentPair0", "1 1\n"), ("A2/samp1.SentPair0", "")])
        assert "Each folder contains the links of one annotator" in faults(two)[0][2]
        assert "cannot be read" in faults(data[:100])[0][2]

    def test_an_archive_is_limited_before_it_is_unpacked(self, monkeypatch):
        from alignment_ui.pairs.formats import blinker

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
        from alignment_ui.pairs.formats.blinker import archive

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

    @settings(max_examples=60)
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


class TestMatching:
    def corpus(self, name, format_name, ids, *keys):
        pairs = [SentencePair(key, None, None, Alignment.of([(n, n)]), n) for n, key in enumerate(keys, start=1)]
        return Corpus(name, format_name, ids, pairs)

    def test_by_id_where_both_have_their_own(self):
        gold = self.corpus("gold", "jacana", "own", "a", "b", "c")
        matched = match(gold, self.corpus("system", "goldalign", "own", "c", "a", "b"))
        assert [(one.id, other.id) for one, other in matched.pairs] == [("a", "a"), ("b", "b"), ("c", "c")]

    def test_by_place_where_one_has_none_or_numbers(self):
        gold = self.corpus("gold", "jacana", "own", "a", "b")
        for other in (self.corpus("s", "pharaoh", "none", None, None), self.corpus("s", "wpt", "numbers", "1", "2")):
            assert [pair.line for _, pair in match(gold, other).pairs] == [1, 2]

    def test_pairs_without_a_fellow_are_named_by_line(self):
        gold = self.corpus("gold", "jacana", "own", "a", "b")
        with pytest.raises(TableError) as raised:
            match(gold, self.corpus("system", "jacana", "own", "a", "x"))
        assert raised.value.faults == [
            Fault(None, None, "pair b is in gold, line 2, but not in this file"),
            Fault(2, None, "pair x is not in gold"),
        ]

    def test_wpt_has_no_line_for_a_pair_without_links(self):
        matched = match(self.corpus("gold", "talp", "none", None, None), self.corpus("s", "wpt", "numbers", "1"))
        assert [len(pair.alignment.links) for _, pair in matched.pairs] == [1, 0]
        assert matched.notes == ["1 pair of gold missing from s and counted as pairs without links"]
        with pytest.raises(TableError, match="the file has 1 pair, but gold has 2"):
            match(self.corpus("gold", "talp", "none", None, None), self.corpus("s", "pharaoh", "none", None))

    def test_other_sentences_are_a_fault(self):
        one, other = (Corpus(n, "jacana", "own", [SentencePair("a", (n,), ("x",), line=4)]) for n in ("gold", "system"))
        with pytest.raises(TableError) as raised:
            match(one, other)
        assert raised.value.faults == [Fault(4, "source", "pair a has a different sentence in gold")]
