"""Tests of word-alignment formats: written files can be read, faults are reported by line, and no file is
read in part.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.formats.registry import FORMATS, detect, losses
from accord_core.pairs.formats.sentences import read_sentence_files, read_sentences, write_sentence_lines
from accord_core.pairs.formats.wpt import write_wpt_sentences
from accord_core.pairs.numerics.links import Alignment
from tests.alignment_ui.pairs.alignments import faults, links, read, sentences_of, written

WORDS = st.sampled_from(
    ["the", "left", ".", "({", "})", '"', "3", "3-4", "NULL", "שלום", "N/A", "[", "#", "😀", '"data":{']
)


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


class TestRoundTrip:
    @given(pairs=pairs_with_links())
    def test_a_format_loses_what_it_says_and_nothing_else(self, pairs):
        for name in (name for name, each in FORMATS.items() if each.writable):
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

    @given(pairs=pairs_with_links(), sign=st.sampled_from("?p"))
    def test_pharaoh_with_a_sign_keeps_possible_links(self, pairs, sign):
        assert not any("possible" in lost for lost in losses(pairs, "pharaoh", possible=sign))
        assert links(read(written(pairs, "pharaoh", possible=sign)).pairs) == links(pairs)

    @given(pairs=pairs_with_links())
    def test_sentence_files(self, pairs):
        for source, target in (write_sentence_lines(pairs), write_wpt_sentences(pairs)):
            back = read_sentence_files("".join(source).encode(), "".join(target).encode(), names=["s", "t"])
            assert [pair[1:3] for pair in back.pairs] == [pair[1:3] for pair in pairs]

    @pytest.mark.nightly
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
            (' [ {"sureAlign": ""}]', "jacana"),
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
