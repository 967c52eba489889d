"""The file format for tuples in common best–worst scripts, which has one tuple per line, with items separated by
tabs.
"""

from collections.abc import Iterable, Iterator, Sequence

from accord_core.exchange.csvtext import escape_formula, unescape_formula
from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault, raise_faults


def write_tuples(tuples: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield one line per tuple, without quotation marks around the items. Items that a spreadsheet would evaluate as
    formulas are prefixed with an apostrophe (see `csvtext`).

    Raises ValueError if an item contains a tab or a line break.
    """
    for items in tuples:
        line = "\t".join(map(escape_formula, items))
        if line.count("\t") != len(items) - 1 or "\n" in line or "\r" in line:
            raise ValueError(f"An item with a tab or a line break does not fit into a file of tuples: {line!r}")
        yield f"{line}\n"


def read_tuples(data: bytes, *, name: str) -> list[tuple[str, ...]]:
    """Read tuples of the same size, removing the apostrophes that `write_tuples` adds. Blank lines are skipped.

    Raises TableError with every line that repeats an item or that has a different number of items than the first line.
    """
    tuples: list[tuple[str, ...]] = []
    faults = []
    for number, text in enumerate(open_text(data, name=name), start=1):
        if not text.strip():
            continue
        items = tuple(unescape_formula(item.strip()) for item in text.rstrip("\r\n").split("\t"))
        tuples.append(items)
        if len(items) != len(tuples[0]):
            faults.append(
                Fault(number, None, f"the tuple has {len(items)} items, but the first tuple has {len(tuples[0])}")
            )
        elif "" in items:
            faults.append(Fault(number, str(items.index("") + 1), "the item between two tabs is empty"))
        elif len(set(items)) < len(items):
            faults.append(Fault(number, None, "the tuple contains an item twice"))
    raise_faults(name, faults)
    return tuples
