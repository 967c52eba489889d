"""Tests of `accord ists`, as used by a person and in a pipeline."""

import json

import pytest
from click.testing import CliRunner

from annotate.commands.main import main
from tests.ists_pairs import FILE

SYSTEM = FILE.replace("4 5 <==> 5 6 7 // SPE2 // 4", "4 5 <==> 5 7 // EQUI // 5").replace(
    " <==> 1 2 // SIMI_FACT // 3", " <==> 2 // SIMI // 4"
)


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, ["ists", *map(str, arguments)], input=stdin)


def failure(*arguments, stdin=None):
    result = accord(*arguments, stdin=stdin)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.exit_code, result.stderr.removeprefix("accord: ")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.wa").write_text(FILE)
    (tmp_path / "system.wa").write_text(SYSTEM)
    (tmp_path / "broken.wa").write_text(FILE.replace("// 1.5 //", "// 15 //").replace("_FACT", "_FACTS"))
    return tmp_path


class TestCheck:
    def test_a_well_formed_file(self):
        result = accord("check", "gold.wa")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "gold.wa: well-formed\n", "")

    def test_every_fault_by_its_line(self):
        result = accord("check", "broken.wa", "--stats")
        assert result.exit_code == 1
        first, second, verdict, counts = result.stdout.splitlines()
        assert first.startswith("line 24: type: “FACTS” is not a type. The types are EQUI, OPPO, ")
        assert second == "line 45: score range: the score must be from 0 to 5, not 15"
        assert verdict == "broken.wa: not well-formed (2 errors)"
        assert counts == "The statistics require a well-formed file."

    def test_statistics(self):
        lines = accord("check", "gold.wa", "--stats").stdout.splitlines()
        counts = {line[:22].strip(): int(line[22:]) for line in lines[1:]}
        assert counts["sentence pairs"] == counts["with links"] == 2
        assert (counts["links"], counts["type NOALI"], counts["flag FACT"], counts["score NIL"]) == (8, 3, 1, 4)

    def test_strict(self):
        result = accord("check", "-", "--strict", stdin=FILE.replace("EQUI // 5", "EQUI // 4"))
        assert result.exit_code == 1
        assert result.stdout == (
            "line 25: equi-score: sentence pair 1: “chase” – “runs after” has the type EQUI, so the score must be 5. "
            "Change the score or the type\n"
            "standard input: well-formed, does not follow the guidelines (1 error)\n"
        )
        assert accord("check", "gold.wa", "--strict").stdout == "gold.wa: well-formed, follows the guidelines\n"

    def test_strict_for_one_link_a_chunk_or_for_several(self):
        assert accord("check", "gold.wa", "--strict", "--version", "2015").exit_code == 0
        assert "no-alic" in accord("check", "gold.wa", "--strict", "--version", "2016").stdout
        status, message = failure("check", "gold.wa", "--version", "2016")
        assert status == 2
        assert message.startswith("--version selects the year of the guidelines and needs --strict")

    def test_json(self):
        found = json.loads(accord("check", "broken.wa", "--json", "--stats", "--strict").stdout)
        assert list(found) == ["well_formed", "follows_guidelines", "faults", "stats"]
        assert (found["well_formed"], found["follows_guidelines"], found["stats"]) == (False, True, None)
        assert found["faults"][1] == {
            "line": 45,
            "rule": "score range",
            "message": "the score must be from 0 to 5, not 15",
        }
        whole = json.loads(accord("check", "gold.wa", "--json", "--stats").stdout)
        assert (whole["well_formed"], whole["faults"], whole["stats"]["links"]) == (True, [], 8)
        assert "stats" not in json.loads(accord("check", "gold.wa", "--json").stdout)

    def test_an_empty_file_is_refused(self):
        status, said = failure("check", "-", stdin=b"")
        assert status == 1
        assert said.startswith("standard input: the file is empty\n")


