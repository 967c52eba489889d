"""Tests of files with vectors, predictions, labels and tables: the formats that readers accept, and the reported
faults.
"""

import io

import numpy as np
import pytest

from accord_core.evaluation.formats.predictions import numbers_in, read_predictions, read_scores, with_items
from accord_core.evaluation.formats.vectors import read_vectors, read_word_vectors, vectors_of_sentences
from accord_core.exchange.faults import TableError
from accord_core.paraphrase.systems.formats.paraphrase_tables import read_domain_labels, read_table_pairs
from accord_core.paraphrase.systems.numerics.paraphrase_tables import table_scores

ROWS = np.array([[1.0, 0.5], [-2.0, 0.0], [3.0, 4e-3]])


NO_TEXT = "the file is not text. Use an array (.npy), CSV, or the text format of word2vec (not its binary format)"


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def faults(read, *arguments, **options):
    with pytest.raises(TableError) as raised:
        read(*arguments, **{"name": "f", **options})
    return [str(fault) for fault in raised.value.faults]


class TestVectors:
    @pytest.mark.parametrize(
        ("data", "names"),
        [
            (npy(ROWS), None),
            (npy(ROWS.astype("float32")), None),
            (b"1,0.5\n-2,0\n3,4e-3\n", None),
            (b"x;y\n1;0.5\n-2;0\n3;4e-3\n", None),
            (b'sentence,x,y\na b,1,0.5\nc,-2,0\n"d, e",3,4e-3\n', ["a b", "c", "d, e"]),
            (b"a,1,0.5\nb,-2,0\nc,3,4e-3\n", ["a", "b", "c"]),
            (b"3 2\na_b 1 0.5\nc -2 0 \nd 3 4e-3\n", ["a_b", "c", "d"]),
            (b"\xef\xbb\xbfa 1 0.5\r\nb -2 0\r\nc 3 4e-3", ["a", "b", "c"]),
        ],
    )
    def test_each_form(self, data, names):
        found = read_vectors(data, name="f")
        assert found.values == pytest.approx(ROWS)
        assert found.names == names

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            (
                b"1,2\n3\n4,x\n5,nan\n",
                [
                    "line 2: the line has 1 numbers, but line 1 has 2",
                    "line 3: number 2 is “x”, which is not a number",
                    "line 4: number 2 is nan, which is not finite",
                ],
            ),
            (
                b"3 2\na 1 2\na 3 4\nb 1 inf",
                ["line 3: “a” is already on line 2", "line 4: number 2 is inf, which is not finite"],
            ),
            (
                npy([[1.0, 2], [np.nan, np.inf], [1, -np.inf]]),
                ["row 2, number 1: nan is not a finite number", "row 3, number 2: -inf is not a finite number"],
            ),
            (
                npy(np.ones(3)),
                ["the array has the shape (3,) and the type float64. It must have one row of numbers per sentence"],
            ),
            (npy(ROWS)[:-8], None),
            (b"3 2\na \x00\x01", [NO_TEXT]),
            (b"", ["the file is empty"]),
        ],
    )
    def test_bad_files_by_line(self, data, told):
        found = faults(read_vectors, data)
        assert found == told if told else found[0].startswith("the array cannot be read")

    def test_pickles_are_not_run(self):
        assert faults(read_vectors, npy(np.array([{}], dtype=object)))[0].startswith("the array cannot be read")

    def test_for_sentences_in_order_or_by_name_or_by_number(self):
        sentences = ["b c", "a"]
        in_order = read_vectors(b"1,2\n3,4\n", name="f")
        by_name = read_vectors(b"a 3 4\nb_c 1 2\nfurther 0 0\n", name="f")
        by_number = read_vectors(b"2 3 4\n1 1 2\n", name="f")
        for vectors in (in_order, by_name, by_number):
            assert vectors_of_sentences(vectors, sentences, name="f").tolist() == [[1, 2], [3, 4]]

    def test_for_sentences_the_wrong_number_or_none_or_zero(self):
        vectors = read_vectors(b"1,2\n3,4\n", name="f")
        assert faults(vectors_of_sentences, vectors, ["a"]) == [
            "the file has 2 vectors for 1 sentences. Each sentence needs one vector"
        ]
        named = read_vectors(b"a 1 2\nb 0 0\n", name="f")
        assert faults(vectors_of_sentences, named, ["a", "c d"]) == ["no vector is named “c d” (sentence 2)"]
        assert faults(vectors_of_sentences, named, ["a", "b"])[0].startswith("line 2: the vector is zero")

    def test_words_only_those_wanted_are_read(self):
        lines = [b"4 2\n", b", 1 2\n", b"cat 3 4\n", b"broken x\n", b"Cat 5 6\n"]
        found = read_word_vectors(lines, {"cat", ",", "dog"}, name="f")
        assert {word: vector.tolist() for word, vector in found.items()} == {",": [1, 2], "cat": [3, 4]}
        assert faults(read_word_vectors, lines, {"cat", "broken"}) == ["line 4: number 1 is “x”, which is not a number"]
        assert faults(read_word_vectors, [npy(ROWS)], {"a"})[0].startswith(
            "the file must be in the text format of word2vec"
        )


