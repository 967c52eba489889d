"""Alignments, link probabilities and annotator figures that the model of cells estimates for several sentence pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.words.numerics.aggregation import Method, majority, medoid, most_probable
from accord_core.words.numerics.cell_annotators import LinkRates, link_rates
from accord_core.words.numerics.cell_model import CellModel, fit
from accord_core.words.numerics.cells import POSSIBLE, SURE, AnnotatedPair, Cells, cells_of

FEWEST_PAIRS = 20


@dataclass(frozen=True, eq=False)
class Modelled:
    """The model of the cells in several sentence pairs."""

    pairs: Sequence[AnnotatedPair]
    cells: Cells
    model: CellModel

    def alignments(self) -> list[Alignment | None]:
        """Return the most probable alignment of each pair, or None for a pair without annotators."""
        return most_probable(self.pairs, self.cells, self.model)

    def probabilities(self) -> list[dict[Link, tuple[float, float]]]:
        """Return the probabilities of a possible and a sure link, for each link that an annotator drew."""
        found: list[dict[Link, tuple[float, float]]] = [{} for _ in self.pairs]
        columns = (array.tolist() for array in (self.cells.pair, self.cells.i, self.cells.j, self.model.posterior))
        for pair, i, j, posterior in zip(*columns, strict=True):
            if i >= 0:
                found[pair][i, j] = (posterior[POSSIBLE], posterior[SURE])
        return found

    def wrong_links(self, final: Mapping[int, Alignment]) -> dict[int, float]:
        """Return the expected number of wrong links in each of these alignments, keyed by the pair's position.

        A link is wrong if it should not exist or has the other kind. Missing links count if an annotator drew them.
        """
        probabilities = self.probabilities()
        wrong = {}
        for place, alignment in final.items():
            drawn = probabilities[place]
            right = (
                sure if link in alignment.sure else possible if link in alignment.links else 1 - possible - sure
                for link, (possible, sure) in drawn.items()
            )
            wrong[place] = sum(1 - each for each in right)
        return wrong

    def annotators(self, *, seed: int) -> LinkRates:
        """Return each annotator's estimated precision and recall."""
        return link_rates(self.cells, self.model, seed=seed)

    def warnings(self) -> list[str]:
        """Return warnings about estimates that may be unreliable."""
        annotated = sum(bool(pair.answers) for pair in self.pairs)
        found = []
        if annotated < FEWEST_PAIRS:
            found.append(
                f"The model is based on {annotated:,} annotated pairs. With fewer than {FEWEST_PAIRS} pairs, its error "
                "rates are imprecise."
            )
        if not self.model.converged:
            found.append(f"The model had not converged after {self.model.rounds} iterations.")
        return found


def modelled(pairs: Sequence[AnnotatedPair], n_annotators: int) -> Modelled:
    """Estimate the model from all pairs."""
    cells = cells_of(pairs, n_annotators)
    return Modelled(pairs, cells, fit(cells))


def aggregated(pairs: Sequence[AnnotatedPair], n_annotators: int, method: Method) -> list[Alignment | None]:
    """Return one alignment for each pair, combined by one of three methods, or None for a pair without annotators."""
    if method == "model":
        return modelled(pairs, n_annotators).alignments()
    combine = {"majority": majority, "medoid": medoid}[method]
    return [combine(list(pair.answers.values())) if pair.answers else None for pair in pairs]
