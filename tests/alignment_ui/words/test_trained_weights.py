"""Tests of `accord align train`: its folds, the comparison with the built-in weights, model files and word vectors."""

import json
import random

import numpy as np
import pytest
from click.testing import CliRunner

from accord_core.exchange.faults import TableError
from accord_core.pairs.formats import aligner_weights
from accord_core.pairs.formats.aligner_weights import Weights, read_weights, write_weights
from accord_core.pairs.numerics import weight_training
from accord_core.pairs.numerics.cells import VECTOR_FEATURES, Cells
from accord_core.pairs.numerics.hidden_markov import train
from accord_core.pairs.numerics.link_network import shipped
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.prealign import align, prealign
from accord_core.pairs.numerics.scripts import script_of
from accord_core.pairs.numerics.weight_training import Example, fold_networks, folds_of, rows_by_fold
from annotate.commands.main import main

NOUNS = ["cat", "dog", "hen", "fox", "cow", "pig", "owl", "bee"]
VERBS = ["sees", "hears", "meets", "hunts"]


def accord(*arguments):
    return CliRunner().invoke(main, ["align", *map(str, arguments)])


def corpus(count=50):
    """Return pairs whose annotators never link the word “the”, and their links."""
    draw = random.Random(1)
    pairs, gold = [], []
    for _ in range(count):
        one, other = draw.sample(NOUNS, 2)
        verb = draw.choice(VERBS)
        pairs.append((["the", one, verb, "the", other], [other, "the", verb, "the", one]))
        gold.append(Alignment.of([(1, 4), (2, 2), (4, 0)]))
    return pairs, gold


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(weight_training, "MEMBERS", 1)
    pairs, gold = corpus()
    (tmp_path / "pairs.tsv").write_text("".join("\t".join(map(" ".join, pair)) + "\n" for pair in pairs))
    (tmp_path / "links").write_text("".join(" ".join(f"{i}-{j}" for i, j in each.sure) + "\n" for each in gold))
    return tmp_path


def features_of(pairs, vectors=None):
    cells = Cells(pairs, vectors)
    return [cells.features(place, posterior) for place, posterior in train(pairs, lambda share: None)]


class TestFolds:
    def test_no_network_learns_from_the_pairs_that_it_aligns(self, monkeypatch):
        monkeypatch.setattr(weight_training, "trained_network", lambda examples, seed, say: examples)
        found = list(fold_networks([f"pair {row}" for row in range(7)], list("abcabca")))
        assert [own for own, _ in found] == [[0, 3, 6], [1, 4], [2, 5]]
        for own, examples in found:
            assert sorted([*(f"pair {row}" for row in own), *examples]) == [f"pair {row}" for row in range(7)]

    def test_repeated_pairs_share_a_fold_and_folds_have_equal_numbers_of_different_pairs(self):
        pairs = [([f"w{number}", "x"], ["y"]) for number in range(53)]
        folds = folds_of([*pairs, *([(["Y"], source) for source, _ in pairs])], seed=3)
        assert folds[:53] == folds[53:]
        assert sorted(map(len, rows_by_fold(folds[:53]))) == [10, 10, 11, 11, 11]
        assert folds[:53] == folds_of(pairs, seed=3) != folds_of(pairs, seed=4)

    def test_the_last_features_can_be_left_out(self):
        example = Example(np.arange(12.0).reshape(1, 2, 6), np.zeros((1, 2)), np.zeros((1, 2), dtype=bool))
        assert example.without_last(2).features.tolist() == [[[0, 1, 2, 3], [6, 7, 8, 9]]]


