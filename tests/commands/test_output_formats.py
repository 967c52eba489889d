"""Each command that prints a table has the option --format, and the tables of studies and checks have the same rows in
all formats.
"""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from accord_core.exchange.report_figures import report_table
from annotate.commands.main import main
from tests.factories import make_study
from tests.rooms import entries

# Commands that print no table of figures, with their output.
WITHOUT_TABLE = {
    **dict.fromkeys(["sample sentences", "sample pairs"], "a data file in CSV"),
    **dict.fromkeys(["paraphrase items", "ists items", "ists chunk"], "items"),
    **dict.fromkeys(["paraphrase quality-control", "evaluate split", "evaluate draw"], "a data file in CSV"),
    **dict.fromkeys(["evaluate word-vectors", "evaluate baseline"], "predictions in CSV"),
    **dict.fromkeys(["evaluate contrast", "evaluate expand-sets"], "paraphrase sets or a data file in CSV"),
    **dict.fromkeys(["align sample-errors", "ists sample-errors"], "questions in CSV"),
    **dict.fromkeys(
        ["align prealign", "align symmetrize", "align doubles", "align join", "align convert"],
        "alignments in a format of their own",
    ),
    **dict.fromkeys(["ists aggregate", "ists convert"], "alignments in a format of their own"),
    "align pairings": "sentence pairs",
    "labels convert": "labels in another format",
    "bws tuples": "tuples",
    "evaluate parse": "CoNLL-U",
    "study export": "a data file, or the names of the data files",
    "study settings": "a settings file in TOML",
    **dict.fromkeys(["study create", "study import", "study simulate", "study add-judgements"], "a line"),
    **dict.fromkeys(["study open", "study pause", "study close"], "lines about the study"),
    **dict.fromkeys(["account invite", "account sign-in-link", "account confirm-address"], "a link or a line"),
    **dict.fromkeys(["account remove-second-factor", "account re-encrypt"], "a line"),
    "account sign-in-log": "a log",
    **dict.fromkeys(["backup", "restore", "release make", "serve", "demo", "try"], "a line, or a manifest in JSON"),
    **dict.fromkeys(["study methods", "study documents", "study report-form", "study preregister"], "texts"),
    **dict.fromkeys(["study figures", "new-tasktype"], "files, and a line"),
    **dict.fromkeys(["release publish", "upgrade"], "lines about what was done"),
    **entries("WITHOUT_TABLE"),
}


def commands(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield each command that is not a group, with its name below `accord`."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        subcommand = command.get_command(context, name)
        assert subcommand is not None
        yield from commands(subcommand, f"{path} {name}".strip())


@pytest.mark.nightly
def test_every_command_that_prints_a_table_has_the_option_format() -> None:
    without = {path for path, command in commands(main) if not any("--format" in each.opts for each in command.params)}
    assert without == set(WITHOUT_TABLE)


@pytest.mark.django_db
def test_tables_of_a_study_have_all_formats() -> None:
    study = make_study()

    def output(*arguments: str) -> str:
        done = CliRunner().invoke(main, ["study", *arguments])
        assert done.exit_code == 0, done.output
        return done.stdout

    listed = list(csv.DictReader(StringIO(output("list", "--format", "csv"))))
    assert listed == [{"id": study.public_id, "state": study.state, "type": study.task_type, "title": study.title}]
    assert json.loads(output("list", "--json")) == listed
    report = ["report", study.public_id]
    figures = json.loads(output(*report, "--json"))
    table = {row["figure"]: row for row in csv.DictReader(StringIO(output(*report, "--format", "csv")))}
    assert table["judgements"]["value"] == str(figures["judgements"])
    assert output(*report, "--format", "markdown").startswith("Report 3: 0 judgements\n\n| figure | value |")


def test_a_report_has_one_row_per_figure() -> None:
    table = report_table(
        {
            "judgements": 12,
            "title": "a text",
            "closed": True,
            "agreement": {"kappa": {"value": 0.5, "low": 0.25, "high": 0.75}},
            "scores": {"score": [0.1, 0.2]},
            "words": [{"subcorpus": "news", "sure": {"f1": None, "pairs": 3}}, {"pairs": 4}],
        }
    )
    assert [list(row) for row in table.rows] == [
        ["judgements", 12, None, None],
        ["agreement.kappa", 0.5, 0.25, 0.75],
        ["words[news].sure.pairs", 3, None, None],
        ["words[1].pairs", 4, None, None],
    ]


def test_checks_and_rules_have_tables(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    papers = root / "examples" / "papers"

    def table(*arguments: str) -> list[dict[str, str]]:
        return list(csv.DictReader(StringIO(CliRunner().invoke(main, [*arguments, "--format", "csv"]).stdout)))

    checked = str(papers / "chunks.wa")
    counts = {(row["kind"], row["name"]): int(row["count"]) for row in table("ists", "check", checked, "--stats")}
    statistics = json.loads(CliRunner().invoke(main, ["ists", "check", checked, "--stats", "--json"]).stdout)["stats"]
    assert counts["sentence pairs", ""] == statistics["pairs"]
    assert {name: count for (kind, name), count in counts.items() if kind == "type"} == statistics["types"]

    broken = tmp_path / "broken.wa"
    broken.write_text('<sentence id="1" status="">\n1 <==> 1\n</sentence>\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["ists", "check", str(broken), "--stats", "--format", "csv"])
    assert done.exit_code == 1
    assert done.stdout.startswith("line,rule,message\n")
    assert "The statistics require a well-formed file" in done.stderr

    rules = ["align", "rules", str(papers / "anna.pharaoh"), "--sentences", str(papers / "pairs.csv")]
    rows = table(*rules)
    text = CliRunner().invoke(main, rules).stdout.splitlines()
    assert len(rows) == len(text) - 1 > 0
    assert list(rows[0].values()) == text[1].split("\t")
