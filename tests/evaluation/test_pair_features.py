"""Tests of word-vector baselines and of features of sentence pairs: brute force, recorded parses, and the commands."""

import csv
import gzip
import io
import json
import struct
import tracemalloc

import numpy as np
import pytest
import scipy
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.evaluation.formats.word_vectors import open_word_vectors
from accord_core.evaluation.numerics.parsed_features import noun_phrases, parsed_features
from accord_core.evaluation.numerics.pooling import cosines, coverage, pooled
from accord_core.exchange import extras
from accord_core.exchange.conllu import read_conllu, write_conllu
from accord_core.exchange.faults import TableError
from accord_core.exchange.parses import parses_of
from annotate.commands.main import main

# Two parses: one with the labels of Universal Dependencies, and one with the labels of spaCy's English models.
RECORDED = """# sent_id = p1:1
# text = The old man's dog can't see the two cats.
1	The	the	DET	DT	_	3	det	_	_
2	old	old	ADJ	JJ	_	3	amod	_	_
3	man	man	NOUN	NN	_	5	nmod:poss	_	_
4	's	's	PART	POS	_	3	case	_	_
5	dog	dog	NOUN	NN	_	8	nsubj	_	_
6-7	can't	_	_	_	_	_	_	_	_
6	ca	can	AUX	MD	_	8	aux	_	_
7	n't	not	PART	RB	_	8	advmod	_	_
8	see	see	VERB	VB	_	0	root	_	_
9	the	the	DET	DT	_	11	det	_	_
10	two	two	NUM	CD	_	11	nummod	_	_
11	cats	cat	NOUN	NNS	_	8	obj	_	_
12	.	.	PUNCT	.	_	8	punct	_	_

# text = She saw New York in the rain
1	She	she	PRON	PRP	_	2	nsubj	_	_
2	saw	see	VERB	VBD	_	0	root	_	_
3	New	New	PROPN	NNP	_	4	compound	_	_
4	York	York	PROPN	NNP	_	2	dobj	_	_
5	in	in	ADP	IN	_	2	prep	_	_
6	the	the	DET	DT	_	7	det	_	_
7	rain	rain	NOUN	NN	_	5	pobj	_	_

"""
NOUNS = ["dog", "cat", "horse", "ship", "boat", "tree"]
VERBS = ["sees", "hears", "finds"]
words = st.lists(st.sampled_from(["dog", "Dog", "cat", "unknown", "ship"]), max_size=6)


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments)], input=stdin)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def vector_table(width=4):
    generator = np.random.default_rng(3)
    return {word: generator.normal(size=width).astype("<f4") for word in [*NOUNS, *VERBS, "the", "a", "York"]}


def text_file(table):
    return "".join(f"{word} {' '.join(map(repr, map(float, vector)))}\n" for word, vector in table.items()).encode()


def binary_file(table):
    rows = b"".join(word.encode() + b" " + struct.pack(f"<{len(v)}f", *v) + b"\n" for word, v in table.items())
    return f"{len(table)} {len(next(iter(table.values())))}\n".encode() + rows


