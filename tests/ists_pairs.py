"""Chunk alignments for tests: a small file with the irregularities of real files, and random alignments."""

import string
from pathlib import Path

from hypothesis import strategies as st

from accord_core.chunks.numerics.chunks import FLAGS, RELATIONS, UNLINKED, ChunkLink, IstsPair

FILE = (Path(__file__).parent / "fixtures" / "chunks.wa").read_text()


def link(source, target, kind="SIMI", score=3.0, flags=(), **more):
    return ChunkLink(tuple(source), tuple(target), kind, frozenset(flags), score, **more)


def pair(*links, source="a b c d e", target="p q r s t", name="1"):
    return IstsPair(name, tuple(source.split()), tuple(target.split()), links)


words = st.one_of(
    st.sampled_from([".", ",", "'s", "-", ":", "//", "<", "the"]), st.text(string.ascii_letters, min_size=1)
)
sentences = st.lists(words, min_size=1, max_size=7).map(tuple)
flags = st.frozensets(st.sampled_from(FLAGS))
scores = st.sampled_from([0.0, 1.0, 1.5, 2.0, 2.75, 3.0, 4.0, 4.5, 5.0])


@st.composite
def chunk_links(draw, source, target):
    """Return random links that the official checker accepts, including many-to-many links, separated tokens, duplicates
    and unlinked chunks with a score.
    """

    def chunk(sentence):
        return tuple(sorted(draw(st.sets(st.integers(0, len(sentence) - 1), min_size=1, max_size=3))))

    side = draw(st.sampled_from(["both", "both", "source", "target"]))
    if side == "both":
        kind = draw(st.sampled_from(RELATIONS))
        return ChunkLink(chunk(source), chunk(target), kind, draw(flags), draw(scores))
    kind, score = draw(st.sampled_from(UNLINKED)), draw(st.one_of(st.none(), scores))
    return ChunkLink(
        chunk(source) if side == "source" else (), chunk(target) if side == "target" else (), kind, score=score
    )


@st.composite
def pairs(draw, name="1", source=None, target=None):
    source, target = source or draw(sentences), target or draw(sentences)
    links = draw(st.lists(chunk_links(source, target), max_size=6))
    return IstsPair(name, source, target, tuple(links))


@st.composite
def two_annotations(draw, most=3):
    """Return the same sentence pairs with the annotations of two people."""
    first = [draw(pairs(name=str(number))) for number in range(draw(st.integers(1, most)))]
    second = [draw(pairs(name=each.id, source=each.source, target=each.target)) for each in first]
    return first, second