class TestCommand:
    @pytest.mark.nightly
    def test_weights_learn_a_convention_that_the_built_in_weights_do_not_know(self, folder):
        done = accord("train", "pairs.tsv", "links", "-o", "model.json", "--json")
        assert (done.exit_code, done.stderr) == (0, "")
        figures = json.loads(done.stdout)
        [difference] = figures["differences"]
        values = {name: figure["value"] for name, figure in figures["aer"].items()}
        assert values["new"] < 0.05 < 0.1 < values["built-in"]
        assert difference["value"] == pytest.approx(values["new"] - values["built-in"])
        assert difference["low"] <= difference["value"] <= difference["high"] < 0
        first = (folder / "model.json").read_bytes()
        text = accord("train", "pairs.tsv", "links", "-o", "model.json").stdout
        assert "The new weights are better than the built-in weights" in text
        assert (folder / "model.json").read_bytes() == first
        (folder / "other.tsv").write_text("the gnu sees the emu\tthe emu sees the gnu\n")
        linked = {tuple(map(int, link.split("-"))) for link in accord("prealign", "other.tsv").stdout.split()}
        assert linked >= {(0, 3), (1, 4)} or linked >= {(0, 0), (1, 4)}
        again = accord("prealign", "other.tsv", "--model", "model.json")
        assert again.stdout.split() == ["1-4", "2-2", "4-1"]

    @pytest.mark.nightly
    def test_weights_are_not_better_on_links_of_the_built_in_weights(self, folder):
        pairs, _ = corpus()
        (folder / "links").write_text(
            "".join(" ".join(f"{i}-{j}" for i, j in links) + "\n" for links in prealign(pairs))
        )
        text = accord("train", "pairs.tsv", "links", "-o", "model.json").stdout
        assert "The new weights are better" not in text
        assert "better than the built-in weights" in text or "worse than the built-in weights" in text
        assert (
            "does not show whether"
            in accord("train", "pairs.tsv", "links", "-o", "model.json", "--resamples", 0).stdout
        )

    def test_too_few_pairs_are_an_error(self, folder):
        lines = (folder / "links").read_text().splitlines()
        (folder / "links").write_text("\n".join(["", *lines[1:]]) + "\n")
        done = accord("train", "pairs.tsv", "links", "-o", "model.json")
        assert done.exit_code == 1
        assert "links: only 49 sentence pairs have links. Training needs at least 50" in done.stderr
        assert not (folder / "model.json").exists()

    def test_models_that_do_not_suit_the_sentences_are_an_error(self, folder):
        (folder / "latin.json").write_text(write_weights(Weights(shipped(), 50, "Latin", 1, None)))
        (folder / "arabic.tsv").write_text("وصل القطار\tالقطار وصل\n")
        done = accord("prealign", "arabic.tsv", "--model", "latin.json")
        assert done.exit_code == 1
        assert "arabic.tsv: most letters are Arabic, but the model was trained on Latin letters" in done.stderr
        assert accord("prealign", "pairs.tsv", "--model", "latin.json").stdout == accord("prealign", "pairs.tsv").stdout
        twice = accord("prealign", "pairs.tsv", "--model", "latin.json", "--model", "latin.json")
        assert "latin.json: only one model of each kind can be used" in twice.stderr

    def test_vectors_and_models_must_match(self, folder):
        (folder / "plain.json").write_text(write_weights(Weights(shipped(), 50, "Latin", 1, None)))
        (folder / "vectors").write_text("cat 1 0\ndog 0 1\n")
        (folder / "others").write_text("whale 1 0\n")
        without = accord("prealign", "pairs.tsv", "--vectors", "vectors")
        assert "--vectors needs a --model" in without.stderr
        plain = accord("prealign", "pairs.tsv", "--vectors", "vectors", "--model", "plain.json")
        assert "The model was trained without vectors. Omit --vectors" in plain.stderr
        unknown = accord("prealign", "pairs.tsv", "--vectors", "others", "--model", "plain.json")
        assert "others: the file has no vector for any word" in unknown.stderr

    @pytest.mark.nightly
    def test_vectors_show_which_words_are_related(self, folder):
        """Each pair also contains two linked pairs of words that occur nowhere else and have similar vectors."""
        draw = np.random.default_rng(1)
        vectors, pairs, links = [], [], []
        for number, ((source, target), alignment) in enumerate(zip(*corpus(60), strict=True)):
            names = [f"{letter}{number}" for letter in "qzkv"]
            one, other = draw.normal(size=(2, 4))
            for name, vector in zip(names, (one, other, one, other), strict=True):
                vectors.append(" ".join([name, *map(str, vector + draw.normal(0, 0.01, 4))]))
            straight = bool(draw.random() < 0.5)
            pairs.append(
                " ".join([*source, *names[:2]]) + "\t" + " ".join([*target, *names[2:][:: 1 if straight else -1]])
            )
            own = [(5, 5), (6, 6)] if straight else [(5, 6), (6, 5)]
            links.append(" ".join(f"{i}-{j}" for i, j in sorted([*alignment.sure, *own])))
        for name, lines in (("vectors", vectors), ("pairs.tsv", pairs), ("links", links)):
            (folder / name).write_text("\n".join(lines) + "\n")
        done = accord("train", "pairs.tsv", "links", "-o", "model.json", "--vectors", "vectors")
        assert done.exit_code == 0
        assert "240 of 253 words have a vector in vectors" in done.stderr
        assert "The new weights are better than new weights without vectors" in done.stdout
        found = accord("prealign", "pairs.tsv", "--model", "model.json", "--vectors", "vectors").stdout.splitlines()
        assert sum(map(str.__eq__, found, links)) >= 50
        missing = accord("prealign", "pairs.tsv", "--model", "model.json")
        assert "trained with vectors, but this command runs without vectors" in missing.stderr
        (folder / "others").write_text("the 1 2 3 4\nq1 1 2 3 4\n")
        others = accord("prealign", "pairs.tsv", "--model", "model.json", "--vectors", "others")
        assert others.exit_code == 2
        assert "but this command has another vector for “" in others.stderr


