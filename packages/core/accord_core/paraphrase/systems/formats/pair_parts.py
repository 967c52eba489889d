"""The train, dev and test splits of (phrase, paraphrase) pairs in a domain."""

from __future__ import annotations

from typing import NamedTuple

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.tables import Limits, iter_table
from accord_core.paraphrase.systems.formats.paraphrase_tables import Pair, pair_rows

PARTS = ("train", "dev", "test")


class PairsInPart(NamedTuple):
    """The pairs in one split, by domain. An empty domain means every domain. `divided` is the number of pairs that
    belong to both this split and another.
    """

    pairs: dict[str, set[Pair]]
    divided: int

    def restrict(self, labels: dict[str, dict[Pair, str]]) -> dict[str, dict[Pair, str]]:
        """Return the labels of the pairs in this split, for each domain that has such pairs."""
        chosen = {
            domain: {pair: label for pair, label in of_pairs.items() if self._contains(domain, pair)}
            for domain, of_pairs in labels.items()
        }
        return {domain: of_pairs for domain, of_pairs in chosen.items() if of_pairs}

    def _contains(self, domain: str, pair: Pair) -> bool:
        return any(pair in self.pairs.get(name, ()) for name in (domain, ""))


def read_pairs_in_part(data: bytes, part: str, *, name: str) -> PairsInPart:
    """Return the pairs whose rows all belong to `part`, from a table with the columns phrase, paraphrase, split and,
    optionally, domain, such as a release's `labels-by-sentence.csv`.

    A pair has several rows if its paraphrase was judged in several sentences. Raises TableError with every error: a
    missing column or cell, an unknown part, or a part without pairs.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    parts: dict[tuple[str, Pair], set[str]] = {}
    for row, domain, pair in pair_rows(stream, faults, also="split"):
        cell = next((cell for column, cell in row.values.items() if column.casefold() == "split"), "").strip()
        if cell in PARTS:
            parts.setdefault((domain, pair), set()).add(cell)
        else:
            faults.append(Fault(row.line, "split", f"“{cell[:40]}” is not one of {', '.join(PARTS)}"))
    chosen = [key for key, found in parts.items() if found == {part}]
    if not chosen and not faults:
        faults.append(Fault(None, "split", f"no pair belongs to the {part} part"))
    raise_faults(name, faults)
    pairs: dict[str, set[Pair]] = {}
    for domain, pair in chosen:
        pairs.setdefault(domain, set()).add(pair)
    return PairsInPart(pairs, sum(part in found and len(found) > 1 for found in parts.values()))
