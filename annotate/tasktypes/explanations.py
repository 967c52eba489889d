"""Explanations of figures. Researchers open an explanation in the console with the question mark next to the figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Explanation:
    """The explanation of a figure, which states how it is calculated and where the method was published.

    `name` is the name of the figure. `formula` contains full sentences, and `source` is a publication or a short
    statement. `guide` is the part of the documentation with the details, such as `methods#annotators`.
    """

    name: str
    formula: str
    source: str
    guide: str
