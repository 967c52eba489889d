"""Tests of sentence files, with plain sentences and with chunks in brackets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.formats.chunk_files import (
    ChunkedSentence,
    parse_chunks,
    read_sentence_pairs,
    read_sentences,
    write_chunk_file,
    write_chunks,
)
from accord_core.exchange.faults import TableError
from tests.ists_pairs import sentences

CHUNKS = "[ A cat ] [ sleeps ] [ . ] \n[ It ] [ rains ] \n"


@st.composite
def chunked(draw):
    tokens = draw(sentences)
    ends = sorted(draw(st.sets(st.integers(1, len(tokens)))) | {len(tokens)})
    return tokens, tuple(tuple(range(*both)) for both in zip([0, *ends], ends, strict=False))


class TestChunks:
    def test_tokens_and_chunks_of_a_line(self):
        assert parse_chunks("[ A cat ] [ sleeps ] [ . ] ") == (("A", "cat", "sleeps", "."), ((0, 1), (2,), (3,)))

    @given(chunked())
    def test_what_is_written_is_read_back(self, each):
        assert parse_chunks(write_chunks(*each)) == each

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("[ A cat [ sleeps ]", "position 4 opens a chunk inside another chunk"),
            ("[ A cat ] ] [ sleeps ]", "position 5 closes a chunk that was not opened"),
            ("[ A cat ] [ ]", "position 6 closes an empty chunk"),
            ("[ A cat ] sleeps [ . ]", "“sleeps” at position 5 is not in a chunk"),
            ("[A cat] [sleeps]", "“\\[A” at position 1 is not in a chunk. Put brackets around it"),
            ("[ A cat ] [ sleeps", "the last chunk is not closed"),
        ],
    )
    def test_a_bracket_out_of_place_is_named(self, line, message):
        with pytest.raises(ValueError, match=message):
            parse_chunks(line)

    @pytest.mark.parametrize(
        ("tokens", "chunks", "message"),
        [
            ("a b c", [(0, 2), (1,)], "“a … c” are not adjacent"),
            ("a b", [(0,)], "exactly one chunk"),
            ("a b", [(0, 1), (1,)], "exactly one chunk"),
            ("a b", [(0, 1), ()], "empty"),
            ("a ]", [(0, 1)], "“]” cannot be written between brackets"),
        ],
    )
    def test_what_brackets_cannot_show_is_refused(self, tokens, chunks, message):
        with pytest.raises(ValueError, match=message):
            write_chunks(tokens.split(), chunks)


class TestFiles:
    def test_with_brackets(self):
        read = read_sentences(CHUNKS.encode(), name="s.txt")
        assert read[1] == ChunkedSentence(("It", "rains"), ((0,), (1,)), 2)
        assert "".join(write_chunk_file((each.tokens, each.chunks) for each in read)) == CHUNKS

    @pytest.mark.parametrize("data", [b"A cat\nIt [ rains ]\n\n \n", b"\xef\xbb\xbfA cat\r\nIt [ rains ]"])
    def test_without(self, data):
        assert read_sentences(data, name="s.txt") == [
            ChunkedSentence(("A", "cat"), None, 1),
            ChunkedSentence(("It", "[", "rains", "]"), None, 2),
        ]

    def test_every_faulty_line_is_told(self):
        with pytest.raises(TableError) as caught:
            read_sentences(b"[ a ]\n\n[ b\nc\n[ d ]\n", name="s.txt")
        assert [fault.line for fault in caught.value.faults] == [2, 3, 4]
        assert "the line contains no sentence" in str(caught.value)

    def test_pairs_by_line(self):
        pairs = read_sentence_pairs(CHUNKS.encode(), b"A dog\nIt pours\n", names=("1.txt", "2.txt"))
        assert [(one.tokens, other.tokens) for one, other in pairs][1] == (("It", "rains"), ("It", "pours"))

    def test_files_of_different_length_do_not_pair(self):
        with pytest.raises(TableError, match=r"2\.txt, line 3: the file has 4 sentences, but 1\.txt has 2"):
            read_sentence_pairs(CHUNKS.encode(), b"a\nb\nc\nd\n", names=("1.txt", "2.txt"))
