"""Tests of a study with a layout: the batch file, gold questions, answers, reports, files and pages."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accord_core.exchange.layout import guess_columns, template
from accord_core.layouts.formats.fields import CHOICES, TEXT
from accord_core.layouts.formats.layout import read_layout
from accord_core.numerics.labels import Labels
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Question, Report, Study
from annotate.questions.selectors.agreement import queue_agreement
from annotate.questions.services.decisions import decide, keep_both
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import create_study
from annotate.tasktypes import InvalidAnswer, InvalidOptions
from layouts.columns import FieldLabels, as_label
from layouts.policy import frame_url
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, member_of
from tests.layout_study import BATCH, CROWD, GOLD, HOSTILE, PLAIN, layout_study

pytestmark = pytest.mark.django_db
TASK = tasktypes.get("layout")
LIMITS = {"rows": 100, "bytes": 100_000, "cell": 2_000}


def options(layout: str = PLAIN, **more: Any) -> dict[str, Any]:
    return TASK.clean_options({"layout": layout, **more})


def clean(fields: dict[str, Any], layout: str = PLAIN, payload: Any = None, **more: Any) -> dict[str, Any]:
    return TASK.clean(payload or {"item": "i"}, [], {"fields": fields}, options(layout, **more))["fields"]


# ── options ───────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"layout": "<p>\n<input type=file name=f>"}, "line 2: annotators cannot upload files"),
        ({"hosts": "http://cdn.example.org"}, "is not a host"),
        ({"hosts": "https://cdn.example.org/x; script-src *"}, "is not a host"),
        ({"hosts": " ".join(f"https://h{n}.example.org" for n in range(21))}, "the limit is 20"),
    ],
)
def test_options_that_cannot_be_used(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptions, match=message):
        TASK.clean_options(raw)


def test_line_breaks_of_forms_do_not_change_the_layout() -> None:
    assert options(PLAIN.replace("\n", "\r\n"))["layout"] == PLAIN


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_batch_needs_each_column_of_the_layout_and_no_ids() -> None:
    read = TASK.read_items(BATCH.encode(), "batch 1.csv", options(), LIMITS)
    assert [item.key for item in read.items][:2] == ["batch 1-1", "batch 1-2"]
    assert read.items[0].content == {"text": 'Sentence <1> & "more"', "place": "Town 1"}
    read = TASK.read_items(b"text\na\n", "other.csv", options(), LIMITS)
    assert [str(fault) for fault in read.faults] == [
        "line 1, column place: the layout contains ${place}, but the file has no such column"
    ]


def test_a_results_file_is_a_batch_with_one_item_per_hit() -> None:
    rows = "HITId,WorkerId,Input.text,Input.place,Answer.topic\nH1,A,x,Rome,sports\nH1,B,x,Rome,sports\nH2,A,y,Bonn,\n"
    read = TASK.read_items(rows.encode(), "results.csv", options(), LIMITS)
    assert [(item.key, item.content) for item in read.items] == [
        ("H1", {"text": "x", "place": "Rome"}),
        ("H2", {"text": "y", "place": "Bonn"}),
    ]


def test_gold_has_expected_values_in_answer_columns() -> None:
    read = TASK.read_gold(GOLD.encode(), "gold.csv", options(), {})
    assert read.questions[0].gold == {"fields": {"topic": "politics"}}
    wrong = GOLD.replace("politics", "music") + "g2,Play.,Bonn,,,\n"
    assert [str(fault) for fault in TASK.read_gold(wrong.encode(), "gold.csv", options(), {}).faults] == [
        "line 2, column Answer.topic: The field “topic” does not have the choice “music”.",
        "line 3: the row has no expected value. Fill in at least one answer column, such as `Answer.topic`",
    ]
    assert not TASK.read_gold(wrong.encode(), "gold.csv", options(), {}).questions, "faulty rows are not counted"


@pytest.mark.parametrize("layout", [PLAIN, CROWD])
def test_the_gold_template_has_the_columns_of_the_layout_and_can_be_imported(layout: str) -> None:
    columns = TASK.gold_columns(options(layout=layout))
    read = TASK.read_gold(template(columns).encode(), "gold.csv", options(layout=layout), {})
    assert not read.faults
    assert set(read.questions[0].payload["content"]) >= {"place", "text"}
    assert read.questions[0].gold["fields"]


def test_answer_columns_of_gold_can_have_the_names_of_fields() -> None:
    columns = TASK.gold_columns(options())
    assert guess_columns(["id", "text", "place", "Topic", "comment"], columns) == {
        "Topic": "Answer.topic",
        "comment": "explanation",
    }


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_an_answer_is_stored_by_field_and_choices_can_come_from_the_batch() -> None:
    assert clean({"topic": "sports", "length": "7"}) == {
        "topic": "sports",
        "certain": False,
        "length": 7,
        "comment": "",
    }
    payload = {"item": "i", "choices": {"place": "Rome"}}
    assert clean({"topic": "Rome", "word": "x"}, CROWD, payload)["topic"] == "Rome"
    with pytest.raises(InvalidAnswer, match="does not have the choice"):
        clean({"topic": "Bonn", "word": "x"}, CROWD, payload)


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({}, "fields.topic", "Answer the field “topic”."),
        ({"topic": "music"}, "fields.topic", "does not have the choice"),
        ({"topic": "sports", "other": "x"}, "fields", "no field “other”"),
        ({"topic": "sports", "comment": "x" * 300_000}, "fields", "200,000"),
    ],
)
def test_answers_that_the_form_cannot_submit(fields: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(InvalidAnswer, match=message) as caught:
        clean(fields)
    assert caught.value.path == path


def test_scripts_can_fill_hidden_fields_and_add_fields() -> None:
    assert clean({"choice": "a", "more": ["b", "c"]}, HOSTILE, scripts=True) == {
        "outcome": "",
        "choice": "a",
        "more": "b|c",
    }
    with pytest.raises(InvalidAnswer, match="Answer at least one field"):
        clean({}, HOSTILE, scripts=True)
    fixed = '<input type="hidden" name="h" value="own"><input name="a">'
    assert clean({"h": "forged", "a": "x"}, fixed) == {"h": "own", "a": "x"}
    with pytest.raises(InvalidAnswer, match="the limit is 200"):
        clean({f"f{n}": "" for n in range(201)}, HOSTILE, scripts=True)


def test_gold_is_graded_field_by_field() -> None:
    gold = {"fields": {"topic": "politics", "comment": "Yes | of course", "length": 3}}
    value = {"fields": {"topic": "politics", "comment": "OF  course", "length": 4, "certain": True}}
    grade = TASK.grade({}, gold, value, options())
    assert (grade.passed, grade.tally["fields_right"], grade.tally["fields"]) == (False, 2, 3)
    assert TASK.accuracy(grade.tally, "fields") == pytest.approx(2 / 3)
    assert TASK.missed({}, gold).tally.keys() == grade.tally.keys()
    given, expected = TASK.differing_parts({}, value, gold, {}, options())
    assert [(part.label, list(part.texts)) for part in (*given, *expected)] == [("length", ["4"]), ("length", ["3"])]


# ── a whole study ─────────────────────────────────────────────────────────────────────────────────────────────────
def download(study: Study, name: str) -> list[dict[str, str]]:
    response = browser_of(study).get(page_of(study, f"downloads/{name}"))
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


@pytest.mark.nightly
def test_a_study_from_simulated_answers_to_a_report_and_its_files() -> None:
    study = layout_study(gold=GOLD)
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    report = make_report(study.pk, kind="results", parameters={"resamples": 20}, user=SYSTEM, progress=lambda *_: None)
    fields = {field["name"]: field for field in report.result["fields"]}
    assert list(fields) == ["topic", "certain", "length", "comment"]
    assert fields["topic"]["answers"] == 8
    agreement = {name: fields[name].get("agreement", {}) for name in ("topic", "certain", "length")}
    alphas = [agreement["length"]["krippendorff_alpha_interval"]["value"]]  # of numbers, as in the reliability
    alphas += [agreement[name]["krippendorff_alpha_nominal"]["value"] for name in ("topic", "certain")]
    known = [alpha for alpha in alphas if alpha is not None]
    assert report.result["headline"]["ends"][0]["value"] == pytest.approx(sum(known) / len(known))
    assert recompute(report) == report.result
    assert "Krippendorff’s α, interval" in browser_of(study).get(page_of(study, "results/1/")).content.decode()
    rows = download(study, "mturk-results.csv")
    assert len(rows) == 8
    assert {row["Answer.topic"] for row in rows} <= {"politics", "sports"}
    assert rows[0]["Input.text"].startswith("Sentence <")
    labels = download(study, "labels.csv")
    by_hit = {row["HITId"]: row["Input.text"] for row in rows}
    assert {row["question"]: row["Input.text"] for row in labels} == by_hit
    items = dict(study.items.values_list("key", "content"))
    assert all(items[row["item"]]["text"] == row["Input.text"] for row in labels)
    assert [row["item"] for row in labels] == list(study.items.order_by("pk").values_list("key", flat=True))
    for row in labels:
        votes = [each["Answer.topic"] for each in rows if each["HITId"] == row["question"]]
        assert row["topic"] == (votes[0] if len(set(votes)) == 1 else "")
        lengths = [float(each["Answer.length"]) for each in rows if each["HITId"] == row["question"]]
        assert row["length mean"] == f"{sum(lengths) / len(lengths):.4g}"
    assert "topic mean" not in labels[0]
    assert sorted(row["text"] for row in download(study, "batch.csv")) == sorted(row["Input.text"] for row in labels)
    question = study.questions.filter(kind=Question.Kind.REGULAR).first()
    page = browser_of(study).get(page_of(study, f"adjudicate/{question.public_id}/")).content.decode()
    assert "layouts/dist/layouts" in page


def answered(monkeypatch: pytest.MonkeyPatch, *questions: list[dict[str, Any]], layout: str = PLAIN) -> Study:
    """Return a study in which two annotators gave these fields to its first questions, and equal ones to the others."""
    study = layout_study(layout.replace('value="sports"', 'value="Sports"'))
    keys = study.items.order_by("pk").values_list("key", flat=True)
    values = {key: iter(given) for key, given in zip(keys, questions, strict=False)}

    def answer(fields: Any, key: str, *_: Any) -> dict[str, Any]:
        return {"fields": next(values.get(key, iter(())), {"topic": "politics"})}

    monkeypatch.setattr("layouts.tasktype.simulate_answer", answer)
    simulate(study, user=SYSTEM, annotators=2, seed=3)
    return study


def report_of(study: Study) -> Report:
    return make_report(study.pk, kind="results", parameters={"resamples": 20}, user=SYSTEM, progress=lambda *_: None)


@pytest.mark.nightly
def test_labels_are_exported_as_written_with_the_reviewers_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    study = answered(
        monkeypatch,
        [{"topic": "Sports", "comment": "Eli says: see colour"}, {"topic": "Sports", "comment": ""}],
        [
            {"topic": "Sports", "comment": "eli says: SEE colour"},
            {"topic": "politics", "comment": "eli says: SEE colour"},
        ],
        [{"topic": "Sports"}, {"topic": "politics"}],
    )
    first, second, third, last = (study.questions.get(payload__item=f"items-{n}") for n in range(1, 5))
    owner = member_of(study)
    keep_both(second.pk, user=owner)
    decide(third.pk, {"fields": {"topic": "Sports", "comment": "ELI agrees"}}, user=owner)
    report = report_of(study)
    rows = {row["question"]: row for row in download(study, "labels.csv")}
    shown = [
        (rows[each.ref]["topic"], rows[each.ref]["comment"], rows[each.ref]["decided_by_reviewer"])
        for each in (first, second, third, last)
    ]
    assert shown == [
        ("Sports", "Eli says: see colour", ""),
        ("", "eli says: SEE colour", "kept"),
        ("Sports", "ELI agrees", "yes"),
        ("politics", "", ""),
    ]
    topic = report.result["fields"][0]
    assert (topic["undecided"], topic["questions"]) == (2, 4), "decisions do not change what the votes left open"
    page = browser_of(study).get(page_of(study, "results/1/")).content.decode()
    assert "Decided by a reviewer: 1" in page
    assert "All answers kept: 1" in page
    assert "Number of questions with a value" in page
    assert "Annotators filled in a form with 4 fields for 4 questions" in page, "not every field was filled in"
    assert "entered by more than half of the annotators who filled in the field" in page, "a comment by one of two"
    [label] = TASK.methods({}, report.result).aggregation
    assert "more than half of the annotators who filled in the field" in label.template
    assert recompute(report) == report.result


@pytest.mark.nightly
def test_comments_need_no_decision_and_do_not_lower_the_main_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    study = answered(
        monkeypatch,
        [{"topic": "Sports", "comment": "a"}, {"topic": "Sports", "comment": "b"}],
        [{"topic": "politics", "comment": "b"}, {"topic": "politics", "comment": "a"}],
    )
    report = report_of(study)
    headline = report.result["headline"]
    assert (headline["ends"][0]["value"], headline["doubt"]) == (1, "Field: topic.")
    assert [person["agreement"] for person in report.people] == [1, 1]
    assert [person["shared"] for person in report.people] == [person["judgements"] for person in report.people]
    sentences = TASK.methods({}, report.result).agreement
    figures = [text.figures for text in sentences]
    assert "interval" not in sentences[-1].template, "complete agreement has no interval"
    named = [path for each in figures for name, path in each.items() if name.startswith("field_")]
    assert named == ["result.fields[0].name"], "free text is not in the mean"
    page = browser_of(study).get(page_of(study, f"results/{report.number}/")).content.decode()
    assert "Krippendorff’s α was 1.000 (field: topic), based on" in page
    assert "Agreement on 1 of 4 form fields is 1.000" in page
    assert "Answered questions" in page
    page = browser_of(study).get(page_of(study, f"results/{report.number}/share/")).content.decode()
    assert "Offer labels.csv" in page
    assert "Show the items" not in page, "a shared layout report lists no items"
    one, other = ({"fields": {"topic": "Sports", "comment": text}} for text in "ab")
    assert queue_agreement(TASK, {}, [one, other], study.options) == 1
    texts = [{"fields": {"comment": text}} for text in "ab"]
    assert queue_agreement(TASK, {}, texts, study.options) == 0


@pytest.mark.nightly
def test_radio_buttons_with_a_scale_get_the_interval_alpha_and_a_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = "".join(f'<input type="radio" name="tone" value="{step}">' for step in range(1, 6))
    rated = [[{"topic": "politics", "tone": str(step)} for step in pair] for pair in ((1, 2), (4, 5), (3, 3))]
    study = answered(monkeypatch, *rated, layout=PLAIN + steps)
    report = report_of(study)
    [tone] = [field for field in report.result["fields"] if field["name"] == "tone"]
    # Two of three pairs differ by 1. Of all 30 ordered pairs of the six values, the mean squared difference is 4.
    assert tone["agreement"]["krippendorff_alpha_interval"]["value"] == pytest.approx(1 - (2 / 3) / 4)
    assert tone["mean"] == 3
    page = browser_of(study).get(page_of(study, f"results/{report.number}/")).content.decode()
    values = re.findall(r'<th scope="row">([1-5])</th>', page)
    assert values == sorted(values)


def test_boxes_that_nobody_ticked_are_an_answer() -> None:
    assert (as_label([], CHOICES), as_label(None, CHOICES), as_label("", TEXT)) == ("[]", None, None)
    none = Labels(*(np.zeros(1, int),) * 3, 1, 1, 1)
    assert (
        FieldLabels("tags", CHOICES, False, none, np.zeros(1, int), 0, ["[]"], np.zeros(1, int), {}).shown(0)
        == "(none)"
    )


def test_a_placeholder_without_a_column_is_reported_at_the_layout_with_the_columns_there_are() -> None:
    study = layout_study(draft=True)
    page = browser_of(study).get(page_of(study, "settings/task/")).content.decode()
    assert "Placeholders: ${text}, ${place}." in page
    with pytest.raises(Refused) as refused:
        change_settings(study.pk, user=SYSTEM, options={"layout": PLAIN.replace("${text}", "${txet}")})
    [message] = refused.value.fields["options.layout"]
    assert message.startswith("The items have no column for ${txet}. Use ${text}, ${place}")


@pytest.mark.nightly
def test_a_classifier_is_required_and_each_download_has_a_name_of_its_own() -> None:
    study = layout_study(CROWD)
    with pytest.raises(InvalidAnswer, match="Answer the field “topic”"):
        clean({"word": "w"}, CROWD, {"item": "i", "choices": {"place": "Rome"}})
    html = browser_of(study).get(page_of(study, "downloads/")).content.decode()
    assert html.count("mturk-results.csv") == 1, "without a link while there are no answers"


@pytest.mark.nightly
def test_the_page_of_the_layout_shows_fields_and_replaces_the_layout_of_a_draft() -> None:
    owner = UserFactory()
    study = create_study(user=owner, title="Topics", task_type="layout", instructions="", options={})
    client = browser_of(study)
    url = page_of(study, "x/layout/")
    assert "No layout yet" in client.get(url).content.decode()
    assert client.post(url, {"example": "yes"}).url == page_of(study, "settings/task/#id_option_layout")
    study.refresh_from_db()
    example = read_layout(study.options["layout"])
    assert [field.kind for field in example.fields] == ["choice", "choice", "text"]
    assert (example.columns, example.faults, example.warnings) == (["text"], (), ())
    bad = client.post(url, {"file": SimpleUploadedFile("a.html", b"<p>\n<input type=file name=f>")})
    assert bad.status_code == 422
    assert "line 2: annotators cannot upload files" in bad.content.decode()
    large = client.post(url, {"file": SimpleUploadedFile("a.html", b"x" * 1_000_001)})
    assert "more than the limit of 1,000,000" in large.content.decode()
    assert client.post(url, {"file": SimpleUploadedFile("a.html", PLAIN.encode())}).status_code == 302
    page = client.get(url).content.decode()
    assert "politics, sports" in page
    study.refresh_from_db()
    assert study.options["layout"] == PLAIN


def test_the_layout_of_an_open_study_cannot_change() -> None:
    study = layout_study()
    with pytest.raises(Refused, match=r"options\.layout"):
        change_settings(study.pk, user=SYSTEM, options={"layout": CROWD})
    page = browser_of(study).get(page_of(study, "x/layout/")).content.decode()
    assert "Edit the layout" not in page
    assert "The layout cannot change" in page


def test_set_up_warns_about_a_field_whose_answers_are_not_stored() -> None:
    study = create_study(user=UserFactory(), title="Topics", task_type="layout", instructions="", options={})
    html = PLAIN.replace('<textarea name="comment">', "<textarea>")
    change_settings(study.pk, user=SYSTEM, options={"layout": html})
    page = browser_of(study).get(page_of(study)).content.decode()
    assert "Check the layout. Line 10: a form field without a name is not stored." in page


def test_set_up_warns_about_two_choices_with_one_value() -> None:
    study = create_study(user=UserFactory(), title="Topics", task_type="layout", instructions="", options={})
    html = '<input type="radio" name="topic" value="a">\n<input type="radio" name="topic" value="a">'
    change_settings(study.pk, user=SYSTEM, options={"layout": html})
    page = browser_of(study).get(page_of(study)).content.decode()
    assert "Line 2: two choices of the field topic have the value “a”. Give each its own value." in page


# ── the frame ─────────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_frame_has_an_opaque_origin_and_the_policy_of_its_study() -> None:
    client = Client()
    closed = client.get(frame_url([], scripts=False))
    policy = dict(part.split(" ", 1) for part in closed["Content-Security-Policy"].split("; "))
    assert policy["sandbox"] == "allow-scripts allow-forms"
    assert policy["default-src"] == policy["form-action"] == policy["base-uri"] == policy["connect-src"] == "'none'"
    (script,) = re.findall(r"<script>(.*)</script>", closed.content.decode(), re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert policy["script-src"] == f"'sha256-{digest}'"
    assert closed["Cache-Control"] == "private, max-age=86400"
    assert policy["img-src"] == "data:"
    assert closed["X-Frame-Options"] == "SAMEORIGIN"
    opened = client.get(frame_url(["https://cdn.example.org"], scripts=True))["Content-Security-Policy"]
    assert "'unsafe-inline' 'unsafe-eval' https://cdn.example.org; style-src" in opened
    assert client.get(frame_url([], scripts=False).replace("frame/", "frame/x")).status_code == 404