class TestFiles:
    def test_a_saved_model_gives_the_same_links(self):
        weights = Weights(shipped(), 408, "Latin", 7, None)
        text = write_weights(weights)
        again = read_weights(text.encode(), name="model")
        assert again[1:] == weights[1:]
        assert write_weights(again) == text
        pairs, _ = corpus(3)
        assert prealign(pairs, base=again.network) == prealign(pairs)

    def test_finished_pairs_change_the_weights_of_the_model_and_not_the_built_in_weights(self):
        """One finished pair hardly changes the weights, because the penalty on their distance is high."""
        base = shipped()._replace(bias=shipped().bias + 1, outputs=shipped().outputs / 2)
        pairs, gold = corpus(5)
        network = align(pairs, finished={0: gold[0]}, base=base).network
        assert network.outputs == pytest.approx(base.outputs, abs=0.01)
        assert not np.array_equal(network.outputs, base.outputs)

    def test_damaged_models_are_refused(self):
        text = write_weights(Weights(shipped(), 408, "Latin", 7, None))
        place = text.index("0.", text.index('"inputs"'))
        for damaged in (
            text[:place] + "9." + text[place + 2 :],
            text.replace('"Latin"', '"Greek"'),
            text.replace('"pairs": 408, "script"', '"script"').replace('"pairs": 408', '"pairs": 409'),
        ):
            assert damaged != text
            with pytest.raises(TableError, match="model: the model is damaged, because its checksum"):
                read_weights(damaged.encode(), name="model")

    def test_models_of_newer_versions_are_refused(self, monkeypatch):
        monkeypatch.setattr(aligner_weights, "VERSION", 2)
        data = write_weights(Weights(shipped(), 408, "Latin", 7, None)).encode()
        monkeypatch.undo()
        with pytest.raises(TableError, match="reads models of version 1, not of version 2"):
            read_weights(data, name="model")

    @pytest.mark.parametrize("data", [b"{", b"[]", b'{"format": 1}', b"[" * 100_000, b"\xff", b"{}"])
    def test_other_files_are_refused(self, data):
        with pytest.raises(TableError, match="model: the file must be a model that `accord align train` wrote"):
            read_weights(data, name="model")

    def test_weights_for_other_features_are_refused(self):
        for weights in (
            Weights(shipped(), 408, "Latin", 7, ("the", [1.0])),
            Weights(shipped()._replace(direct=shipped().direct[:-1]), 408, "Latin", 7, None),
        ):
            with pytest.raises(TableError, match="model: the file must be a model"):
                read_weights(write_weights(weights).encode(), name="model")


class TestVectors:
    def test_without_vectors_nothing_changes(self):
        """The probabilities are those of the aligner before it could use vectors."""
        study = [
            ("the ferry left the island at dawn .".split(), "at dawn the ferry departed from the island .".split()),
            ("our guests left after supper .".split(), "after supper our guests departed .".split()),
        ]
        expected = {
            (0, 2): 0.99998,
            (1, 3): 1.0,
            (2, 4): 0.9999,
            (3, 0): 0.99999,
            (4, 1): 0.99999,
            (5, 5): 0.99973,
        }
        assert align(study).likely[1] == pytest.approx(expected, abs=2e-5)

    def test_vectors_only_add_features(self):
        pairs, _ = corpus(4)
        pairs[0][0][1] = "Yak"
        vectors = {"the": [3, 4.0], "fox": [0, 2.0], "yak": [-1, 0.0], "owl": [0, 0.0]}
        vectors = {word: np.array(values) for word, values in vectors.items()}
        with_vectors = features_of(pairs, vectors)
        for (source, target), plain, full in zip(pairs, features_of(pairs), with_vectors, strict=True):
            assert (full[..., :-VECTOR_FEATURES] == plain).all()
            for i, j in np.ndindex(len(source), len(target)):
                one, other = (vectors.get(word.casefold(), np.zeros(2)) for word in (source[i], target[j]))
                known = one.any() and other.any()
                length = np.linalg.norm(one) * np.linalg.norm(other)
                cosine = one @ other / length if known else float(source[i] == target[j])
                assert full[i, j, -VECTOR_FEATURES:] == pytest.approx([cosine, float(known)], abs=1e-6)
        for full, mirrored in zip(with_vectors, features_of([pair[::-1] for pair in pairs], vectors), strict=True):
            assert full == pytest.approx(mirrored.swapaxes(0, 1), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("the 2 cats .", "Latin"),
        ("قطة the قطط", "Arabic"),
        ("ひらがな カタカナ 猫", "CJK"),
        ("кошка ß", "Cyrillic"),
        ("12 , .", None),
    ],
)
def test_the_script_of_most_letters(text, script):
    assert script_of([(text.split(), [])]) == script
