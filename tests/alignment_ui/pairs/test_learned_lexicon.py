"""Tests of the aligner's learning from extra sentence pairs, and of saved models."""

import io
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.faults import TableError
from accord_core.pairs.formats.aligner_models import read_model, write_model
from accord_core.pairs.numerics import lexicon_training
from accord_core.pairs.numerics.learned_lexicon import LearnedLexicon
from accord_core.pairs.numerics.lexicon_training import learn_lexicon
from accord_core.pairs.numerics.prealign import prealign
from annotate.commands.main import main

# In the extra pairs, a vixen corresponds to a fox, and the other words change their places.
EXTRA = [
    (["the", "vixen", "ran"], ["the", "fox", "ran"]),
    (["a", "vixen", "hid"], ["a", "fox", "hid"]),
    (["we", "saw", "one", "vixen"], ["one", "fox", "we", "saw"]),
    (["no", "vixen", "came", "back"], ["back", "came", "no", "fox"]),
] * 5
PAIR = (["then", "quietly", "Vixen", "left"], ["fox", "departed", "without", "noise", "then"])

entries = st.dictionaries(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), st.integers(1, 9), max_size=8)


def lexicon(counts):
    words = sorted({word for key in counts for word in key})
    rows = sorted((words.index(maker), words.index(made), count) for (maker, made), count in counts.items())
    maker, made, count = (np.array(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    as_ints = (np.array(column, dtype=np.int64) for column in (maker, made))
    return LearnedLexicon(words, *as_ints, np.array(count, dtype=float), 1)


def array_file(array):
    """Return the content of an `.npy` file."""
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def counts_of(learned):
    words = learned.words
    rows = zip(learned.maker.tolist(), learned.made.tolist(), learned.count.tolist(), strict=True)
    return {(words[maker], words[made]): count for maker, made, count in rows}


def test_the_aligner_links_words_that_it_knows_only_from_extra_pairs():
    assert (2, 0) not in prealign([PAIR])[0]
    learned = learn_lexicon(EXTRA)
    assert (2, 0) in prealign([PAIR], learned=learned)[0]
    assert {(0, 4)} <= prealign([PAIR], learned=learned)[0]


def test_links_are_mirrored_and_do_not_depend_on_the_order_of_the_extra_pairs():
    learned = learn_lexicon(EXTRA)
    mirrored = {(target, source) for source, target in prealign([PAIR], learned=learned)[0]}
    assert prealign([PAIR[::-1]], learned=learned)[0] == mirrored
    again = learn_lexicon([pair[::-1] for pair in reversed(EXTRA)])
    assert write_model(again) == write_model(learned)


def test_counts_are_those_of_the_generated_words():
    """Each word of a sentence is generated once or is new, so the counts of a generated word cannot exceed the number
    of its occurrences.
    """
    counts = counts_of(learn_lexicon(EXTRA))
    foxes = sum(count for (_, made), count in counts.items() if made == "fox")
    assert 0.8 * 20 < foxes <= 20
    assert counts["vixen", "fox"] > 0.9 * foxes


def test_blocks_are_added_and_progress_rises_to_one(monkeypatch):
    whole = learn_lexicon(EXTRA)
    monkeypatch.setattr(lexicon_training, "BLOCK", 7)
    shares = []
    blocks = learn_lexicon([*EXTRA, ([], ["alone"])], progress=shares.append)
    assert blocks.pairs == whole.pairs == 20
    assert shares == sorted(shares)
    assert (len(shares), shares[-1]) == (3, 1.0)
    assert counts_of(blocks)["vixen", "fox"] == pytest.approx(counts_of(whole)["vixen", "fox"], rel=0.1)
    assert counts_of(learn_lexicon(EXTRA[:4], whole))["vixen", "fox"] > counts_of(whole)["vixen", "fox"]


@given(entries, entries)
def test_sums_and_evidence_equal_those_of_a_dictionary(one, other):
    total = {key: one.get(key, 0) + other.get(key, 0) for key in one | other}
    added = lexicon(one).plus(lexicon(other))
    assert counts_of(added) == total
    words = ["a", "c", "e"]
    wanted = [(0, 0), (0, 1), (1, 0), (2, 0)]
    found, others = added.evidence(words, *(np.array(column) for column in zip(*wanted, strict=True)))
    assert found.tolist() == [total.get((words[maker], words[made]), 0) for maker, made in wanted]
    of_word = [sum(count for (maker, _), count in total.items() if maker == word) for word in words]
    inside = [sum(found[n] for n, (maker, _) in enumerate(wanted) if maker == place) for place in range(3)]
    assert others.tolist() == [whole - part for whole, part in zip(of_word, inside, strict=True)]


class TestModels:
    def test_a_saved_model_is_the_same_model(self):
        learned = learn_lexicon(EXTRA)
        again = read_model(write_model(learned), name="model")
        assert counts_of(again) == counts_of(learned)
        assert (list(again.words), again.pairs) == (list(learned.words), 20)

    @pytest.mark.parametrize("data", [b"", b"words", b"PK\x03\x04", "pickled", "other", "crossed"])
    def test_other_files_are_refused(self, data):
        if data == "pickled":
            buffer = io.BytesIO()
            np.savez(buffer, head=np.array([{"format": "accord-aligner"}], dtype=object))
            data = buffer.getvalue()
        elif data == "other":
            buffer = io.BytesIO()
            np.savez(buffer, maker=np.zeros(1))
            data = buffer.getvalue()
        elif data == "crossed":
            nothing = np.zeros(1, dtype=np.int64)
            data = write_model(LearnedLexicon(["a"], nothing + 3, nothing, np.ones(1), 1))
            with pytest.raises(TableError, match="model: the arrays of the model do not fit together"):
                read_model(data, name="model")
            return
        with pytest.raises(TableError, match="model: the file must be a model that"):
            read_model(data, name="model")

    @pytest.mark.parametrize(
        ("member", "content"),
        [
            ("head.npy", b"no array"),
            ("maker.npy", b"no array"),
            ("head.npy", array_file(np.frombuffer(b"[" * 20_000, dtype=np.uint8))),
            ("head.npy", array_file(np.frombuffer(b'{"format": "accord-aligner", "pairs": 1e400}', dtype=np.uint8))),
            (
                "maker.npy",
                array_file(np.zeros(1, dtype=np.int64)).replace(b"1,), }" + b" " * 15, b"1" + b"0" * 15 + b",), }"),
            ),
        ],
        ids=["head", "array", "nested head", "infinite count", "huge array"],
    )
    def test_archives_with_damaged_members_are_refused(self, member, content):
        nothing = np.zeros(1, dtype=np.int64)
        with zipfile.ZipFile(io.BytesIO(write_model(LearnedLexicon(["a"], nothing, nothing, np.ones(1), 1)))) as model:
            members = {name: model.read(name) for name in model.namelist()}
        assert member in members
        damaged = io.BytesIO()
        with zipfile.ZipFile(damaged, "w") as archive:
            for name, data in (members | {member: content}).items():
                archive.writestr(name, data)
        with pytest.raises(TableError, match="model: the "):
            read_model(damaged.getvalue(), name="model")

    def test_encrypted_and_damaged_archives_are_refused(self):
        model = write_model(learn_lexicon(EXTRA))
        entry = model.index(b"PK\x01\x02")
        encrypted, method, content = bytearray(model), bytearray(model), bytearray(model)
        encrypted[6], encrypted[entry + 8] = 1, 1
        method[8], method[entry + 10] = 99, 99
        content[60:90] = b"\xff" * 30
        for data in (encrypted, method, content):
            with pytest.raises(TableError, match="model: the file must be a model that"):
                read_model(bytes(data), name="model")

    def test_models_of_other_versions_are_refused(self, monkeypatch):
        monkeypatch.setattr("accord_core.pairs.formats.aligner_models.VERSION", 2)
        data = write_model(learn_lexicon(EXTRA))
        monkeypatch.undo()
        with pytest.raises(TableError, match="reads models of version 1, not of version 2"):
            read_model(data, name="model")


def test_the_command_learns_saves_and_loads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def tsv(pairs):
        return "".join("\t".join(" ".join(side) for side in pair) + "\n" for pair in pairs)

    (tmp_path / "pair").write_text(tsv([PAIR]))
    (tmp_path / "extra").write_text(tsv(EXTRA))

    def run(*arguments):
        return CliRunner().invoke(main, ["align", "prealign", "pair", *arguments])

    learned = run("--extra", "extra", "--save-model", "model.npz")
    assert (learned.exit_code, "2-0" in learned.stdout.split()) == (0, True)
    assert run("--model", "model.npz").stdout == learned.stdout
    assert "2-0" not in run().stdout.split()
    assert "--save-model needs --extra or a --model" in run("--save-model", "m").stderr
    assert "pair: the file must be a model that" in run("--model", "pair").stderr
