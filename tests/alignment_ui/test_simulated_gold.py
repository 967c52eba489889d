"""Simulated annotators answer gold questions about pairs that are not items by the expected answer."""

import numpy as np

from alignment_ui.chunks.simulation import simulate_answer as simulate_chunks
from alignment_ui.words.simulation import simulate_answer as simulate_words

SENTENCES = {"source": ["a", "b"], "target": ["c", "d"]}
DRAWS = 100


def test_words() -> None:
    expected = {"sure": [[0, 1]], "possible": [[1, 0]]}
    generator = np.random.default_rng(1)
    drawn = [simulate_words({**SENTENCES, "prealignment": None}, expected, False, generator) for _ in range(DRAWS)]
    assert sum([0, 1] in answer["sure"] for answer in drawn) > DRAWS * 0.7
    assert sum([0, 0] in answer["sure"] for answer in drawn) < DRAWS * 0.2


def test_chunks() -> None:
    chunks = {side: [[0, 1]] for side in SENTENCES}
    link = {"source": 0, "target": 0, "type": "OPPO", "flags": [], "score": 3}
    expected = {"chunks": chunks, "links": [link], "left": []}
    payload = {**SENTENCES, "chunks": {side: [[0], [1]] for side in SENTENCES}, "links": None}
    generator = np.random.default_rng(1)
    drawn = [simulate_chunks(payload, expected, False, True, generator) for _ in range(DRAWS)]
    assert all(answer["chunks"] == chunks for answer in drawn)
    assert sum("OPPO" in {each["type"] for each in answer["links"]} for answer in drawn) > DRAWS * 0.5
