"""The results on which a release would be based."""

from __future__ import annotations

from dataclasses import dataclass

from annotate import tasktypes
from annotate.core.selectors.progress import judgements_counted
from annotate.models import Question, Report, Study
from annotate.questions.selectors.decisions import decisions_since
from annotate.results.selectors.downloads import latest_results

REPEAT = "repeat"  # the kind of the report with the differences between a repeat and its original


@dataclass(frozen=True)
class Basis:
    """The latest report, or None if it has no judgements, the study's current number of counted judgements, and the
    number of newer decisions that change the results.
    """

    report: Report | None
    counted: int
    decisions: int

    @property
    def is_current(self) -> bool:
        """Whether the report covers as many judgements as count now, and the current decisions. Creating the release
        compares every answer.
        """
        return self.report is not None and self.report.judgements == self.counted and not self.decisions


def release_basis(study: Study) -> Basis:
    report = latest_results(study)
    counted = judgements_counted(study, in_scores=True)
    if report is None or not report.judgements:
        return Basis(None, counted, decisions=0)
    decided = tasktypes.get(study.task_type).decisions_count
    return Basis(report, counted, decisions_since(study, report.created_at) if decided else 0)


def has_gold(study: Study) -> bool:
    """Return whether the study has or had questions with expected answers, which a release can seal."""
    kinds = (Question.Kind.GOLD, Question.Kind.PRACTICE, Question.Kind.RETIRED)
    return study.questions.filter(kind__in=kinds).exists()


def repeat_report(study: Study) -> Report | None:
    """Return the report with the differences from the released study that this study repeats, if it is a repeat."""
    return study.reports.filter(kind=REPEAT).order_by("number").last()
