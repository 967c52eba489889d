"""Tests of `accord align`, as used by a person and in a pipeline: files, and one clear line for each error."""

import json
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from accord_core.pairs.formats.registry import FORMATS, read_alignments
from accord_core.pairs.formats.sentences import read_sentences
from accord_core.words.numerics.phrases import phrase_scores
from alignment_ui.words.cli.files import FORMAT_NAMES
from annotate.commands.main import main

PAIRS = [
    ("n:1", "the old dog slept .", "the dog was asleep .", "0-0 2-1 4-4", "3-3 3-2"),
    ("n:2", "she left early", "she went away early", "0-0 2-3", "1-1 1-2"),
    ("m:3", "rain again", "nothing new", "", ""),
]
# The gold links of a second annotator, with one link removed and one link added.
OTHER = ["0-0 2-1 3?3 4-4", "0-0 1-1 2-3", "1-1"]


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, ["align", *map(str, arguments)], input=stdin)


def told(result):
    """Return the standard output of a successful command without other output."""
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keys = ("id", "source", "target", "sureAlign", "possibleAlign")
    (tmp_path / "gold.json").write_text(json.dumps([dict(zip(keys, pair, strict=True)) for pair in PAIRS]))
    (tmp_path / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for _, source, target, _, _ in PAIRS))
    (tmp_path / "other.pharaoh").write_text("\n".join(OTHER) + "\n")
    return tmp_path


def test_the_formats_named_without_loading_them():
    assert list(FORMAT_NAMES) == list(FORMATS)
    assert [name for name, each in FORMATS.items() if not each.writable] == ["giza"]


