"""Tests of old projects: a results file of Mechanical Turk becomes the answers of a study with its layout."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from click.testing import CliRunner

from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from annotate.models import Annotator, Assignment, Study
from annotate.mturk.services.batches import import_results
from annotate.mturk.services.result_imports import undo_import
from annotate.questions.selectors.data import study_data
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from layouts.exports import results
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.layout_study import BATCH, GOLD, PLAIN, layout_study

pytestmark = pytest.mark.django_db
FIXED = ("HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime", "SubmitTime", "WorkTimeInSeconds")
TIMES = ("Fri Mar 03 09:00:00 PST 2017", "Fri Mar 03 09:00:42 PST 2017", "42")
CELLS = {"H1": ("Vote <today>", "Rome"), "H2": ("A goal, 3:1", "Bonn")}
ANSWERS = ("topic", "certain", "length", "comment")
GIVEN = [
    ("H1", "A", "Approved", ("politics", "on", "3", "good “text”")),
    ("H1", "B", "Submitted", ("politics", "", "", "")),
    ("H2", "A", "Approved", ("sports", "", "12", "")),
    ("H2", "B", "Submitted", ("politics", "on", "", "=SUM(1)")),
    ("H2", "C", "Rejected", ("sports", "", "", "")),
]
CROWD_FORM = PLAIN.replace("<h2>", "<crowd-form><h2>", 1) + "</crowd-form>"


def old_file(given: Any = GIVEN, answers: Any = ANSWERS, *, cells: dict[str, Any] = CELLS) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*FIXED, "Input.text", "Input.place", *(f"Answer.{name}" for name in answers)])
    for hit, worker, status, values in given:
        writer.writerow([hit, f"{hit}-{worker}", worker, status, *TIMES, *cells[hit], *values])
    return text.getvalue()


def study_for(batch: str, layout: str = PLAIN, **more: Any) -> Study:
    return layout_study(layout, batch=batch, **{"questions_per_hit": 1, "judgements": 2} | more)


def load(study: Study, file: str, **more: Any) -> Any:
    return import_results(study.pk, file.encode(), "old.csv", user=SYSTEM, **more)


def exported(study: Study) -> list[tuple[Any, ...]]:
    """Return the cells and the answers in the exported results file, with the IDs of the old workers."""
    ids = dict(study.participations.values_list("pseudonym", "annotator__external_id"))
    file = b"".join(results(study_data(study), None)).decode()
    return sorted(
        (
            row["Input.text"],
            ids[row["WorkerId"]],
            row["WorkTimeInSeconds"],
            *(row[f"Answer.{name}"] for name in ANSWERS),
        )
        for row in csv.DictReader(io.StringIO(file))
    )


def expected(given: Any = GIVEN) -> list[tuple[Any, ...]]:
    kept = [row for row in given if row[2] != "Rejected"]
    return sorted((CELLS[hit][0], worker, "42", *escaped(values)) for hit, worker, _, values in kept)


def escaped(values: tuple[str, ...]) -> list[str]:
    """Return the cells as CSV files contain them, which must not begin like a formula."""
    return [f"'{value}" if value.startswith("=") else value for value in values]


@pytest.mark.nightly
def test_an_old_results_file_becomes_a_finished_study_with_the_same_answers() -> None:
    # The gold questions of the study are not part of the old HITs, so no worker has missed them.
    study = study_for(old_file(), gold=GOLD, rule_threshold="0.6")
    ways = browser_of(study).get(page_of(study, "items/add/")).content.decode()
    assert "Results of a Mechanical Turk or Turkle batch" in ways
    preview = load(study, old_file(), dry_run=True)
    assert not study.assignments.exists()
    counts = load(study, old_file())
    assert counts == preview
    assert (counts.assignments, counts.answers, counts.rejected, counts.surplus) == (4, 4, 1, 0)
    assert (counts.gold_left_out, counts.stopped) == (0, 0)
    assert exported(study) == expected()
    assert not study.slots.filter(open=1).exists()
    assignment = Assignment.objects.select_related("hosted").get(external_id="H1-A")
    assert (assignment.hosted.status, assignment.hosted.cells["AcceptTime"]) == ("Approved", TIMES[0])
    assert assignment.submitted_at.isoformat() == "2017-03-03T17:00:42+00:00"
    report = make_report(study.pk, kind="results", parameters={"resamples": 20}, user=SYSTEM, progress=lambda *_: None)
    assert {field["name"]: field["answers"] for field in report.result["fields"]}["topic"] == 4
    assert load(study, old_file()).known == 4
    changed = old_file([("H1", "A", "Approved", ("sports", "", "", "")), *GIVEN[1:]])
    with pytest.raises(Refused, match="The first is assignment H1-A on line 2"):
        load(study, changed)
    undo_import(study.result_imports.earliest("pk").pk, user=SYSTEM)
    assert not exported(study)


@pytest.mark.parametrize("flat", [True, False])
def test_answers_of_a_crowd_form_and_items_from_the_batch(flat: bool) -> None:
    """The choices of a crowd form have a column or a JSON value each. Items without HIT IDs are matched by their
    cells.
    """
    nested = [
        (
            hit,
            worker,
            status,
            {
                "topic": {name: name == values[0] for name in ("politics", "sports")},
                "certain": {"on": values[1] == "on"},
                "length": values[2],
                "comment": values[3],
            },
        )
        for hit, worker, status, values in GIVEN
    ]
    if flat:
        columns: Any = ("topic.politics", "topic.sports", "certain.on", "length", "comment")
        rows: Any = [
            (*rest, (*(str(x).lower() for x in (*v["topic"].values(), v["certain"]["on"])), v["length"], v["comment"]))
            for *rest, v in nested
        ]
    else:
        columns, rows = ("taskAnswers",), [(*rest, (json.dumps([values]),)) for *rest, values in nested]
    batch = "place,text\n" + "".join(f'{place},"{text}"\n' for text, place in CELLS.values())
    study = study_for(batch)
    assert load(study, old_file(rows, columns)).assignments == 4
    assert exported(study) == expected()


@pytest.mark.parametrize(
    ("given", "cells", "place", "message"),
    [
        (("music", "", "", ""), {}, "line 2, column Answer.topic", "does not have the choice “music”"),
        (("", "", "", "x"), {}, "line 2, column Answer.topic", "Answer the field “topic”"),
        (("sports", "", "many", ""), {}, "line 2, column Answer.length", "must be a number"),
        (("sports", "", "", ""), {"H1": ("other", "Rome")}, "line 2, column Input.text", "differs from the item H1"),
        (("sports", "", "", ""), {"H9": ("other", "Rome")}, "line 2, column HITId", "no item of the study"),
    ],
)
def test_faults_have_a_row_and_a_column(given: Any, cells: Any, place: str, message: str) -> None:
    study = study_for(old_file())
    hit = next(iter(cells), "H1")
    file = old_file([(hit, "A", "Approved", given), GIVEN[2]], cells=CELLS | cells)
    with pytest.raises(Refused, match=message) as refused:
        load(study, file)
    assert list(refused.value.fields) == [place]
    assert not Annotator.objects.exists()
    if place.startswith("line 2, column Answer"):
        counts = load(study, file, skip_faulty=True)
        assert (counts.assignments, counts.faulty) == (1, 1)


@pytest.mark.nightly
def test_studies_into_which_old_results_cannot_be_loaded(tmp_path: Any) -> None:
    with pytest.raises(Refused, match="the HITs of this study have 2 questions"):
        load(study_for(old_file(), questions_per_hit=2), old_file())
    twice = study_for(BATCH.splitlines()[0] + "\n" + 2 * '"Vote <today>",Rome\n')
    with pytest.raises(Refused, match="2 items in the study have the same Input cells"):
        load(twice, old_file(GIVEN[:1]))
    broken = old_file([(*GIVEN[0][:3], ("[",))], ("taskAnswers",))
    extra = old_file([(*GIVEN[0][:3], ("politics", "x"))], ("topic", "mood"))
    study = study_for(old_file())
    for file, column in ((broken, "taskAnswers"), (extra, "mood")):
        with pytest.raises(Refused) as refused:
            load(study, file)
        assert list(refused.value.fields) == [f"line 2, column Answer.{column}"]
    path = tmp_path / "old.csv"
    path.write_text(old_file(), encoding="utf-8")
    with pytest.raises(Refused, match="the study is empty"):
        load(make_study(items=10), old_file())
    ran = CliRunner().invoke(group, ["import-results", study.public_id, str(path)])
    assert (ran.exit_code, study.assignments.count()) == (0, 4), ran.output
