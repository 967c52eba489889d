"""Systems on a command line, with their names, the pairs of systems to compare, and corrected p-values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from accord_core.exchange.files import STANDARD, source_name
from accord_core.numerics.multiplicity import holm

Difference = dict[str, Any]


class System(NamedTuple):
    """A system's name in tables, and its output file."""

    name: str
    path: str


@dataclass(frozen=True)
class ComparedSystems:
    """The systems, and the names of each pair of systems to compare, as (one, other)."""

    systems: Sequence[System]
    pairs: Sequence[tuple[str, str]]

    @property
    def paths(self) -> list[str]:
        return [system.path for system in self.systems]


def compared_systems(files: Sequence[str], baseline: str | None = None) -> ComparedSystems:
    """Return the systems in `files` (each FILE or NAME=FILE) and the pairs of systems to compare.

    By default, a system has the name of its file without folder and ending, or the whole path if two systems would
    have the same name. All pairs are compared. With a `baseline`, which is one of the systems or a further file, each
    other system is compared only with the baseline. Raises ValueError if two systems have the same name.
    """
    known = [baseline is not None and baseline in (file, *_divided(file)) for file in files]
    listed = [*files, *([baseline] if baseline is not None and not any(known) else [])]
    systems = _named(listed)
    repeated = [name for name, count in Counter(system.name for system in systems).items() if count > 1]
    if repeated:
        raise ValueError(f"Several systems have the name {repeated[0]}. Name each system in the form NAME=FILE.")
    names = [system.name for system in systems]
    if baseline is None:
        pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    else:
        base = names[known.index(True)] if any(known) else names[-1]
        pairs = [(name, base) for name in names if name != base]
    return ComparedSystems(systems, pairs)


def title(one: str, other: str) -> str:
    """Return the title of a difference in tables."""
    return f"{one} minus {other}"


def add_corrected(differences: Iterable[Difference]) -> None:
    """Add `p_holm`, the p-value after Holm's correction, to each difference in a family of at least two."""
    family = list(differences)
    if len(family) > 1:
        for difference, p in zip(family, holm([each.get("p") for each in family]), strict=True):
            difference["p_holm"] = p


def add_corrected_by_figure(differences: Iterable[Mapping[str, Difference]]) -> None:
    """Add `p_holm` to the figures of several comparisons. All differences in one figure form one family of tests."""
    compared = list(differences)
    for name in compared[0] if compared else ():
        add_corrected(each[name] for each in compared)


def correction_note(differences: Sequence[Mapping[str, Any]], of: str = "comparisons") -> list[str]:
    """Return a sentence about the correction, or an empty string if the p-values are not corrected. `of` names the
    tests.
    """
    if not any(each.get("p_holm") is not None for each in differences):
        return []
    count = f"{len(differences):,} {of}"
    return [f"p (Holm) is the p-value after Holm's correction for {count}. The confidence intervals are uncorrected."]


def _named(files: Sequence[str]) -> list[System]:
    divided = [_divided(file) for file in files]
    stems = Counter(_stem(path) for name, path in divided if not name)
    return [
        System(name or (_stem(path) if stems[_stem(path)] == 1 else source_name(path)), path) for name, path in divided
    ]


def _divided(file: str) -> tuple[str, str]:
    """Return the name and the path given as NAME=FILE. The name is empty if only a path is given, which can itself
    contain `=`.
    """
    name, equals, path = file.partition("=")
    return (name, path) if equals and name and "/" not in name and not Path(file).exists() else ("", file)


def _stem(path: str) -> str:
    return source_name(path) if path == STANDARD else Path(path).stem
