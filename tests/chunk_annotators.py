"""Simulated annotators of chunk alignments, who differ in their errors in links, types and scores."""

from __future__ import annotations

import numpy as np

from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.link_cells import AnnotatedPair

MISSED, WRONG_TYPE, SCORE_ERROR = (0.02, 0.1, 0.4), (0.03, 0.15, 0.5), (0.2, 0.5, 1.1)
BIASES = (0.0, 0.4, -0.6)


def simulated(count, seed, people=3):
    """Return pairs with true links, and annotators with different errors in links, types and scores."""
    draw = np.random.default_rng(seed)
    pairs, truth = [], []
    for number in range(count):
        n = int(draw.integers(4, 8))
        words = tuple(f"w{place}" for place in range(n))
        other = tuple(word if draw.random() < 0.3 else f"{word}x" for word in words)
        true = {}
        for place in range(n):
            if draw.random() < 0.8:
                kind = "EQUI" if words[place] == other[place] else str(draw.choice(["SPE1", "SIMI", "REL"]))
                true[place] = place, kind, 5.0 if kind == "EQUI" else float(draw.integers(1, 5))
        answers = {who: drawn(true, n, who, draw) for who in range(people)}
        truth.append(annotation(number, words, other, true))
        pairs.append(AnnotatedPair({who: annotation(number, words, other, own) for who, own in answers.items()}))
    return pairs, truth


def drawn(true, n, who, draw):
    own, used = {}, set()
    for place, (target, kind, score) in true.items():
        if draw.random() < MISSED[who]:
            continue
        if draw.random() < MISSED[who] / 3:
            target = int(draw.integers(n))
        if draw.random() < WRONG_TYPE[who]:
            kind = str(draw.choice(["SPE1", "SIMI", "REL"]))
        rough = (3.0 if score == 5 else score) + BIASES[who] + draw.normal() * SCORE_ERROR[who]
        if target not in used:
            own[place] = target, kind, 5.0 if kind == "EQUI" else float(np.clip(np.round(rough), 0, 4))
            used.add(target)
    return own


def annotation(number, source, target, links):
    parts = [ChunkLink((a,), (b,), kind, score=score) for a, (b, kind, score) in links.items()]
    parts += [ChunkLink((a,), (), "NOALI") for a in range(len(source)) if a not in links]
    taken = {b for b, *_ in links.values()}
    parts += [ChunkLink((), (b,), "NOALI") for b in range(len(target)) if b not in taken]
    return IstsPair(str(number), source, target, tuple(parts))
