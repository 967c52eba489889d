"""Table rows for a study's systems, for the console and the public leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from annotate import tasktypes
from annotate.models import Job, Report, Study
from annotate.server.refusals import or_404
from evaluation.models import SCORING, PublicTable, Submission

Figure = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """A table row for a system, or for a baseline if only `name` is set. `figures` are in the order of the table's
    columns, with None for missing figures.

    `stale` is true if the score is not based on the same annotations and items as the latest score in the study. `job`
    is the latest scoring job of the system. `setting` names the options of the score if the systems differ in them,
    such as the predicted field of a form, because only scores with the same options can be compared.
    """

    name: str
    figures: Sequence[Figure | None]
    submission: Submission | None = None
    stale: bool = False
    job: Job | None = None
    kind: str = ""
    setting: str = ""

    @property
    def first(self) -> int | None:
        """The place of the first known figure, or None if there is none. Systems differ in it if their files contain
        different predictions, such as labels or pairs.
        """
        return next((place for place, each in enumerate(self.figures) if each and each["value"] is not None), None)


@dataclass(frozen=True)
class Table:
    """The rows for a study's systems and baselines. `part` is the split on which the latest system was scored, or None
    for all items. `setting` names the options of all scores if they are the same.
    """

    names: list[str]
    rows: list[Row]
    baselines: list[Row]
    part: Figure | None = None
    setting: str = ""

    @property
    def mixed(self) -> bool:
        """Return whether the systems have different figures."""
        return len({row.first for row in self.rows} - {None}) > 1

    @property
    def leading(self) -> str:
        """Return the name of the figure that ranks the systems."""
        return "each system’s first figure" if self.mixed else self.names[0] if self.names else "score"


def systems_of(study: Study) -> QuerySet[Submission]:
    """Return a study's systems without their files, newest first."""
    return (
        Submission.objects.filter(study=study)
        .select_related("created_by", "study")
        .defer("content")
        .order_by("-number")
    )


def history(study: Study) -> Table:
    """Return all of a study's systems, best first for each setting, and the baselines of each setting. Systems
    that were scored on earlier data follow, and then systems without a score, newest first.
    """
    submissions = list(systems_of(study))
    jobs = {job.kind: job for job in study.jobs.filter(kind__startswith=f"{SCORING}-").order_by("pk")}
    return _best_first(_table(submissions, jobs))


def public_table(public_id: str) -> tuple[PublicTable, Table]:
    """Return a study's public systems, starting with the best one. Raises Http404 if the study has no public
    leaderboard.
    """
    leaderboard = or_404(
        PublicTable.objects.select_related("study").filter(study__public_id=public_id).first(), "no such page"
    )
    table = _table([each for each in systems_of(leaderboard.study).filter(public=True) if each.result], {})
    return leaderboard, _best_first(table)


def report_on_same(submission: Submission) -> Report | None:
    """Return the results report on the annotations that were used to score the system."""
    if not submission.annotations:
        return None
    reports = submission.study.reports.filter(kind="results", columns_sha256=submission.annotations)
    return reports.only("number", "created_at").order_by("-number").first()


def _table(submissions: Sequence[Submission], jobs: dict[str, Job]) -> Table:
    scored = [each for each in submissions if each.scored_at is not None]
    newest = _newest(scored)
    names = list(dict.fromkeys(measure["name"] for each in scored for measure in each.measures))
    settings = {each.pk: _setting(each) for each in submissions}
    differ = len(set(settings.values())) > 1
    rows = [
        Row(
            each.system,
            _figures(each.measures, names),
            each,
            stale=newest is not None
            and each.scored_at is not None
            and (each.annotations, each.part) != (newest.annotations, newest.part),
            job=jobs.get(each.job_kind),
            setting=settings[each.pk] if differ else "",
        )
        for each in submissions
    ]
    baselines = []
    for setting in sorted(set(settings.values())):
        latest = _newest([each for each in scored if settings[each.pk] == setting])
        for each in (latest.result or {}).get("baselines", []) if latest else []:
            figures = _figures(each["measures"], names)
            baselines.append(Row(each["name"], figures, kind=each["kind"], setting=setting if differ else ""))
    shared = "" if differ else "".join(set(settings.values()))
    return Table(names, rows, baselines, newest.part if newest else None, shared)


def _newest(scored: Sequence[Submission]) -> Submission | None:
    return max(scored, key=lambda each: (each.scored_at, each.number), default=None)


def _setting(submission: Submission) -> str:
    """Return the options of a system's score in words."""
    systems = tasktypes.get(submission.study.task_type).systems
    values = [(option.label, submission.parameters.get(option.name)) for option in (systems.options if systems else ())]
    return ", ".join(f"{label}: {value}" for label, value in values if value)


def _figures(measures: Sequence[Figure], names: Sequence[str]) -> list[Figure | None]:
    figures = {measure["name"]: measure for measure in measures}
    return [figures.get(name) for name in names]


def _best_first(table: Table) -> Table:
    return replace(table, rows=sorted(table.rows, key=_place))


def _place(row: Row) -> tuple[bool, str, int, bool, float]:
    """Return the sort key of a system. Rows with the same key stay in their order."""
    first = row.first
    leading = None if first is None else row.figures[first]
    if first is None or leading is None:
        return True, row.setting, 0, row.stale, 0.0
    return False, row.setting, first, row.stale, leading["value"] if leading.get("lower") else -leading["value"]
