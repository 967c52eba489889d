"""Compares the chunker with the gold chunks of interpretable STS, for tags from any tagger.

    CORPORA=folder python -m bench.chunker sent1.conllu sent2.conllu

CORPORA contains `ists/` with the sentences (`images.sent1.txt`) and their gold chunks (`images.sent1.chunk.txt`). The
corpus has no tags. The two CoNLL-U files contain the same sentences with the tags of a tagger or a spaCy model. The
rules were developed using the first 150 pairs, so the last 100 pairs are printed separately.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from accord_core.chunks.formats.chunk_files import read_sentences
from accord_core.chunks.formats.tagged import read_tagged
from accord_core.chunks.numerics.chunk_scores import chunk_scores
from accord_core.chunks.numerics.chunker import chunks_of

SEEN = 150


def main() -> None:
    folder = Path(os.environ["CORPORA"]) / "ists"
    seen, unseen = [], []
    for number, path in enumerate(sys.argv[1:3], start=1):
        name = f"images.sent{number}.chunk.txt"
        gold = read_sentences((folder / name).read_bytes(), name=name)
        tagged = read_tagged(Path(path).read_bytes(), name=path)
        for place, (one, other) in enumerate(zip(gold, tagged, strict=True)):
            assert one.tokens == other.forms, f"{path}, sentence {place + 1}: other tokens than in {name}"
            (seen if place < SEEN else unseen).append((one.tokens, one.chunks or (), chunks_of(other.tokens)))
    for title, sentences in (("pairs 1 to 150", seen), ("pairs 151 to 250", unseen), ("all pairs", seen + unseen)):
        scores = chunk_scores(sentences)
        figures = ", ".join(
            f"{each.name} {each.value:.3f} ({each.low:.3f}–{each.high:.3f})" for each in scores.measures
        )
        print(
            f"{title}: {scores.gold:,} chunks, {figures}; sentences {scores.correct_sentences / scores.sentences:.3f}"
        )


if __name__ == "__main__":
    main()
