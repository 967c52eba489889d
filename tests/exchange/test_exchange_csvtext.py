"""Tests that CSV files do not change when they are written and read, and that spreadsheets cannot run their cells."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.csvtext import escape_formula, iter_records, unescape_formula, write_csv

# The reader rejects NUL, and half of a surrogate pair is not valid text.
characters = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
tricky = st.text(alphabet=st.sampled_from("'=+-@\t\r\n,;\"＝a1. "), max_size=6)
cells = st.one_of(st.text(alphabet=characters, max_size=20), tricky)
rows = st.lists(st.lists(cells, min_size=3, max_size=3).filter(any), max_size=20)


@given(rows)
def test_what_is_written_is_read_back_exactly(rows):
    text = "".join(write_csv(rows, ["a", "b", "c"]))
    records = [cells for _, cells in iter_records(text.encode(), name="x.csv")]
    assert records == [["a", "b", "c"], *rows]


@given(rows)
def test_the_same_without_escaping(rows):
    text = "".join(write_csv(rows, ["a", "b", "c"], formulas=False))
    records = [cells for _, cells in iter_records(text.encode(), name="x.csv", formulas=False)]
    assert records == [["a", "b", "c"], *rows]


@given(st.one_of(cells, tricky))
def test_escaping_is_undone(cell):
    assert unescape_formula(escape_formula(cell)) == cell


@pytest.mark.parametrize("cell", ["=1+1", "+A1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "-", "+1-555-0100"])
def test_formulas_never_start_a_cell(cell):
    written = "".join(write_csv([[cell]], ["text"]))
    seen = list(csv.reader(io.StringIO(written, newline="")))[1][0]
    assert seen == f"'{cell}"


@pytest.mark.parametrize("cell", ["-0.083", "+1", "1e-3", "-.5", "'tis", "plain", "", "a=b"])
def test_numbers_and_ordinary_text_are_left_alone(cell):
    assert escape_formula(cell) == cell


def test_many_rows_come_in_chunks():
    chunks = list(write_csv(([str(n)] for n in range(2_500)), ["n"]))
    assert len(chunks) == 3
    assert "".join(chunks).splitlines() == ["n", *map(str, range(2_500))]


def test_a_row_of_the_wrong_width_is_a_mistake():
    with pytest.raises(ValueError, match="a row has 1 cells for 2 columns"):
        list(write_csv([["a"]], ["x", "y"]))