class TestScores:
    def test_columns_and_sentences(self):
        data = b"PairID,Score,sentence1,sentence2,source\nx,0.5,a b,a c,news\ny,,d,e,wiki\nz,-1,f,g,wiki\n"
        file = read_scores(data, name="f")
        assert (file.items, file.scores, file.unscored) == (["x", "z"], [0.5, -1.0], ["y"])
        assert file.sentences == [("a b", "a c"), ("f", "g")]
        assert file.columns["source"] == ["news", "wiki"]

    def test_two_sentences_in_one_cell(self):
        assert read_scores(b'id,text,score\nx,"a b\nc d",1\n', name="f").sentences == [("a b", "c d")]
        assert read_scores(b"id,text,score\nx,a b,1\n", name="f").sentences is None

    def test_bad_scores_by_line(self):
        assert faults(read_scores, b"item,score\na,1\na,2\n,3\nb,high\nc,nan\n") == [
            "line 3, column item: a is already on line 2",
            "line 4, column item: the cell is empty",
            "line 5, column score: “high” is not a finite number",
            "line 6, column score: “nan” is not a finite number",
        ]
        assert faults(read_scores, b"name,value\na,1\n")[1] == (
            "line 1, column score: the column is missing. The columns are name, value, but scores need item,score"
        )
        assert faults(read_scores, b"item,score\na,\n") == ["no item has a score"]

    def test_predictions_in_the_order_of_the_scores(self):
        assert read_predictions(b"item,score\nb,2\nc,9\na,1\n", ["a", "b"], name="f") == ([1.0, 2.0], 1)

    def test_a_system_predicts_every_item(self):
        assert faults(read_predictions, b"item,score\na,1\n", ["a", "b"]) == [
            "b is missing. A system must predict every item"
        ]
        assert faults(read_predictions, b"item,score\na,\n", ["a"]) == [
            "line 2, column score: a has no score. A system must predict every item"
        ]

    def test_sentences_and_columns_from_the_items(self):
        scores = read_scores(b"item,score,source\ny,1,own\nx,2,own\n", name="f")
        items = b"id,sentence1,sentence2,source,genre\nx,a,b,s,news\nz,c,d,s,law\ny,e,f,s,law\n"
        file = with_items(scores, items, name="i")
        assert file.sentences == [("e", "f"), ("a", "b")]
        assert (file.columns["source"], file.columns["genre"]) == (["own", "own"], ["law", "news"])
        assert faults(with_items, scores, b"id,text\nx,a\nx,b\n") == ["line 3, column id: x is already on line 2"]
        assert faults(with_items, scores, b"id,text\nx,a\n") == ["y has a score, but is missing from this file"]
        assert faults(with_items, scores, b"name,text\nx,a\n") == [
            "line 1, column id: the column is missing. The columns are name, text"
        ]

    def test_numbers_in_a_column(self):
        file = read_scores(b"item,score,sts\na,1,4.5\nb,2,\nc,3,x\n", name="f")
        assert faults(numbers_in, file, "sts") == ["column sts: c: “x” is not a finite number"]


