"""The sample of final labels that reviewers check, and the resulting bound on the share of wrong labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord_core.exchange.arrays import unpack
from accord_core.numerics.error_bound import Stratum
from accord_core.numerics.error_sample import planned_sample, remaining_share
from accord_core.numerics.labels import Floats, Ints
from annotate import tasktypes
from annotate.models import Decision, Report, Study
from annotate.server.refusals import Refused
from annotate.tasktypes import ERROR_SAMPLE, RESULTS, FinalLabels

from .decision_pace import decision_pace

OFFERED = (0.2, 0.1, 0.05, 0.03, 0.02, 0.01)  # shares of wrong labels for which the page shows a plan


@dataclass(frozen=True, eq=False)
class LabelsNow:
    """The labels of a results report that a sample can contain, with the probability `wrong` (L,) of each.

    `places` (L,) are their places in `labels`. `report` and `judgements` are the report's number and its number of
    judgements, and `right` is the number of its other final labels, which reviewers have decided.
    """

    report: int
    judgements: int
    labels: FinalLabels
    places: Ints
    right: int

    @property
    def wrong(self) -> Floats:
        wrong: Floats = self.labels.wrong[self.places]
        return wrong

    def label(self, number: int) -> dict[str, Any]:
        """Return the stored form of a label."""
        at = int(self.places[number])
        ref = self.labels.refs[int(self.labels.question[at])]
        return {"ref": ref, "part": self.labels.part[at], "label": self.labels.label[at]}


def has_samples(study: Study) -> bool:
    """Return whether reviewers can check a sample of the study's labels."""
    errors = tasktypes.get(study.task_type).likely_errors
    return errors is not None and errors.labels is not None


def labels_now(study: Study) -> LabelsNow:
    """Return the final labels in the latest results report on which no reviewer has decided.

    Raises `Refused` with the code `no-labels` for a task type without labels, `no-report` before the first report, and
    `nothing-to-check` if no label is left.
    """
    errors = tasktypes.get(study.task_type).likely_errors
    if errors is None or errors.labels is None:
        raise Refused("no-labels", "Only studies whose answers are labels can have a sample of final labels.")
    report = (
        study.reports.filter(kind=RESULTS, judgements__gt=0)
        .order_by("-number")
        .only("number", "judgements", "input")
        .first()
    )
    if report is None or not report.input:
        raise Refused("no-report", "Calculate the results first. The sample is drawn from the labels of a report.")
    labels = errors.labels(unpack(bytes(report.input)))
    decided = set(Decision.objects.filter(question__study=study).values_list("question__ref", flat=True))
    is_decided = np.array([labels.refs[at] in decided for at in labels.question.tolist()], dtype=np.bool_)
    final = ~np.isnan(labels.wrong)
    places = np.flatnonzero(final & ~is_decided)
    if not len(places):
        raise Refused("nothing-to-check", "All final labels have been decided.")
    return LabelsNow(report.number, report.judgements, labels, places, int((final & is_decided).sum()))


@dataclass(frozen=True)
class Offer:
    """The number of labels to check until at most the share `wanted` is expected to be wrong, and the time this takes
    in minutes.
    """

    wanted: float
    labels: int
    minutes: float


def offers(study: Study, now: LabelsNow, wanted: Sequence[float] = OFFERED) -> list[Offer]:
    """Return a sampling plan for each of the `wanted` shares of wrong labels."""
    minutes = decision_pace(study).seconds / 60
    sizes = [planned_sample(now.wrong, share, right=now.right).labels for share in wanted]
    return [Offer(share, size, size * minutes) for share, size in zip(wanted, sizes, strict=True)]


@dataclass(frozen=True)
class ErrorSample:
    """A sample with the reviewers' decisions so far. `report` is the number of the results report from which it was
    drawn, and `questions` are the sampled questions without a decision.
    """

    number: int
    report: int
    wanted: float
    right: int
    strata: Sequence[Stratum]
    checked: int
    questions: frozenset[str]

    @property
    def labels(self) -> int:
        return sum(stratum.checked for stratum in self.strata)

    @property
    def wrong(self) -> int:
        return sum(stratum.wrong for stratum in self.strata)

    @property
    def is_complete(self) -> bool:
        return not self.questions

    @cached_property
    def bound(self) -> float | None:
        """Return the upper bound on the share of final labels that are still wrong, or None until all labels are
        checked. Reviewers could otherwise stop at a favourable moment.
        """
        return remaining_share(self.strata, right=self.right) if self.is_complete else None


def error_sample(study: Study, *, of_report: Report | None = None) -> ErrorSample | None:
    """Return the latest sample in two queries, or None if there is none or `of_report` has other labels.

    A results report has the same labels, apart from reviewers' decisions, if it has the same number of judgements as
    the report from which the sample was drawn, and is not older.
    """
    stored = _latest(study)
    errors = tasktypes.get(study.task_type).likely_errors
    if stored is None or errors is None or errors.decided is None:
        return None
    if of_report is not None and not (
        of_report.number >= stored.parameters["report"] and of_report.judgements == stored.parameters["judgements"]
    ):
        return None
    label_in = errors.decided
    refs = {each["ref"] for stratum in stored.result["strata"] for each in stratum["drawn"]}
    decisions = Decision.objects.filter(question__study=study, question__ref__in=refs)
    decided = dict(decisions.values_list("question__ref", "value"))

    def is_wrong(label: Mapping[str, Any]) -> bool:
        value = decided.get(label["ref"])  # None also if the reviewer has accepted all answers
        return value is not None and label_in(value, label["part"], label["label"]) != label["label"]

    drawn = [stratum["drawn"] for stratum in stored.result["strata"]]
    sizes = [stratum["size"] for stratum in stored.result["strata"]]
    return ErrorSample(
        number=stored.number,
        report=stored.parameters["report"],
        wanted=stored.parameters["wanted"],
        right=stored.result["right"],
        strata=[Stratum(size, len(own), sum(map(is_wrong, own))) for size, own in zip(sizes, drawn, strict=True)],
        checked=sum(each["ref"] in decided for own in drawn for each in own),
        questions=frozenset(refs - decided.keys()),
    )


def sampled_questions(study: Study) -> frozenset[str]:
    """Return the refs of the questions that are still to decide in the latest sample."""
    sample = error_sample(study)
    return sample.questions if sample else frozenset()


def _latest(study: Study) -> Report | None:
    return study.reports.filter(kind=ERROR_SAMPLE).order_by("-number").only("number", "parameters", "result").first()
