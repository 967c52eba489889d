"""Helpers for tests of `accord bws`."""

import sys

from click.testing import CliRunner

from annotate.commands.main import main

ACCORD = [sys.executable, "-c", "from annotate.commands.main import main; main()"]
ITEMS = [f"w{n:02}" for n in range(50)]
HEADER = "Item1,Item2,Item3,Item4,BestItem,WorstItem\n"


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def annotations(rounds=4, noise=7):
    """Return annotations of 20 items in the order of their numbers, with occasional errors so that the
    halves differ.
    """
    rows = []
    for number in range(20 * rounds):
        start = number * 13 + number // 20
        shown = sorted({(start + step) % 20 for step in (0, 3, 8, 15)})
        if number % noise == 0:
            shown = [shown[1], shown[0], *shown[2:]]
        names = [f"i{item:02}" for item in shown]
        rows.append(",".join([*names, names[-1], names[0]]))
    return HEADER + "\n".join(rows) + "\n"