def parsed_line(item, side, subject, verb, thing):
    cells = [("The", "DET", 2, "det"), (subject, "NOUN", 3, "nsubj"), (verb, "VERB", 0, "root")]
    cells += [("a", "DET", 5, "det"), (thing, "NOUN", 3, "obj"), (".", "PUNCT", 3, "punct")]
    rows = [f"{n}\t{form}\t_\t{tag}\t_\t_\t{head}\t{role}\t_\t_" for n, (form, tag, head, role) in enumerate(cells, 1)]
    return "\n".join([f"# sent_id = {item}:{side}", *rows, "", ""])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with 40 items, whose scores follow the relatedness of their objects, their parses and vectors."""
    monkeypatch.chdir(tmp_path)
    draws, table = np.random.default_rng(8), vector_table()
    items, scores, parses = ["id,sentence1,sentence2,source"], ["item,score,length,mood,rank"], []
    for number in range(40):
        (one, other), (thing, object2) = draws.choice(NOUNS, (2, 2))
        verbs = draws.choice(VERBS, 2)
        items.append(f"p{number},The {one} {verbs[0]} a {thing}.,The {other} {verbs[1]} a {object2}.,s{number % 2}")
        related = cosines(table[thing][None].astype(float), table[object2][None].astype(float))[0]
        scores.append(f"p{number},{related + draws.normal() / 5:.4f},{number if number % 4 else ''},calm,{number}")
        parses += [
            parsed_line(f"p{number}", 1, one, verbs[0], thing),
            parsed_line(f"p{number}", 2, other, verbs[1], object2),
        ]
    for name, lines in (("items.csv", items), ("scores.csv", scores)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    (tmp_path / "items.conllu").write_text("".join(parses))
    (tmp_path / "vectors.bin.gz").write_bytes(gzip.compress(binary_file(table)))
    (tmp_path / "vectors.txt").write_bytes(text_file(table))
    return tmp_path


class TestPooling:
    @given(st.lists(words, min_size=1, max_size=6), st.sampled_from(["mean", "max"]))
    def test_pooling_by_brute_force(self, sentences, pooling):
        vectors = {"dog": np.array([1.0, 2.0]), "Dog": np.array([-3.0, 0.5]), "cat": np.array([0.0, 4.0])}
        result = pooled(sentences, vectors, pooling)
        for row, tokens in zip(result, sentences, strict=True):
            known = [vectors[token] for token in tokens if token in vectors]
            if not known:
                assert np.isnan(row).all()
                continue
            for dimension in range(2):
                values = [vector[dimension] for vector in known]
                expected = sum(values) / len(values) if pooling == "mean" else max(values)
                assert row[dimension] == pytest.approx(expected)

    def test_lower_case_is_the_second_choice_and_coverage_counts_tokens(self):
        vectors = {"dog": np.array([1.0, 0.0]), "Cat": np.array([0.0, 2.0])}
        assert pooled([["Dog", "Cat"]], vectors).tolist() == [[0.5, 1.0]]
        assert coverage([["Dog", "dog", "cat"], ["Cat"]], vectors) == (4, 3, 4, 3)

    def test_cosines_are_those_of_scipy(self):
        one, other = np.random.default_rng(1).normal(size=(2, 20, 5))
        expected = [1 - scipy.spatial.distance.cosine(x, y) for x, y in zip(one, other, strict=True)]
        assert cosines(one, other) == pytest.approx(expected)
        assert np.isnan(cosines(np.array([[0.0, 0.0], [np.nan, 1]]), np.ones((2, 2)))).all()

    def test_cosines_of_very_large_and_very_small_vectors_are_defined(self):
        vectors = np.array([[3e200, 4e200], [3e-200, 4e-200]])
        assert cosines(vectors, np.array([[1.0, 0.0], [0.0, 1.0]])) == pytest.approx([0.6, 0.8])


class TestWordVectorFiles:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    @pytest.mark.parametrize("write", [text_file, binary_file])
    def test_each_format_gives_the_same_vectors(self, tmp_path, write, pack):
        table = vector_table()
        (tmp_path / "v").write_bytes(pack(write(table)))
        found = open_word_vectors(str(tmp_path / "v"), {"dog", "York", "absent"})
        assert found.keys() == {"dog", "York"}
        assert all(vector == pytest.approx(table[word]) for word, vector in found.items())

    def test_names_with_spaces_are_not_their_first_word(self, tmp_path):
        (tmp_path / "v").write_text("the 1 2\nat name@example.org 3 4\nat 5 6\n")
        assert open_word_vectors(str(tmp_path / "v"), {"at"})["at"].tolist() == [5, 6]

    def test_damaged_files(self, tmp_path):
        (tmp_path / "short").write_bytes(binary_file(vector_table())[:-9])
        (tmp_path / "packed").write_bytes(gzip.compress(text_file(vector_table(300)))[:-20])
        with pytest.raises(TableError, match="the file ends in vector 12, but the first line announces 12 vectors"):
            open_word_vectors(str(tmp_path / "short"), {"dog"})
        with pytest.raises(TableError, match="cannot be unpacked"):
            open_word_vectors(str(tmp_path / "packed"), {"York"})
        damaged = bytearray((tmp_path / "packed").read_bytes())
        damaged[10:14] = b"\xff" * 4
        (tmp_path / "packed").write_bytes(damaged)
        with pytest.raises(TableError, match="cannot be unpacked"):
            open_word_vectors(str(tmp_path / "packed"), {"York"})

    @pytest.mark.parametrize("write", [text_file, binary_file])
    def test_large_files_need_little_memory(self, tmp_path, write):
        block = write({f"w{n}": np.zeros(300, "<f4") for n in range(500)})
        header, _, rows = block.partition(b"\n") if write is binary_file else (b"500 300", b"", block)
        header = header.replace(b"500", b"7500", 1)
        (tmp_path / "v").write_bytes(header + b"\n" + rows * 15)
        tracemalloc.start()
        try:
            assert open_word_vectors(str(tmp_path / "v"), {"absent"}) == {}
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 6_000_000 < (tmp_path / "v").stat().st_size


class TestParses:
    def test_words_and_noun_phrases_of_recorded_parses(self):
        first, second = read_conllu(RECORDED.encode(), name="r")
        assert [word.form for word in first.tokens][5:7] == ["ca", "n't"]
        assert (first.tokens[4].head, first.tokens[7].head, first.tokens[7].relation) == (7, -1, "root")
        assert noun_phrases(first.tokens) == ["old man 's dog", "two cats"]
        assert noun_phrases(second.tokens) == ["she", "new york", "rain"]
        again = "".join(write_conllu([first, second]))
        assert [each.tokens for each in read_conllu(again.encode(), name="r")] == [first.tokens, second.tokens]

    def test_features_of_a_pair(self):
        first, second = parses_of(
            read_conllu(RECORDED.encode(), name="r"),
            {"p1": ("The old man's dog can't see the two cats.", "She saw New  York in the rain")},
            name="r",
        )
        found = parsed_features(first, second, {"cats": np.array([1.0, 0.0]), "York": np.array([1.0, 1.0])})
        assert found["related:object"] == pytest.approx([1 / np.sqrt(2)])
        assert found["shared:DET"] == pytest.approx([1.0])  # “The” and “the”
        assert found["shared:subject"] == pytest.approx([0.0])
        assert found["noun_phrases"].tolist() == [5]
        assert "shared:PROPN" not in found  # only one of the sentences has a proper noun
        assert "related:object" not in parsed_features(first, second)

    def test_spacy_models(self, folder, monkeypatch):
        class Token:
            tag_ = "NN"

            def __init__(self, i, text):
                self.i, self.text, self.lemma_, self.head = i, text, text.lower(), self
                self.pos_, self.dep_, self.is_space = "NOUN", "ROOT", not text.strip()
                self.morph = self

            def to_dict(self):
                return {"Number": "Sing"}

        class Spacy:
            @staticmethod
            def load(model):
                if model == "absent":
                    raise OSError("no model")
                return Spacy

            @staticmethod
            def pipe(texts):
                for text in texts:
                    tokens = [
                        Token(n, form) for n, form in enumerate(text.replace(".", " .").replace(" a", "  a").split(" "))
                    ]
                    tokens[1].head, tokens[1].dep_ = tokens[2], "nsubj"
                    yield tokens

        monkeypatch.setattr(extras, "import_module", lambda name: Spacy)
        result = accord("parse", "items.csv", "--model", "en_core_web_sm", "-o", "spacy.conllu")
        assert result.exit_code == 0, result.stderr
        parsed = read_conllu((folder / "spacy.conllu").read_bytes(), name="s")
        assert len(parsed) == 80
        assert parsed[0].comments["sent_id"] == "p0:1"
        assert (parsed[0].tokens[1].head, parsed[0].tokens[1].relation, parsed[0].tokens[0].relation) == (
            2,
            "nsubj",
            "root",
        )
        assert all(word.form for word in parsed[0].tokens)
        missing = accord("parse", "items.csv", "--model", "absent")
        assert missing.stderr.strip().endswith("Install the model with python -m spacy download absent")

        def absent(name):
            raise ModuleNotFoundError(name=name)

        monkeypatch.setattr(extras, "import_module", absent)
        assert "Parsing needs the extra ‘spacy’" in accord("parse", "items.csv", "--model", "m").stderr


class TestCommands:
    @pytest.mark.nightly
    def test_word_vectors_predict_what_evaluate_relatedness_reads(self, folder):
        result = accord("word-vectors", "items.csv", "vectors.bin.gz", "--pooling", "max", "-o", "max.csv")
        assert result.exit_code == 0, result.stderr
        # The full stop of each sentence has no vector. “The” is covered by its lower-case form.
        assert "400 of 480 tokens (83.3%) and" in result.stderr
        scored = accord("relatedness", "scores.csv", "max.csv", "--items", "items.csv", "--json")
        assert json.loads(scored.stdout)["items"] == 40
        first = rows_of((folder / "max.csv").read_text())[0]
        table = vector_table()
        _, *texts, _ = rows_of((folder / "items.csv").read_text())[0].values()
        one, other = (np.max([table[word.lower()] for word in text.rstrip(".").split()], axis=0) for text in texts)
        assert float(first["score"]) == pytest.approx(1 - scipy.spatial.distance.cosine(one, other), abs=1e-5)

    def test_pairs_without_vectors_are_reported(self, folder):
        (folder / "few.txt").write_text("ship 1 0\nboat 1 1\n")
        result = accord("word-vectors", "items.csv", "few.txt")
        missing = int(result.stderr.split(" items, no token of a sentence has a vector")[0].split()[-1])
        assert missing == sum(row["score"] == "0.000000" for row in rows_of(result.stdout)) > 0
        (folder / "none.txt").write_text("x 1 0\n")
        assert "no vector for any token" in accord("word-vectors", "items.csv", "none.txt").stderr

    @pytest.mark.parametrize("vectors", [b"", b"\n", b"5 3\n", b"unknown 1 2\n"])
    def test_features_need_a_vector(self, folder, vectors):
        (folder / "empty.txt").write_bytes(vectors)
        result = accord("features", "scores.csv", "--items", "items.csv", "--word-vectors", "empty.txt")
        assert "empty.txt: the file has no vector for any token of the items" in result.stderr

    def test_correlations_of_features(self, folder):
        arguments = [
            "--items",
            "items.csv",
            "--parses",
            "items.conllu",
            "--word-vectors",
            "vectors.txt",
            "--resamples",
            50,
        ]
        result = accord("features", "scores.csv", *arguments, "--values", "values.csv", "--json")
        assert result.exit_code == 0, result.stderr
        rows = {row["name"]: row for row in json.loads(result.stdout)}
        values, scores = rows_of((folder / "values.csv").read_text()), rows_of((folder / "scores.csv").read_text())
        collected = np.array([float(row["score"]) for row in scores])
        for name in ("dice", "related:object", "shared:subject", "noun_phrases", "column:length"):
            cells = np.array([float(row[name.replace(":", "_")] or "nan") for row in values])
            known = ~np.isnan(cells)
            if name == "noun_phrases":
                assert rows[name]["value"] is None  # every pair has four noun phrases
                continue
            assert rows[name]["value"] == pytest.approx(scipy.stats.spearmanr(cells[known], collected[known])[0])
            assert rows[name]["items"] == known.sum()
            assert rows[name]["low"] < rows[name]["value"] < rows[name]["high"]
        assert rows["related:object"]["value"] > 0.8 > abs(rows["related:subject"]["value"])
        assert (rows["column:length"]["items"], "column:mood" in rows, "column:rank" in rows) == (30, False, False)
        assert list(rows).index("related:all") < list(rows).index("related:object")
        latex = accord("features", "scores.csv", *arguments, "--format", "latex").stdout
        assert "related objects & 40 &" in latex

    def test_bad_requests_are_one_line(self, folder):
        (folder / "short.conllu").write_text("".join((folder / "items.conllu").read_text().split("\n\n")[0]) + "\n\n")
        for arguments, message in (
            (
                ["--parses", "items.conllu"],
                "Parses and word vectors can be used only if the sentences are known. Add --items FILE",
            ),
            (["--column", "mood"], "column mood: the column is missing, or does not contain at least three different"),
            (["--items", "items.csv", "--parses", "short.conllu"], "sentence 2 of p0 has no parse (sent_id p0:2)"),
        ):
            result = accord("features", "scores.csv", *arguments)
            assert result.exit_code in (1, 2)
            assert message in result.stderr.splitlines()[-1]
