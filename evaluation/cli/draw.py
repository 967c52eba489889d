"""The `accord evaluate draw` command draws the questions that people answer in a program-assisted study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.files import read_bytes, source_name
from accord_core.exchange.printed_tables import PrintedTable
from annotate.cli.options import note, output_option, print_result, seed_option
from annotate.cli.types import NumberRange

if TYPE_CHECKING:
    from accord_core.exchange.tables import Table

DRAWN, PROBABILITY = "drawn", "probability"


@click.command()
@click.argument("items", metavar="ITEMS")
@click.option(
    "--share",
    type=NumberRange(0, 1, min_open=True),
    required=True,
    help="Share of the questions that people answer, such as 0.2.",
)
@click.option(
    "--uncertainty",
    metavar="COLUMN",
    help="Column with the program's uncertainty about each question, as a number of at least 0. Uncertain questions "
    "are then drawn more often. By default, the draw is even.",
)
@click.option(
    "--even",
    type=NumberRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="Share of the draw that does not depend on --uncertainty. A larger share limits the effect of misleading "
    "uncertainty values.",
)
@seed_option
@output_option
def draw(items: str, share: float, uncertainty: str | None, even: float, seed: int, output: str) -> None:
    """Draw the questions for people from ITEMS, before the study opens.

    The result is ITEMS with the additional columns drawn (yes or no) and probability. Import the drawn rows for people,
    and let the program answer all rows. A hash of the IDs and the seed determines the draw, so the order of the rows
    has no effect.

    \b
    Examples:
        accord evaluate draw items.csv --share 0.2 -o drawn.csv
        accord evaluate draw items.csv --share 0.2 --uncertainty entropy --even 0.5 -o drawn.csv
    """
    import numpy as np

    from accord_core.exchange.tables import Limits, read_table
    from accord_core.numerics.assisted_draw import draw_probabilities, drawn_questions
    from accord_core.numerics.draws import draw as random_number

    table = read_table(read_bytes(items), name=source_name(items), limits=Limits())
    keys, numbers = _checked(table, uncertainty)
    probability = draw_probabilities(np.array(numbers), share, even if uncertainty else 1.0)
    drawn = drawn_questions(probability, np.array([random_number(seed, "assisted", each) for each in keys]))
    note(f"{int(drawn.sum()):,} of {len(keys):,} questions are drawn with the seed {seed}")
    if uncertainty is not None:
        note(f"if the uncertainty misleads, intervals are at most {even**-0.5:.2f} times as wide as after an even draw")
    rows = [
        [*(row.values.get(column, "") for column in table.columns), "yes" if of_draw else "no", of_probability]
        for row, of_draw, of_probability in zip(table.rows, drawn.tolist(), probability.tolist(), strict=True)
    ]
    columns = [*table.columns, DRAWN, PROBABILITY]
    print_result("csv", PrintedTable(columns, rows, places_of={PROBABILITY: 6}), output=output)


def _checked(table: Table, uncertainty: str | None) -> tuple[list[str], list[float]]:
    """Return the ID and the uncertainty of each item. Raises TableError with every error."""
    from accord_core.evaluation.formats.predictions import ITEM
    from accord_core.exchange.tables import find_column

    faults: list[Fault] = []
    key = next((column for name in ITEM if (column := find_column(table.columns, name))), None)
    column = None if uncertainty is None else find_column(table.columns, uncertainty)
    present = f"the column is missing. The columns are {', '.join(table.columns)}"
    if key is None:
        faults.append(Fault(1, "item", present))
    if uncertainty is not None and column is None:
        faults.append(Fault(1, uncertainty, present))
    faults += [
        Fault(1, name, "the file already has this column") for name in (DRAWN, PROBABILITY) if name in table.columns
    ]
    raise_faults(table.name, faults)
    line_of: dict[str, int] = {}
    numbers = []
    for row in table.rows:
        item = row.values.get(key or "", "").strip()
        if not item:
            faults.append(Fault(row.line, key, "the cell is empty"))
        elif line_of.setdefault(item, row.line) != row.line:
            faults.append(Fault(row.line, key, f"{item} is already on line {line_of[item]}"))
        numbers.append(1.0 if column is None else _number(row.values.get(column, ""), row.line, column, faults))
    raise_faults(table.name, faults)
    return list(line_of), numbers


def _number(cell: str, line: int, column: str, faults: list[Fault]) -> float:
    from accord_core.exchange.numbers import decimal_hint, read_number

    try:
        value = read_number(cell)
    except ValueError:
        value = -1.0
    if value < 0:
        faults.append(Fault(line, column, f"“{cell[:40]}” is not a number of at least 0{decimal_hint(cell)}"))
    return value
