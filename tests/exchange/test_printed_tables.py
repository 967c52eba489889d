"""Tests of tables in each format of --format. Independent parsers read each format again."""

import csv
import json
import re
from io import StringIO

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from accord_core.exchange.printed_tables import TABLE_FORMATS, PrintedTable, escape_latex, figure_table, table_in
from annotate.cli.options import format_options, print_result
from annotate.commands.main import main

TABLE = PrintedTable(
    columns=["system", "items", "ρ", "p"],
    rows=[
        ["A&B_1 | 50% of {x}", 1200, 0.57149, 0.00005],
        ['[*] -- \\ <b> "é"', 7, -0.0004, None],
        ["none", 0, float("nan"), 0.5],
    ],
    caption="Agreement on 50% & more",
    notes=["The interval [a, b] is missing."],
)
ROUNDED = [["1200", "0.571", "0.0001"], ["7", "0.000", None], ["0", None, "0.5000"]]
# All signs that one of the formats treats as markup, and some that none does.
texts = st.text("ab0&%$#_{}\\~^<>|\"'`[]*()+-=@.,;:!?/éκ±–−", min_size=1).map(lambda text: f"a{text}")
numbers = st.one_of(st.none(), st.integers(), st.floats(-1e6, 1e6))
tables = st.lists(st.tuples(texts, numbers, numbers), min_size=1).map(
    lambda rows: PrintedTable(["name", "count_1", "x^2"], rows)
)


def written(table, table_format):
    return "".join(table_in(table, table_format))


def cells_of_csv(text):
    return list(csv.reader(StringIO(text)))


def cells_of_markdown(text):
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and token.level == 4:
            rows[-1].append("".join(part.content for part in token.children))
    return rows


def cells_of_latex(text):
    """Read the rows between the rules of booktabs, and undo each escape of LaTeX."""
    body = text.partition("\\toprule\n")[2].partition("\\bottomrule")[0].replace("\\midrule\n", "")
    rows = [line.removesuffix(r" \\") for line in body.splitlines()]
    return [[typeset(cell) for cell in re.split(r"(?<!\\) ?& ?", row)] for row in rows]


def typeset(source):
    named = {
        r"\textbackslash{}": "\\",
        r"\textasciitilde{}": "~",
        r"\textasciicircum{}": "^",
        r"\textless{}": "<",
        r"\textgreater{}": ">",
        r"\textbar{}": "|",
        "{''}": '"',
        "{[}": "[",
        "{*}": "*",
        "-{}": "-",
        "$-$": "−",
        r"$\pm$": "±",
        r"$\times$": "×",
        r"$\leq$": "≤",
        r"$\geq$": "≥",
        "{--}": "–",
        "--": "–",
        **{f"$\\{name}$": sign for name, sign in zip(("alpha", "kappa", "pi", "rho", "chi"), "ακπρχ", strict=True)},
        **{f"\\{sign}": sign for sign in "&%$#_{}"},
    }
    return re.sub("|".join(map(re.escape, named)), lambda found: named[found[0]], source)


READERS = {
    "csv": (cells_of_csv, "", str),
    "markdown": (cells_of_markdown, "–", str),
    "latex": (cells_of_latex, "–", lambda number: number.replace("-", "−")),
}


@pytest.mark.parametrize("table_format", READERS)
class TestFormats:
    def test_a_parser_reads_the_same_cells_and_the_same_rounding(self, table_format):
        read, missing, _ = READERS[table_format]
        header, *rows = read(written(TABLE, table_format))
        assert header == ["system", "items", "ρ", "p"]
        assert [row[0] for row in rows] == [row[0] for row in TABLE.rows]
        assert [row[1:] for row in rows] == [[cell or missing for cell in row] for row in ROUNDED]

    @given(table=tables)
    def test_any_text_and_any_number_survive(self, table_format, table):
        read, missing, signed = READERS[table_format]
        header, *rows = read(written(table, table_format))
        assert header == ["name", "count_1", "x^2"]
        for row, expected in zip(rows, table.cells(), strict=True):
            assert row[0].removeprefix("'") == expected[0]
            assert row[1:] == [missing if cell is None else signed(cell) for cell in expected[1:]]