def test_help_takes_neither_numpy_nor_django():
    code = """
        import atexit, sys
        from annotate.commands.main import main
        atexit.register(lambda: print(*(name for name in sys.modules if "." not in name), file=sys.stderr))
        main(["align", "convert", "--help"])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert "accord align convert gold.json" in done.stdout
    assert not {"numpy", "scipy", "django"} & set(done.stderr.split())


class TestScore:
    @pytest.mark.parametrize("options", [[], ["--phrases"], ["--ignore-identical"]])
    def test_links_outside_the_sentences_are_an_error(self, folder, options):
        (folder / "outside").write_text("0-0\n0-7\n\n")
        done = accord("score", "gold.json", "outside", *options)
        assert done.exit_code == 1
        message = "outside, line 2: link 0-7, counted from 0, is outside the sentences of 3 tokens and 4 tokens"
        assert done.stderr == f"accord: {message}\n"

    def test_figures(self):
        """For sure links, 5 of the system's 7 and of the gold's 5 links match. For all links, 7 of 8 and 9 match. The
        crossed figures are 6 of 7 and 5 of 5.
        """
        scores = json.loads(told(accord("score", "gold.json", "other.pharaoh", "--json")))
        low, high = scores.pop("intervals")["och_ney"]["aer"]
        assert low <= scores["och_ney"]["aer"] <= high
        assert scores == {
            "sure": {"precision": 5 / 7, "recall": 1.0, "f1": pytest.approx(5 / 6)},
            "possible": {"precision": 7 / 8, "recall": 7 / 9, "f1": pytest.approx(14 / 17)},
            "och_ney": {"precision": 6 / 7, "recall": 1.0, "aer": pytest.approx(1 - (5 + 7) / (8 + 5))},
        }

    def test_a_table_for_people(self):
        lines = told(accord("score", "gold.json", "other.pharaoh")).splitlines()
        assert lines[0] == "Links of 3 sentence pairs"
        assert lines[-1].split()[:4] == ["Och", "and", "Ney", "0.8571"]
        without = told(accord("score", "gold.json", "other.pharaoh", "--resamples", 0)).splitlines()
        assert without[-1].split() == ["Och", "and", "Ney", "0.8571", "1.0000", "0.0769"]

    def test_phrases_and_identical_words_against_the_definitions(self):
        arguments = ["score", "gold.json", "other.pharaoh", "--phrases", "--ignore-identical", "--json"]
        found = json.loads(told(accord(*arguments, "--resamples", 0)))
        gold, other = (
            read_alignments(Path(name).read_bytes(), name=name, sentences=sentences).pairs
            for name, sentences in (
                ("gold.json", None),
                ("other.pharaoh", read_sentences(Path("pairs.tsv").read_bytes(), name="pairs.tsv")),
            )
        )
        expected = phrase_scores(
            (a.source, a.target, a.alignment, b.alignment) for a, b in zip(gold, other, strict=True)
        )
        assert found["phrases"] == expected
        # Without identical words, the gold links are 3-3 3-2 and 1-1 1-2, and the system has 3-3, 1-1 and 1-1.
        assert found["possible"] == {"precision": 2 / 3, "recall": 2 / 4, "f1": pytest.approx(4 / 7)}
        result = accord("score", "other.pharaoh", "other.pharaoh", "--phrases")
        assert (result.exit_code, "need the sentences" in result.stderr) == (2, True)

    def test_two_systems(self, folder):
        (folder / "worse.pharaoh").write_text("0-0\n\n0-0\n")
        arguments = ["score", "gold.json", "other.pharaoh", "worse.pharaoh"]
        found = json.loads(told(accord(*arguments, "--json")))
        worse = json.loads(told(accord("score", "gold.json", "worse.pharaoh", "--json")))
        assert found["systems"]["worse"] == worse
        (comparison,) = found["differences"]
        difference = comparison["possible"]["recall"]
        assert difference["value"] == pytest.approx(7 / 9 - 1 / 9)
        # The systems differ in the links of all three pairs. The recall differs in two pairs, in the same direction, so
        # half of the eight equally likely swaps are as extreme.
        assert difference["p"] == pytest.approx(1 / 2, abs=0.02)
        assert difference["low"] <= difference["value"] <= difference["high"]
        lines = told(accord(*arguments)).splitlines()
        assert [line for line in lines if line and line[0] != " "][1::4] == ["other", "worse", "other minus worse"]
        assert any("p = 0." in line for line in lines)

    def test_undefined_figures_are_null(self):
        scores = json.loads(told(accord("score", "gold.json", "-", "--json", stdin="\n\n\n")))
        assert scores["sure"] == {"precision": None, "recall": 0.0, "f1": None}
        assert scores["och_ney"]["aer"] == 1.0

    def test_faults_are_one_line(self):
        result = accord("score", "gold.json", "-", stdin="0-0\n1-\n")
        assert result.exit_code == 1
        assert result.stderr == (
            "accord: standard input, line 2: '1-' is not a link. Write a sure link as 3-4, and a possible link as 3?4\n"
        )

    def test_other_numbers_of_pairs(self):
        result = accord("score", "gold.json", "-", stdin="0-0\n")
        assert result.exit_code == 1
        assert "standard input: the file has 1 pair, but gold.json has 3" in result.stderr

    def test_standard_input_once(self):
        assert accord("score", "-", "-").exit_code == 2


class TestAgreement:
    def test_figures_and_what_was_left_out(self):
        result = accord(
            "agreement",
            "gold.json",
            "other.pharaoh",
            "--sentences",
            "gold.json",
            "--ignore-identical",
            "--phrases",
            "--resamples",
            0,
            "--json",
        )
        found = json.loads(told(result))
        # Links that remain without identical words: 3-3 3-2, 1-1 1-2 in the gold links, and 3-3, 1-1, 1-1 in the
        # others.
        assert found["words"]["possible"]["precision"]["value"] == 2 / 4
        assert found["words"]["possible"]["recall"]["value"] == 2 / 3
        assert found["words"]["possible"]["c"]["reason"] == "no sentence pair has a pre-alignment"
        assert found["words"]["pairs"] == 3
        assert set(found["phrases"]) >= {"sure", "possible"}
        assert (found["ignore_identical"], found["seed"]) == (True, 1)

    def test_a_prealignment_gives_c_and_the_seed_its_digits(self):
        accord("prealign", "pairs.tsv", "-o", "pre")
        arguments = (
            "agreement",
            "gold.json",
            "other.pharaoh",
            "--sentences",
            "gold.json",
            "--prealignment",
            "pre",
            "--json",
        )
        once, again, other = (told(accord(*arguments, "--seed", seed)) for seed in (5, 5, 6))
        assert once == again
        assert once != other
        assert json.loads(once)["words"]["possible"]["c"]["value"] is not None

    def test_by_subcorpus_and_with_more_samples(self, folder):
        rows = [f"{source}\t{target}\t{key.split(':')[0]}\n" for key, source, target, _, _ in PAIRS]
        (folder / "table.tsv").write_text("source\ttarget\tSubcorpus\n" + "".join(rows))
        (folder / "pre").write_text("0-0\n0-0 2-3\n0-0\n")
        arguments = ["agreement", "gold.json", "other.pharaoh", "--sentences", "table.tsv", "--prealignment", "pre"]
        arguments += ["--resamples", "20"]
        found = json.loads(told(accord(*arguments, "--by", "subcorpus", "--samples", 300, "--json")))
        assert (found["samples"], found["by"]) == (300, "subcorpus")
        assert {name: part["words"]["pairs"] for name, part in found["subcorpora"].items()} == {"n": 2, "m": 1}
        # In the subcorpus n, the gold file has nine links, and the other file has seven of these links.
        n = found["subcorpora"]["n"]["words"]["possible"]
        assert (n["precision"]["value"], n["recall"]["value"]) == (7 / 9, 7 / 7)
        assert found["subcorpora"]["m"]["words"]["possible"]["recall"]["low"] is None  # one pair has no interval
        assert (
            found["words"]["possible"]["c"] != json.loads(told(accord(*arguments, "--json")))["words"]["possible"]["c"]
        )
        lines = told(accord(*arguments, "--by", "subcorpus")).splitlines()
        assert lines[lines.index("m") + 1].startswith("Agreement on 1 sentence pairs")
        result = accord(*arguments, "--by", "corpus")
        assert (result.exit_code, "column corpus: the column is missing" in result.stderr) == (1, True)

    def test_by_the_prefix_of_the_ids(self, folder):
        arguments = ["agreement", "gold.json", "other.pharaoh", "--resamples", "20"]
        found = json.loads(told(accord(*arguments, "--sentences", "gold.json", "--by-prefix", ":", "--json")))
        assert (found["by"], {name: part["words"]["pairs"] for name, part in found["subcorpora"].items()}) == (
            "prefix",
            {"n": 2, "m": 1},
        )
        for sentences, message in (("pairs.tsv", "--by-prefix needs IDs"), ("gold.json", "does not contain #")):
            result = accord(*arguments, "--sentences", sentences, "--by-prefix", "#")
            assert (result.exit_code, message in result.stderr) == (1, True)
        both = accord(*arguments, "--sentences", "gold.json", "--by-prefix", ":", "--by", "subcorpus")
        assert (both.exit_code, "--by and --by-prefix exclude each other" in both.stderr) == (2, True)

    def test_a_table_for_people(self):
        lines = told(
            accord("agreement", "gold.json", "gold.json", "--sentences", "pairs.tsv", "--resamples", 20)
        ).splitlines()
        assert lines[0].startswith("Agreement on 3 sentence pairs, with 95% intervals")
        assert lines[3].split()[:3] == ["possible", "1.0000", "[1.0000,"]
        assert "–: no sentence pair has a pre-alignment." in lines

    def test_links_outside_the_sentences(self):
        result = accord("agreement", "gold.json", "-", "--sentences", "gold.json", stdin="0-0\n9-0\n\n")
        assert result.exit_code == 1
        assert result.stderr == (
            "accord: standard input, line 2: link 9-0: the source sentence has no token 9, only tokens 0 to 2\n"
        )


class TestPhrases:
    def test_atomic_and_composite(self):
        lines = told(accord("phrases", "other.pharaoh", "--sentences", "pairs.tsv")).splitlines()
        assert lines[0].split("\t") == ["pair", "links", "kind", "source_span", "source", "target_span", "target"]
        second = [line.split("\t") for line in lines if line.startswith("2\tsure")]
        assert second == [
            ["2", "sure", "atomic", "0:1", "she", "0:1", "she"],
            ["2", "sure", "composite", "0:2", "she left", "0:2", "she went"],
            ["2", "sure", "composite", "0:3", "she left early", "0:4", "she went away early"],
            ["2", "sure", "atomic", "1:2", "left", "1:2", "went"],
            ["2", "sure", "composite", "1:3", "left early", "1:4", "went away early"],
            ["2", "sure", "atomic", "2:3", "early", "3:4", "early"],
        ]

    def test_sentences_are_needed(self):
        result = accord("phrases", "other.pharaoh")
        assert result.exit_code == 2
        assert "Use --sentences to specify the files" in result.stderr


class TestPrealign:
    def test_a_line_for_each_pair(self):
        lines = told(accord("prealign", "pairs.tsv")).splitlines()
        assert len(lines) == 3
        assert {"0-0", "2-1", "4-4"} <= set(lines[0].split())

    def test_other_ways_to_give_sentences(self):
        expected = told(accord("prealign", "pairs.tsv"))
        assert told(accord("prealign", "gold.json")) == expected
        assert told(accord("prealign", "-", stdin=Path("pairs.tsv").read_text())) == expected

    def test_finished_alignments_teach_the_aligner(self, folder):
        """A link that only the finished alignments contain is suggested for another pair with the same words."""
        (folder / "new.tsv").write_text("the spokesperson spoke\tthe minister spoke\n")
        (folder / "done.tsv").write_text("the spokesperson waved briefly\tthe minister nodded briefly\n")
        (folder / "done.pharaoh").write_text("0-0 1-1 3-3\n")
        accord("convert", "done.pharaoh", "done.json", "--to", "jacana", "--sentences", "done.tsv")
        assert told(accord("prealign", "new.tsv", "--learn-from", "done.json")).split() == ["0-0", "1-1", "2-2"]
        # A pair that is in both files is one pair, and its finished alignment is not copied.
        lines = told(accord("prealign", "done.tsv", "--learn-from", "done.json")).splitlines()
        assert len(lines) == 1
        refused = accord("prealign", "new.tsv", "--learn-from", "done.pharaoh")
        assert (refused.exit_code, "contains only links" in refused.stderr) == (2, True)

    def test_an_empty_sentence(self):
        result = accord("prealign", "-", stdin="a\tb\nc\t \n")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "accord: standard input, line 2, column target: the sentence is empty\n"


class TestConvert:
    @pytest.mark.parametrize("name", ["pharaoh", "wpt", "talp", "jacana", "goldalign", "blinker"])
    def test_there_and_back(self, folder, name):
        there = accord("convert", "gold.json", f"there.{name}", "--to", name)
        back = accord("convert", f"there.{name}", "back.json", "--to", "jacana", "--sentences", "gold.json")
        assert there.exit_code == back.exit_code == 0
        pairs = json.loads((folder / "back.json").read_text())
        assert [pair["sureAlign"] for pair in pairs] == ["0-0 2-1 4-4", "0-0 2-3", ""]
        kept = [pair["possibleAlign"] for pair in pairs] == ["3-2 3-3", "1-1 1-2", ""]
        assert kept == FORMATS[name].possible

    def test_what_is_lost_is_said(self):
        assert accord("convert", "gold.json", "x", "--to", "pharaoh").stderr == (
            "accord: note: x: Pharaoh cannot store 4 possible links, 3 IDs and the sentences of 3 pairs\n"
        )
        assert accord("convert", "gold.json", "-", "--to", "wpt", "--write-sentences", "s", "t").stderr == (
            "accord: note: standard output: WPT .wa cannot store 3 IDs and a line for 1 pair without links\n"
        )
        assert accord(
            "convert", "-", "-", "--to", "jacana", "--sentences", "pairs.tsv", stdin="1 1 0\n1 2 2 P .5\n"
        ).stderr == (
            "accord: note: standard input: 1 link to NULL excluded\n"
            "accord: note: standard input: confidence of 1 link excluded\n"
            "accord: note: standard input: 2 pairs without a line counted as pairs without links\n"
        )

    @pytest.mark.parametrize(
        ("possible", "first"),
        [
            ("?", "0-0 2-1 3?2 3?3 4-4"),
            ("p", "0-0 2-1 3p2 3p3 4-4"),
            ("sure", "0-0 2-1 3-2 3-3 4-4"),
            ("drop", "0-0 2-1 4-4"),
        ],
    )
    def test_possible_links_in_pharaoh(self, possible, first):
        result = accord("convert", "gold.json", "-", "--to", "pharaoh", "--possible", possible)
        assert result.stdout.splitlines()[0] == first
        assert "possible" not in result.stderr

    def test_sentences_go_to_files_and_come_back(self, folder):
        accord("convert", "gold.json", "gold.wa", "--to", "wpt", "--write-sentences", "s", "t")
        assert (folder / "s").read_text().splitlines()[1] == "<s snum=2> she left early </s>"
        back = accord("convert", "gold.wa", "-", "--to", "jacana", "--sentences", "s", "--sentences", "t")
        assert json.loads(back.stdout)[0]["target"] == "the dog was asleep ."
        accord("convert", "gold.json", "gold.talp", "--to", "talp", "--write-sentences", "s", "t")
        assert (folder / "t").read_text().splitlines() == [target for _, _, target, _, _ in PAIRS]

    def test_blinker_is_a_folder_or_an_archive(self, folder):
        accord("convert", "gold.json", "links", "--to", "blinker")
        assert sorted(path.name for path in folder.joinpath("links").iterdir()) == [
            f"samp1.SentPair{n}" for n in range(3)
        ]
        accord("convert", "gold.json", "links.zip", "--to", "blinker")
        with zipfile.ZipFile("links.zip") as packed:
            assert packed.read("samp1.SentPair0") == b"1 1\n3 2\n5 5\n"
        for given in ("links", "links.zip"):
            scores = json.loads(told(accord("score", "gold.json", given, "--json")))
            assert scores["sure"]["f1"] == 1.0
        assert accord("convert", "gold.json", "links", "--to", "blinker").exit_code == 2

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("other.pharaoh", "x", "--to", "jacana"), "Use --sentences to specify the files"),
            (("other.pharaoh", "x", "--to", "giza"), "'giza' is not one of"),
            (("gold.json", "x", "--to", "talp", "--possible", "?"), "not to talp"),
            (("gold.json", "nowhere/x", "--to", "talp"), "does not exist"),
            (("gold.json", "-", "--to", "talp", "--write-sentences", "-", "t"), "standard output"),
            (("-", "x", "--to", "talp", "--sentences", "-"), "standard input"),
            (("other.pharaoh", "x", "--to", "jacana", *["--sentences", "s"] * 3), "one file of pairs, or two"),
        ],
    )
    def test_called_wrongly(self, folder, arguments, said):
        result = accord("convert", *arguments)
        assert result.exit_code == 2
        assert said in " ".join(result.stderr.split())
        assert not (folder / "x").exists()

    def test_nothing_half_done(self, folder):
        (folder / "x").write_text("as it was")
        result = accord("convert", "-", "x", "--to", "talp", stdin="0-0\n0-0 0?0\n")
        assert (result.exit_code, (folder / "x").read_text()) == (1, "as it was")
        assert "standard input, line 2: the link 0?0 is sure, but possible here" in result.stderr