LABELS = b"""phrase,paraphrase,domain,label
hold,keep,law,good
hold,grip,law,bad
hold,contain,law,undecided
run,operate,law,good
hold,keep,sport,bad
hold,grip,sport,good
run,sprint,sport,good
"""


class TestTables:
    def scores(self, table, **options):
        labels = read_domain_labels(LABELS, name="labels")
        listed, _ = read_table_pairs(table, list(labels), name="table")
        return table_scores(labels, listed, **options)

    def test_precision_and_recall_by_hand(self):
        table = b"phrase,paraphrase\nHold,keep\nhold,grip\nhold,contain\nrun,flee\n"
        law = self.scores(table)["domains"]["law"]
        assert (law["listed"], law["judged"], law["undecided"], law["good"]) == (4, 2, 1, 2)
        assert law["coverage"] == 0.5
        assert [law[name]["value"] for name in ("precision", "recall", "f1")] == [0.5, 0.5, 0.5]

    def test_pairs_that_were_never_judged_do_not_change_precision(self):
        table = b"phrase,paraphrase\nhold,keep\n"
        more = table + b"run,flee\nwalk,stroll\n"
        for domain in ("law", "sport"):
            one, other = (self.scores(each)["domains"][domain] for each in (table, more))
            assert one["precision"] == other["precision"]
            assert one["coverage"] > other["coverage"]

    def test_domains_against_each_other(self):
        same = self.scores(b"phrase,paraphrase\nhold,keep\nhold,grip\n")["contrasts"]
        assert [(each["pairs"], each["listed_where_good"], each["told_apart"]) for each in same] == [(1, 1, 0)] * 2
        own = self.scores(b"phrase,paraphrase,domain\nhold,keep,law\nhold,grip,\n")["contrasts"]
        assert own == [
            {
                "good_in": "law",
                "bad_in": "sport",
                "pairs": 1,
                "listed_where_good": 1,
                "listed_where_bad": 0,
                "told_apart": 1,
            },
            {
                "good_in": "sport",
                "bad_in": "law",
                "pairs": 1,
                "listed_where_good": 1,
                "listed_where_bad": 1,
                "told_apart": 0,
            },
        ]

    def test_undefined_with_a_reason(self):
        law = self.scores(b"phrase,paraphrase\nwalk,stroll\n")["domains"]["law"]
        assert (law["precision"]["value"], law["precision"]["reason"]) == (None, "no pair in the table was judged")
        assert (law["recall"]["value"], law["coverage"]) == (0, 0)

    def test_intervals_resample_phrases(self):
        generator = np.random.default_rng(1)
        labels = {
            "d": {
                (f"p{n}", f"q{m}"): "good" if generator.random() < 0.6 else "bad" for n in range(60) for m in range(4)
            }
        }
        listed = {"d": [pair for pair in labels["d"] if pair[1] in ("q0", "q1")]}
        found = table_scores(labels, listed, resamples=500)["domains"]["d"]["precision"]
        error = np.sqrt(0.6 * 0.4 / 120)
        assert found["low"] < found["value"] < found["high"]
        assert found["high"] - found["low"] == pytest.approx(2 * 1.96 * error, rel=0.3)

    def test_bad_files_by_line(self):
        assert faults(read_domain_labels, b"phrase,paraphrase,label\na,b,maybe\n,b,good\na,c,yes\nA,C,no\n") == [
            "line 2, column label: “maybe” is not a label. The labels are good, bad and undecided",
            "line 3, column phrase: the cell is empty",
            "line 5, column paraphrase: the pair already has a label on line 4. Each pair has one label per domain",
        ]
        assert faults(read_domain_labels, b"phrase,label\na,good\n") == [
            "line 1, column paraphrase: the column is missing. The columns are phrase, label"
        ]
        assert faults(read_table_pairs, b"phrase,paraphrase,domain\na,b,art\n", ["law"]) == [
            "line 2, column domain: the domain “art” has no labels. The domains are law"
        ]

    def test_a_pair_listed_twice_counts_once(self):
        listed, twice = read_table_pairs(b"phrase,paraphrase\na,b\nA, b\n", ["law"], name="f")
        assert (listed, twice) == ({"law": {("a", "b")}}, 1)
