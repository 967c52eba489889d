"""Best–worst designs: which items each question shows.

A design of T tuples shows each item equally often (± 1), repeats pairs of items as rarely as the numbers allow, puts
each item at each position equally often, and connects all items.

>>> from accord_core.designs import best_worst_design, describe_design
>>> design = best_worst_design(12, size=4, factor=2.0, seed=7)
>>> design.shape  # T tuples of 4 items, numbered from 0
(24, 4)
>>> report = describe_design(design, 12, seed=7)
>>> report.appearances, report.components
(Range(min=8, max=8), 1)
"""

from accord_core.bws.numerics.design import DesignError, best_worst_design
from accord_core.bws.numerics.design_report import DesignReport, Range, describe_design

__all__ = ["DesignError", "DesignReport", "Range", "best_worst_design", "describe_design"]
