"""Tests of `accord align pairings`, which pairs all translations of each sentence."""

import pytest
from click.testing import CliRunner

from annotate.commands.main import main


@pytest.fixture
def pairings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(text, *options):
        (tmp_path / "translations").write_text(text)
        return CliRunner().invoke(main, ["align", "pairings", "translations", *options])

    return run


def test_all_pairs_of_eleven_translations(pairings):
    """Eleven translations of 993 sentences give 55 × 993 = 54,615 pairs, as in the paper."""
    header = ",".join(f"t{number}" for number in range(11))
    rows = [",".join(f"w{row} x{number}" for number in range(11)) for row in range(993)]
    lines = pairings("\n".join([header, *rows]) + "\n").stdout.splitlines()
    assert lines[:2] == ["id\tsource\ttarget", "1:t0-t1\tw0 x0\tw0 x1"]
    assert len(lines) == 1 + 54_615
    assert len(set(lines)) == len(lines)


def test_missing_translations_and_chosen_columns(pairings):
    text = "id,anna,ben,cleo\ns1,he left,,he went\ns2,a,b,c\n"
    assert pairings(text).stdout.splitlines()[1:] == [
        "s1:anna-cleo\the left\the went",
        "s2:anna-ben\ta\tb",
        "s2:anna-cleo\ta\tc",
        "s2:ben-cleo\tb\tc",
    ]
    chosen = pairings(text, "--column", "ben", "--column", "CLEO").stdout
    assert chosen.splitlines()[1:] == ["s2:ben-cleo\tb\tc"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("id,anna\n1,a\n", [], "line 1: the file needs at least two columns with translations"),
        ("id,anna,ben\n1,a,b\n", ["--column", "dora"], "line 1, column dora: the column is missing"),
    ],
)
def test_files_without_translations(pairings, text, options, message):
    done = pairings(text, *options)
    assert (done.exit_code, message in done.stderr) == (1, True)
