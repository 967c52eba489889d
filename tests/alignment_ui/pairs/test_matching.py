"""Tests of sentences and links from two files, which are matched by ID or by place."""

import pytest

from accord_core.exchange.faults import Fault, TableError
from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.matching import match
from accord_core.pairs.numerics.links import Alignment


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
