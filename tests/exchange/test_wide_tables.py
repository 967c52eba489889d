"""Figures in the layout of a paper: one column per measure or system, and the interval in the same cell."""

from dataclasses import replace

import pytest

from accord_core.exchange.printed_tables import figure_table, table_in
from accord_core.exchange.wide_tables import wide_table

KEYS = ["corpus", "figure"]
FIGURES = [
    (["news", "recall"], {"value": -0.51234, "low": -0.6, "high": 0.25}),
    (["news", "C"], {"value": None, "low": None, "high": None, "reason": "no pre-alignment"}),
    (["novels", "C"], {"value": 0.4, "low": None, "high": None, "p": 0.03}),
    (["novels", "recall"], {"value": 1.0}),
]
WIDE = wide_table(KEYS, FIGURES, across="figure", caption="Agreement", notes=["C corrects for chance."])


def test_each_value_of_the_key_is_a_column():
    assert WIDE.columns == ["corpus", "recall", "C"]
    assert WIDE.rows == [["news", "−0.512 [−0.600, 0.250]", None], ["novels", "1.000", "0.400, p = 0.0300"]]


def test_the_reason_of_an_undefined_figure_is_a_note():
    assert WIDE.notes == ["–: no pre-alignment.", "C corrects for chance."]


@pytest.mark.parametrize(("table_format", "lines"), [("markdown", 2), ("latex", 2), ("csv", 4), ("text", 4)])
def test_only_markdown_and_latex_have_the_wide_layout(table_format, lines):
    table = replace(figure_table(KEYS, FIGURES), wide=WIDE)
    shown = "".join(table_in(table, table_format)).splitlines()
    assert len([line for line in shown if "news" in line or "novels" in line]) == lines
