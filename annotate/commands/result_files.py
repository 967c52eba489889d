"""The file with the results of `accord try`, beside the file with the items: scores, labels or alignments."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import click
from django.db import transaction

from accord_core.exchange.files import write_whole
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.counts import totals
from annotate.core.services.jobs import request_job
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Job, Report, Study
from annotate.questions.selectors.data import one_snapshot, study_data
from annotate.results.selectors.downloads import latest_results, write_export
from annotate.results.services import hash_columns, make_report
from annotate.server.refusals import Refused
from annotate.tasktypes import RESULTS, extensions

WROTE = "wrote results"  # the verb of the log entry


class ResultFile:
    """The first file that the study's task type exports. It is written into `folder` after the last HIT, after each
    report and when `write` is called.

    A file that was not written by this study, or was changed since, is never replaced. The results then get a name such
    as `scores-2.csv`.
    """

    def __init__(self, study_id: int, folder: Path) -> None:
        self._study_id, self._folder = study_id, folder

    def register(self) -> None:
        """Write the file in the process that serves the study, without being asked."""
        extensions.register("try", extensions.Extension(announce=self._announced, after_report=self._reported))

    def is_finished(self) -> bool:
        """Return whether all HITs are submitted."""
        return _finished(Study.objects.get(pk=self._study_id))

    def write(self) -> None:
        """Write the results of all submitted HITs, and print a sentence. Calculate them first if they are outdated."""
        study = Study.objects.get(pk=self._study_id)
        submitted = totals(study).hits
        if not submitted:
            click.echo("There are no results, because no HIT has been submitted yet.")
            return
        try:
            path = self._write(study, _current_report(study))
        except Refused as refusal:  # for example because the study was archived
            click.echo(f"The results were not written. {refusal.message}")
        except OSError as error:
            click.echo(f"The results were not written. {error.filename}: {error.strerror}")
        else:
            share = "All" if _finished(study) else f"{submitted:,} of"
            click.echo(f"{share} {study.assignments_planned:,} HITs have been submitted. The results are in {path}.")

    def _write(self, study: Study, report: Report) -> Path:
        name = tasktypes.get(study.task_type).exports[0].filename
        contents = b"".join(write_export(study, name, report)[1])
        checksum = hashlib.sha256(contents).hexdigest()
        with write():
            known = set(study.events.filter(verb=WROTE).values_list("detail__sha256", flat=True))
            path = _free_path(self._folder / name, known | {checksum})
            if checksum not in known:
                record(study, WROTE, file=path.name, sha256=checksum)
        write_whole(str(path), [contents])
        return path

    def _announced(self, study: Study, kind: str, data: Callable[[], Mapping[str, Any]]) -> None:
        if study.pk == self._study_id and kind == extensions.HIT_SUBMITTED and _finished(study):
            transaction.on_commit(lambda: request_job(study, f"report:{RESULTS}", user=SYSTEM), robust=True)

    def _reported(self, job: Job) -> None:
        if job.study_id == self._study_id:
            self.write()


def _finished(study: Study) -> bool:
    return totals(study).hits >= study.assignments_planned > 0


def _current_report(study: Study) -> Report:
    """Return the latest report, or a new one if answers or decisions have changed since."""
    with one_snapshot():
        columns = tasktypes.report_columns(tasktypes.get(study.task_type), study_data(study, streamed=True))
    latest = latest_results(study)
    if latest and latest.columns_sha256 == hash_columns(columns):
        return latest
    return make_report(study.pk, kind=RESULTS, parameters={}, user=SYSTEM, progress=lambda share, message: None)


def _free_path(path: Path, known: set[str]) -> Path:
    """Return the path, numbered if it is taken by anything except a file with a known checksum."""
    for number in count(1):
        numbered = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        if not os.path.lexists(numbered):  # a link without a target counts as a file
            return numbered
        if numbered.is_file() and hashlib.sha256(numbered.read_bytes()).hexdigest() in known:
            return numbered
    raise AssertionError("the numbers never end")