def test_text_is_aligned_and_states_missing_values():
    assert written(TABLE, "text").splitlines() == [
        "Agreement on 50% & more",
        "",
        "system              items      ρ       p",
        "A&B_1 | 50% of {x}   1200  0.571  0.0001",
        '[*] -- \\ <b> "é"        7  0.000       –',
        "none                    0      –  0.5000",
        "",
        "The interval [a, b] is missing.",
    ]


def test_latex_is_a_whole_table_with_booktabs():
    text = written(TABLE, "latex")
    assert text.startswith("% Needs \\usepackage{booktabs}.\n\\begin{table}")
    assert "\\caption{Agreement on 50\\% \\& more}" in text
    assert "\\begin{tabular}{lrrr}\n\\toprule\n" in text
    assert "\\footnotesize The interval {[}a, b] is missing." in text
    assert text.count("{table}") == 2


def test_dashes_and_hyphens_stay_apart_in_latex():
    assert [escape_latex(text) for text in ("a-–b", "--all", "1–2")] == ["a-{--}b", "-{}-all", "1{--}2"]


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="a row has 1 cells, but the table has 2 columns"):
        PrintedTable(["a", "b"], [[1]])


def test_figures_have_the_columns_that_they_need():
    plain = figure_table(["figure"], [(["κ"], {"value": 0.5, "low": 0.4, "high": 0.6})])
    assert (plain.columns, plain.rows) == (["figure", "value", "low", "high"], [["κ", 0.5, 0.4, 0.6]])
    full = figure_table(["figure"], [(["κ"], {"value": None, "reason": "all labels are equal"}), (["d"], {"p": 0.1})])
    assert full.columns == ["figure", "value", "low", "high", "p", "note"]
    assert full.rows[0] == ["κ", None, None, None, None, "all labels are equal"]


@click.command()
@format_options
def show(output_format: str) -> None:
    print_result(output_format, TABLE, text=["for the terminal\n"])


class TestOptions:
    def test_each_format_is_printed(self):
        for table_format in TABLE_FORMATS[1:]:
            assert CliRunner().invoke(show, ["--format", table_format]).stdout == written(TABLE, table_format)
        assert CliRunner().invoke(show, []).stdout == "for the terminal\n"

    def test_json_is_an_option_and_a_format(self):
        rows = json.loads(CliRunner().invoke(show, ["--json"]).stdout.replace("NaN", "null"))
        assert rows[0] == {"system": "A&B_1 | 50% of {x}", "items": 1200, "ρ": 0.57149, "p": 0.00005}
        assert CliRunner().invoke(show, ["--format", "json"]).stdout == CliRunner().invoke(show, ["--json"]).stdout

    def test_two_formats_are_a_usage_error(self):
        result = CliRunner().invoke(show, ["--json", "--format", "csv"])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--json and --format csv exclude each other" in result.stderr

    def test_csv_prints_its_notes_on_standard_error(self):
        assert CliRunner().invoke(show, ["--format", "csv"]).stderr == (
            "accord: note: The interval [a, b] is missing.\n"
        )


def test_the_figures_of_a_command_are_equal_in_all_formats(tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("item,ann,bob\n" + "".join(f"p{n},{n % 2},{n % 3 % 2}\n" for n in range(30)))
    arguments = ["labels", "agreement", str(labels), "--resamples", "50"]
    figures = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    for table_format, (read, _, signed) in READERS.items():
        header, *rows = read(CliRunner().invoke(main, [*arguments, "--format", table_format]).stdout)
        assert header == ["coefficient", "value", "low", "high"]
        expected = [
            [signed(f"{each[end] + 0.0:.3f}") for end in ("value", "low", "high")]
            for name, each in figures.items()
            if name != "intervals"
        ]
        assert [row[1:] for row in rows] == expected
