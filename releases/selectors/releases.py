"""The results on which a release would be based."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.core.selectors.progress import judgements_counted
from annotate.models import Report, Study
from annotate.results.selectors.downloads import latest_results


@dataclass(frozen=True)
class Basis:
    """The latest report, or None if it has no judgements, and the study's current number of counted judgements."""

    report: Report | None
    counted: int

    @property
    def is_current(self) -> bool:
        """Whether the report covers as many judgements as count now. Creating the release compares every answer."""
        return self.report is not None and self.report.judgements == self.counted


def release_basis(study: Study) -> Basis:
    report = latest_results(study)
    return Basis(report if report and report.judgements else None, judgements_counted(study, in_scores=True))