class TestScore:
    def test_the_four_measures(self):
        head, *lines = accord("score", "gold.wa", "gold.wa").stdout.splitlines()
        assert head.split() == ["F1", "95%", "interval", "precision", "recall"]
        assert [line[:12].strip() for line in lines] == ["F1 Ali", "F1 Type", "F1 Score", "F1 Typ+Sco"]
        assert {line[12:] for line in lines} == {"1.0000  1.0000 to 1.0000    1.0000     1.0000"}

    def test_json_has_the_same_figures(self):
        """The gold links have the weights 2, 1, 2 and 1. The system confirms 1, 1, 4/3 and 1 of these weights and has
        no other links.
        """
        found = json.loads(accord("score", "gold.wa", "system.wa", "--json").stdout)
        measures = ["f1_ali", "f1_type", "f1_score", "f1_typ_sco"]
        assert list(found)[:4] == list(found["intervals"]) == measures
        assert (found["precision_ali"], found["recall_ali"]) == (1, pytest.approx(13 / 18))
        assert found["f1_ali"] == pytest.approx(2 * 1 * (13 / 18) / (1 + 13 / 18))
        low, high = found["intervals"]["f1_ali"]
        assert low < found["f1_ali"] < high == 1
        lines = [line.split() for line in accord("score", "gold.wa", "system.wa").stdout.splitlines()[1:]]
        for (_, _, f1, first, _, last, precision, recall), measure in zip(lines, measures, strict=True):
            names = (measure, measure.replace("f1", "precision"), measure.replace("f1", "recall"))
            assert (f1, precision, recall) == tuple(f"{found[name]:.4f}" for name in names)
            assert [first, last] == [f"{end:.4f}" for end in found["intervals"][measure]]

    def test_one_pair_has_no_interval(self):
        one = FILE[: FILE.index("</sentence>") + len("</sentence>\n")]
        found = json.loads(accord("score", "gold.wa", "-", "--json", "--resamples", "0", stdin=one).stdout)
        assert set(found["intervals"].values()) == {None}

    def test_mismatches(self, folder):
        result = accord("score", "gold.wa", "system.wa", "--mismatches", "mismatches.csv")
        assert "  type and score        2\n" in result.stdout
        assert "SPE2           1       0" in result.stdout
        assert "mean +0.500, mean without signs 0.500" in result.stdout
        assert (folder / "mismatches.csv").read_text().splitlines()[2] == (
            "1,type and score,a ball,a red ball,SPE2,4,a ball,a ball,EQUI,5,1"
        )
        found = json.loads(accord("score", "gold.wa", "system.wa", "--mismatches", "m.csv", "--json").stdout)
        assert found["mismatches"]["kinds"] == {"type and score": 2}
        assert found["mismatches"]["score_differences"] == {"0": 2, "1": 2}

    def test_the_detailed_output_of_the_official_scorer(self):
        assert accord("score", "gold.wa", "system.wa", "--debug").stdout.endswith(" F1 Typ+Sco 0.4364\n")
        status, message = failure("score", "gold.wa", "system.wa", "--debug", "--json")
        assert status == 2
        assert message.startswith("--debug replaces the usual output")

    def test_the_scorer_of_2015(self):
        one, other = (
            json.loads(accord("score", "gold.wa", "system.wa", "--json", "--version", version).stdout)
            for version in ("2015", "2016")
        )
        assert one["f1_typ_sco"] > other["f1_typ_sco"]
        assert {name for name in one if one[name] != other[name]} == {
            "f1_typ_sco",
            "precision_typ_sco",
            "recall_typ_sco",
            "intervals",
        }

    def test_by_pair(self):
        lines = accord("score", "gold.wa", "system.wa", "--by-pair").stdout.splitlines()
        assert lines[0].split("\t") == ["id"] + [
            f"{kind} {name}" for kind in ("F1", "Precision", "Recall") for name in ("Ali", "Type", "Score", "Typ+Sco")
        ]
        assert lines[1].split("\t")[9] == "0.6667"
        assert [line.split("\t")[0] for line in lines[1:]] == ["1", "x2", "all"]
        found = json.loads(accord("score", "gold.wa", "system.wa", "--by-pair", "--json").stdout)
        assert [each["id"] for each in found["by_pair"]] == ["1", "x2"]
        assert found["by_pair"][1]["f1_typ_sco"] == 1

    def test_of_a_system_only_links_are_read(self):
        links = [line for line in SYSTEM.splitlines() if "<==>" in line or "<sentence" in line]
        bare = accord("score", "gold.wa", "-", stdin="\n".join(links))
        assert (bare.exit_code, bare.stdout) == (0, accord("score", "gold.wa", "system.wa").stdout)

    def test_pairs_that_are_missing_are_noted(self):
        result = accord("score", "gold.wa", "-", stdin=SYSTEM.replace('"x2"', '"3"'))
        assert result.stderr.splitlines() == [
            "accord: note: 1 sentence pairs are missing from the system's file. These pairs lower the scores",
            "accord: note: 1 sentence pairs are missing from gold. These pairs lower the scores",
        ]
        assert "--" not in result.stdout

    def test_files_without_a_pair_in_common_are_not_scored(self, folder):
        (folder / "other.wa").write_text(FILE.replace('id="', 'id="images:'))
        code, said = failure("score", "gold.wa", "other.wa")
        assert code == 1
        assert said == "other.wa and gold.wa have no sentence pair with the same ID. Pairs are matched by ID\n"

    def test_what_is_not_well_formed_is_not_scored(self):
        status, message = failure("score", "gold.wa", "broken.wa")
        assert status == 1
        assert message.startswith("broken.wa, line 24: “FACTS” is not a type")
        assert "line 45: the score must be from 0 to 5, not 15" in message

    def test_only_one_file_comes_from_standard_input(self):
        assert failure("score", "-", "-")[0] == 2
