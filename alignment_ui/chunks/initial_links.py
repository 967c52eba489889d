"""Initial links in a table of sentence pairs, such as `1 2 <==> 1 // SPE1 // 4;;3 <==> 0 // NOALI // NIL`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.chunks.formats.import_rules import by_severity
from accord_core.chunks.formats.ists_check import check_pairs
from accord_core.chunks.formats.ists_links import BETWEEN, links_of
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.exchange.faults import Fault
from alignment_ui.chunks.answer import from_pair

WITHOUT_LINKS = "number of pairs without links: %s. Annotators start with the chunks or words of these pairs"
FORM = f"The column must contain lines of a .wa file, separated by {BETWEEN}. Rename a column with other contents"


class InitialLinks:
    """The links in a table's cells, and their errors. The links must follow the study's guidelines like the links in a
    `.wa` file.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = options
        self._pairs: list[IstsPair] = []
        self._faults: list[Fault] = []
        self._warnings: list[Fault] = []
        self._empty = 0

    def read(self, key: str, line: int | None, content: Mapping[str, Any], cell: str, column: str) -> dict[str, Any]:
        """Return the chunks, links and unlinked chunks in a cell, or an empty dictionary if there are none."""
        links, broken = links_of(cell, line)
        if broken:
            self._faults += [Fault(line, column, message) for message in broken]
            self._faults.append(Fault(line, column, FORM))
            return {}
        if not links:
            self._empty += 1
            return {}
        links += tuple(_unlinked(content, links, line))
        pair = IstsPair(key, tuple(content["source"]), tuple(content["target"]), links, line=line)
        self._pairs.append(pair)
        try:
            return from_pair(pair)
        except ValueError as error:
            self._warnings.append(
                Fault(line, column, f"sentence pair {key}: {error}, so the pair starts without links")
            )
            return {}

    def faults_and_warnings(self) -> tuple[list[Fault], list[Fault]]:
        """Return the errors and warnings of all rows."""
        violations = check_pairs(self._pairs, many_to_many=self._options["many"])
        faults, warnings = by_severity(violations, begin="links", refuse=self._options["guidelines"] == "refuse")
        if self._options["guidelines"] == "warn":
            warnings += self._warnings  # otherwise, the reasons are errors
        if self._empty:
            warnings.append(Fault(None, None, WITHOUT_LINKS % f"{self._empty:,}"))
        return [*self._faults, *faults], warnings


def _unlinked(content: Mapping[str, Any], links: tuple[ChunkLink, ...], line: int | None) -> Iterator[ChunkLink]:
    """Yield the bracketed chunks missing from the cell, as NOALI."""
    for side, chunks in content.get("chunks", {}).items():
        linked = {getattr(link, side) for link in links}
        for chunk in map(tuple, chunks):
            if chunk not in linked:
                source, target = (chunk, ()) if side == "source" else ((), chunk)
                yield ChunkLink(source, target, "NOALI", line=line)
