"""A best–worst study as a Mechanical Turk batch: what its files hold, and what becomes of its results."""

import base64
import csv
import io
import json
import re
import threading
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any

import pytest
from click.testing import CliRunner
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from annotate import mturk_batch, tasktypes
from annotate.commands.study import group
from annotate.exchange.mturk import QUESTION_LIMIT, fill, html_question, placeholders
from annotate.exchange.mturk_results import Result, write_results
from annotate.models import Annotator, Answer, Assignment, Item, Participation, Question, Study
from annotate.mturk_batch import batch_rows, checked_size, template
from annotate.permissions import SYSTEM
from annotate.refusals import Refused
from annotate.selectors.data import study_data
from annotate.selectors.downloads import write_export
from annotate.services.mturk import ImportedResults, import_results
from annotate.services.standing import restore
from tests.factories import add_questions, assert_slots_add_up, make_annotator, make_study, take

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)


def opened(row: dict[str, str]) -> list[dict[str, Any]]:
    """What a row's questions say once their seals are open."""
    plain = []
    for question in json.loads(row["questions"]):
        sealed = base64.b64decode(question["sealed"])
        text = bytes(byte ^ key for byte, key in zip(sealed[16:], cycle(sealed[:16]), strict=False))
        plain.append(json.loads(text) | {"content": question["content"]})
    return plain


def sentences(row: dict[str, str]) -> list[str]:
    return [item["sentences"][0] for question in opened(row) for item in question["content"]["items"]]


def result(study: Study, hit: int, worker: str, *, right: bool = True, number: int = 1, **fields: Any) -> Result:
    """What Mechanical Turk would report of a worker who did that HIT, gold answered rightly or wrongly."""
    row = list(batch_rows(study_data(study)))[hit - 1]
    answers = []
    for position, question in enumerate(opened(row), start=1):
        gold = question.get("gold", {"best": 1, "worst": 2})
        value = gold if right or "gold" not in question else {"best": gold["worst"], "worst": gold["best"]}
        seen = "seen" if not right and "gold" in question else None
        answers.append(
            {
                "position": position,
                "question": question["question"],
                "items": question["items"],
                "shown": question["shown"],
                "value": value,
                "seconds": 4.5,
                "feedback": seen,
                "note": "",
            }
        )
    given = {
        "hit_id": f"H{hit}",
        "assignment_id": f"A-{hit}-{worker}-{number}",
        "worker_id": worker,
        "submit_time": MORNING + timedelta(minutes=number),
        "input": row,
        "answers": {"answers": json.dumps(answers)},
    }
    return Result(**given | fields)


def bring_in(study: Study, *results: Result) -> ImportedResults:
    return import_results(study.pk, "".join(write_results(results)).encode(), "Batch_1.csv", user=SYSTEM)


def altered(one: Result, change: Any) -> Result:
    answers = json.loads(one.answers["answers"])
    changed = change(answers)
    return replace(one, answers={"answers": json.dumps(answers if changed is None else changed)})


# ── going out ─────────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_row_is_a_hit_in_the_published_order_with_gold_as_on_the_site() -> None:
    study = make_study(items=10, gold=3)
    data = study_data(study)
    for number, (row, refs) in enumerate(zip(batch_rows(data), data.hits, strict=True), start=1):
        assert (row["study"], row["hit"]) == (study.public_id, str(number))
        questions = opened(row)
        assert [q["question"] for q in questions if "gold" not in q] == list(refs)
        assert sum("gold" in q for q in questions) == 1
        for question in questions:
            kept = Question.objects.get(study=study, ref=question["question"])
            assert question["items"] == [kept.payload["items"][at] for at in question["shown"]]
            if "gold" in question:
                assert question["why"] == kept.explanation
                assert {name: question["items"][place - 1] for name, place in question["gold"].items()} == kept.gold
            else:
                assert question["shown"] == [0, 1, 2, 3]  # the design's own order is balanced


@pytest.mark.parametrize(("items", "gold"), [(40, 7), (40, 3), (23, 1)])
def test_gold_rotates_and_never_comes_twice_in_a_row(items: int, gold: int) -> None:
    study = make_study(items=items, gold=gold, gold_block=2)
    rows = [[q["question"] for q in opened(row) if "gold" in q] for row in batch_rows(study_data(study))]
    used = Counter(ref for row in rows for ref in row)
    assert max(used.values()) - min(used.values()) <= 1
    assert len(used) == gold
    assert all(len(set(row)) == len(row) for row in rows)


def test_the_input_file_is_the_same_in_batches_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamed rows are read batch by batch, with nothing but their own questions and items."""
    study = make_study(items=23, gold=7, gold_block=2)
    at_once = list(batch_rows(study_data(study)))
    whole = b"".join(write_export(study, "mturk-input.csv")[1])
    assert len(at_once) > 4
    for hits in (1, 3):
        monkeypatch.setattr(mturk_batch, "HITS", hits)
        assert list(batch_rows(study_data(study, streamed=True))) == at_once
        assert b"".join(write_export(study, "mturk-input.csv")[1]) == whole
        with CaptureQueriesContext(connection) as queries:
            next(batch_rows(study_data(study, streamed=True)))
        read = [query["sql"] for query in queries.captured_queries if '"annotate_item"."key" IN (' in query["sql"]]
        assert len(read) == 1
        assert read[0].split('"key" IN (')[1].split(")")[0].count(",") < 4 * 9 * hits


def test_gold_stands_at_different_places_and_is_not_told_by_its_seal() -> None:
    study = make_study(items=40, gold=7)
    places, expected = Counter(), Counter()
    for row in batch_rows(study_data(study)):
        questions = opened(row)
        [at] = [n for n, question in enumerate(questions) if "gold" in question]
        places[at] += 1
        expected[questions[at]["gold"]["best"]] += 1
        assert len({len(question["sealed"]) for question in json.loads(row["questions"])}) == 1
        assert "Because" not in row["questions"]
        assert questions[at]["question"] not in row["questions"]
    assert len(places) >= 4
    assert len(expected) >= 3


def test_the_same_study_gives_the_same_files() -> None:
    data = study_data(make_study(items=10, gold=3))
    assert list(batch_rows(data)) == list(batch_rows(data))
    assert template(data) == template(data)


@pytest.mark.parametrize(
    "text",
    [
        "</script><script>alert(1)</script>",
        "A & B < C > D",
        "${questions} costs $5",
        "line\u2028and\u2029paragraph",
        "four bytes 😀 and 𝔸",
        "“quotes” and \"quotes\" and 'quotes'",
        "back\\slash \\u003c",
        "]]>",
    ],
)
def test_any_text_travels_whole_inside_html(text: str) -> None:
    study = make_study(items=8, gold=2, instructions=f"Read this: {text}")
    Study.objects.filter(pk=study.pk).update(title=text)
    study.refresh_from_db()
    Item.objects.filter(study=study, key="i0").update(content={"text": text})
    data = study_data(study)
    page = template(data)
    assert placeholders(page) == ["questions"]
    assert not re.search("[\U00010000-\U0010ffff]", page)
    row = next(row for row in batch_rows(data) if text in sentences(row))
    assert not re.search("[<>&\u2028\u2029\U00010000-\U0010ffff]|\\$\\{", row["questions"])
    question = html_question(fill(page, row))
    assert question.count("</script>") == 2


def test_the_files_are_downloads_of_every_best_worst_study() -> None:
    study = make_study(items=10, gold=3)
    export, chunks = write_export(study, "mturk-input.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(chunks).decode())))
    assert list(rows[0]) == ["study", "hit", "questions"]
    assert [row["hit"] for row in rows] == ["1", "2", "3", "4"]
    assert "obscured, but not secret" in export.note
    export, chunks = write_export(study, "mturk-template.html")
    assert b"".join(chunks).startswith(b"<!DOCTYPE html>")


def test_a_study_without_hits_has_no_batch() -> None:
    study = make_study(items=10, design=False, state=Study.State.DRAFT)
    with pytest.raises(Refused, match="Build the design first"):
        write_export(study, "mturk-input.csv")


def test_the_largest_row_fits_and_what_does_not_is_said() -> None:
    study = make_study(items=10, gold=3)
    data = study_data(study)
    size = checked_size(data, template(data), batch_rows(data))
    assert size == max(len(html_question(fill(template(data), row)).encode()) for row in batch_rows(data))
    assert size < QUESTION_LIMIT * 2 / 3  # room for instructions

    Study.objects.filter(pk=study.pk).update(instructions="Word. " * 8_000)
    study.refresh_from_db()
    for name in ("mturk-input.csv", "mturk-template.html"):
        with pytest.raises(
            Refused, match=r"instructions and examples take 48,\d{3}.*Shorten the guidelines, or reduce"
        ):
            write_export(study, name)


# ── scripts and styles ────────────────────────────────────────────────────────────────────────────────────────────
# ── coming back ───────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("slug", [task.slug for task in tasktypes.installed()])
def test_the_page_of_every_task_type_leaves_room_for_texts_and_questions(slug: str) -> None:
    study = make_study()
    options = tasktypes.get(slug).clean_options({})
    Study.objects.filter(pk=study.pk).update(task_type=slug, options=options)
    page = template(study_data(Study.objects.get(pk=study.pk)))
    assert len(page.encode()) < QUESTION_LIMIT * 0.87, f"{slug}: {len(page.encode()):,} bytes"


def test_results_become_assignments_that_count() -> None:
    study = make_study(items=10, gold=4)
    done = bring_in(study, result(study, 1, "W1"), result(study, 2, "W2", right=False))
    assert (done.assignments, done.answers, done.repeats, done.surplus) == (2, 12, 0, 0)
    first, second = study.assignments.order_by("hit__number")
    assert {(a.state, a.source, a.credited, a.reward) for a in (first, second)} == {
        ("done", "mturk", True, study.reward)
    }
    assert first.external_id == "A-1-W1-1"
    assert first.submitted_at == MORNING + timedelta(minutes=1)
    assert first.participation.annotator.platform == Annotator.Platform.MTURK
    assert first.participation.tallies == {"right": 1, "wrong": 0}
    assert second.participation.tallies == {"right": 0, "wrong": 1}
    counted = [row for row in study_data(study).answers if row.counts]
    assert len(counted) == 10
    assert_slots_add_up(study)
    assert study.events.filter(verb="imported Mechanical Turk results").count() == 1


def test_a_disputed_gold_answer_keeps_its_note() -> None:
    study = make_study(items=10, gold=4)

    def dispute(answers: list[dict[str, Any]]) -> None:
        for answer in answers:
            if answer["feedback"]:
                answer |= {"feedback": "disputed", "note": "I read it otherwise."}

    bring_in(study, altered(result(study, 1, "W1", right=False), dispute))
    disputed = Answer.objects.get(disputed=True)
    assert disputed.dispute_note == "I read it otherwise."
    assert disputed.question.kind == Question.Kind.GOLD
    assert disputed.acknowledged_at


def test_the_same_file_twice_changes_nothing() -> None:
    study = make_study(items=10, gold=4)
    results = [result(study, 1, "W1"), result(study, 2, "W1"), result(study, 1, "W2")]
    bring_in(study, *results)
    before = (list(Answer.objects.values()), list(Assignment.objects.values()), list(Participation.objects.values()))
    again = bring_in(study, *results)
    assert again == ImportedResults(known=3)
    assert before == (
        list(Answer.objects.values()),
        list(Assignment.objects.values()),
        list(Participation.objects.values()),
    )


def test_only_the_first_answer_to_a_gold_question_is_graded() -> None:
    study = make_study(items=10, gold=1)  # the same gold in every HIT
    later = result(study, 1, "W1", right=True, number=9)
    earlier = result(study, 2, "W1", right=False, number=3)
    done = bring_in(study, later, earlier)
    assert done.repeats == 1
    worker = Participation.objects.get(study=study)
    assert worker.tallies == {"right": 0, "wrong": 1}  # the earlier one, whatever its line
    repeat = Answer.objects.get(repeat=True)
    assert (repeat.assignment.external_id, repeat.tally) == (later.assignment_id, None)
    assert [row.reason for row in study_data(study).answers if row.ref == "gold-1"] == ["gold", "gold"]


# ── gold that belongs to a row ────────────────────────────────────────────────────────────────────────────────────
def without_gold(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [answer for answer in answers if not answer["question"].startswith("gold")]


def with_more_gold(study: Study, hit: int) -> Any:
    """Adds every further gold question of the study, answered as expected."""
    theirs = {question["question"] for question in opened(list(batch_rows(study_data(study)))[hit - 1])}

    def change(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        further = Question.objects.filter(study=study, kind="gold").exclude(ref__in=theirs)
        return answers + [
            {"question": gold.ref, "shown": [0, 1, 2, 3], "value": {"best": 1, "worst": 4}} for gold in further
        ]

    return change


def test_gold_that_is_left_out_counts_as_missed_and_is_shown(client: Any) -> None:
    study = make_study(items=10, gold=4)
    done = bring_in(study, altered(result(study, 1, "W1"), without_gold), result(study, 2, "W2"))
    assert (done.gold_left_out, done.gold_added, done.answers) == (1, 0, 11)
    worker = Participation.objects.get(study=study, annotator__external_id="W1")
    assert (worker.tallies, worker.graded) == ({"right": 0, "wrong": 1}, 1)
    missed = worker.answers.get(passed=False)
    assert (missed.value, missed.question.kind, missed.position) == (None, "gold", 6)
    event = study.events.get(verb="changed the gold questions of a HIT")
    assert event.participation == worker
    assert f"did not answer {missed.question.ref}" in event.reason
    assert study.events.get(verb="imported Mechanical Turk results").detail["gold_left_out"] == 1
    assert Participation.objects.get(study=study, annotator__external_id="W2").tallies == {"right": 1, "wrong": 0}
    client.force_login(study.memberships.get().user)
    page = client.get(f"/console/{study.public_id}/annotators/{worker.pseudonym}/").content.decode()
    assert "Not answered" in page
    assert event.reason in page


def test_gold_that_the_row_does_not_have_counts_as_missed_even_if_right() -> None:
    study = make_study(items=10, gold=4)
    done = bring_in(study, altered(result(study, 1, "W1"), with_more_gold(study, 1)))
    assert (done.gold_left_out, done.gold_added) == (0, 3)
    worker = Participation.objects.get(study=study)
    assert worker.tallies == {"right": 1, "wrong": 3}
    assert study.events.get(verb="changed the gold questions of a HIT").reason.count("gold-") == 3


def test_left_out_gold_can_stop_its_worker() -> None:
    study = make_study(items=20, gold=8, rule_minimum=2, rule_threshold="0.7")
    done = bring_in(study, *[altered(result(study, hit, "W1", number=hit), without_gold) for hit in (1, 2)])
    assert (done.gold_left_out, done.stopped) == (2, 1)
    worker = Participation.objects.get(study=study)
    assert worker.standing == Participation.Standing.STOPPED
    assert_slots_add_up(study)
    assert restore(worker.pk, reason="A fault of the page.", user=SYSTEM).counted == 2


@pytest.mark.parametrize("change", ["add", "set aside"])
def test_a_row_keeps_its_gold_whatever_becomes_of_the_studys(change: str) -> None:
    study = make_study(items=10, gold=4)
    published = [result(study, hit, f"W{hit}") for hit in (1, 2, 3)]
    left_out = altered(result(study, 4, "W4"), without_gold)
    if change == "add":
        add_questions(study, "practice", 3)
        Question.objects.filter(study=study, kind="practice").update(kind="gold")
    else:
        gold_4 = {q["question"] for q in opened(dict(left_out.input)) if "gold" in q}
        spared = Question.objects.filter(study=study, kind="gold").exclude(ref__in=gold_4).first()
        Question.objects.filter(pk=spared.pk).update(kind="retired")
    done = bring_in(study, *published, left_out)
    assert (done.gold_left_out, done.gold_added) == (1, 0)


def test_without_the_rows_in_the_results_the_gold_is_drawn_again() -> None:
    study = make_study(items=10, gold=4)

    def bare(one: Result) -> Result:
        return replace(one, input={name: one.input[name] for name in ("study", "hit")})

    done = bring_in(study, bare(result(study, 1, "W1")), bare(altered(result(study, 2, "W2"), without_gold)))
    assert (done.gold_left_out, done.gold_added) == (1, 0)


def test_a_row_of_another_hit_is_refused() -> None:
    study = make_study(items=10, gold=4)
    one, two = result(study, 1, "W1"), result(study, 2, "W2")
    for questions in (two.input["questions"], "[]x", '[{"sealed": "?"}]', '[{"sealed": "AAAA"}]', "7"):
        wrong = replace(one, input={**one.input, "questions": questions})
        with pytest.raises(Refused) as refused:
            bring_in(study, wrong)
        assert list(refused.value.fields) == ["line 2, column Input.questions"]


def test_every_task_type_grades_gold_that_was_left_out_as_badly_as_can_be() -> None:
    candidates = {
        "bws": {"best": "a", "worst": "b"},
        "words": {"sure": [[0, 0]], "possible": []},
        "paraphrase": {"votes": [True, False, True]},
        "chunks": {},
    }
    for task in tasktypes.installed():
        grade = task.missed({}, candidates[task.slug])
        assert not grade.passed
        for measure in task.measures:
            assert task.accuracy(grade.tally, measure) == 0.0, (task.slug, measure)


def test_a_hit_done_twice_by_one_worker_counts_once() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    done = bring_in(study, result(study, 1, "W1", number=1), result(study, 1, "W1", number=2))
    assert (done.assignments, done.surplus, done.repeats) == (2, 1, 6)
    assert sum(row.counts for row in study_data(study).answers) == 5
    assert study.assignments.get(external_id="A-1-W1-2").credited
    assert_slots_add_up(study)


def test_work_on_a_hit_that_has_all_it_wanted_is_surplus_and_paid() -> None:
    study = make_study(items=10, gold=4, judgements=1)
    on_the_site = make_annotator(study)
    held = take(on_the_site)
    done = bring_in(study, result(study, held.hit.number, "W1"))
    assert done.surplus == 1
    extra = study.assignments.get(source="mturk")
    assert (extra.state, extra.credited, extra.slot) == ("surplus", True, None)
    assert {row.counts for row in study_data(study).answers} == {False}
    assert_slots_add_up(study)


def test_the_quality_rule_stops_workers_and_their_work_can_be_restored() -> None:
    study = make_study(items=20, gold=8, rule_minimum=2, rule_threshold="0.7")
    results = [result(study, hit, "W1", right=False, number=hit) for hit in (1, 2, 3)]
    done = bring_in(study, *results, result(study, 4, "W2"))
    assert done.stopped == 2  # the one at which the rule stopped them, and the one after it
    worker = Participation.objects.get(study=study, annotator__external_id="W1")
    assert worker.standing == Participation.Standing.STOPPED
    assert set(worker.assignments.values_list("state", "credited")) == {("void", True)}
    assert sum(row.counts for row in study_data(study).answers) == 5  # those of W2
    assert_slots_add_up(study)
    assert restore(worker.pk, reason="The gold was wrong.", user=SYSTEM).counted == 3
    assert sum(row.counts for row in study_data(study).answers) == 20
    assert_slots_add_up(study)


def test_a_study_that_is_closed_still_takes_results_and_rejected_work_is_left_out() -> None:
    study = make_study(items=10, gold=4, state=Study.State.CLOSED, practice=2, admission="account")
    done = bring_in(study, result(study, 1, "W1"), result(study, 2, "W2", assignment_status="Rejected"))
    assert (done.assignments, done.rejected) == (1, 1)
    assert Participation.objects.get(study=study).standing == Participation.Standing.ACTIVE


def test_a_draft_takes_no_results() -> None:
    study = make_study(items=10, gold=4, state=Study.State.DRAFT)
    with pytest.raises(Refused, match="Open the study before"):
        bring_in(study, result(study, 1, "W1"))


def first_answer(**change: Any) -> Any:
    def apply(answers: list[dict[str, Any]]) -> None:
        answers[0] |= change

    return apply


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda answers: "nonsense", "not the JSON list"),
        (lambda answers: [1], "not the JSON list"),
        (lambda answers: answers[1:], "no answer to question"),
        (lambda answers: [*answers, answers[0]], "answered twice"),
        (first_answer(question="tuple-99"), "answer 1: the HIT has no question 'tuple-99'"),
        (first_answer(shown=[0, 1, 2, 2]), r"answer 1: \[0, 1, 2, 2\] is not an order"),
        (first_answer(shown=None), "answer 1: None is not an order"),
        (first_answer(value={"best": 1, "worst": 1}), "answer 1, worst: You chose the same answer"),
        (first_answer(value={"best": 5, "worst": 1}), "answer 1, best: `best` must be a position from 1 to 4, not 5"),
        (first_answer(value=None), "answer 1, value: The answer must be an object"),
    ],
)
def test_a_fault_is_named_by_line_and_nothing_is_half_imported(change: Any, message: str) -> None:
    study = make_study(items=10, gold=4)
    wrong = altered(result(study, 2, "W2"), change)
    with pytest.raises(Refused, match=message) as refused:
        bring_in(study, result(study, 1, "W1"), wrong)
    assert list(refused.value.fields) == ["line 3, column Answer.answers"]
    assert refused.value.message.startswith("Nothing was imported. Batch_1.csv, line 3")
    assert not study.assignments.exists()
    assert not Annotator.objects.exists()


def test_results_of_another_study_or_an_unknown_hit_are_refused() -> None:
    study, other = make_study(items=10, gold=4), make_study(items=10, gold=4)
    with pytest.raises(Refused, match=f"this study is {study.public_id}"):
        bring_in(study, result(other, 1, "W1"))
    row = dict(result(study, 1, "W1").input) | {"hit": "99"}
    with pytest.raises(Refused, match="the study has no HIT 99"):
        bring_in(study, replace(result(study, 1, "W1"), input=row))
    with pytest.raises(Refused, match="Choose the results file of a batch"):
        import_results(study.pk, b"id,text\n1,a\n", "items.csv", user=SYSTEM)


def test_time_on_a_question_is_kept_where_it_is_a_time() -> None:
    study = make_study(items=10, gold=4)
    wrong: Iterable[Any] = ("soon", -1, True, None, float("inf"), 7)

    def times(answers: list[dict[str, Any]]) -> None:
        for answer, seconds in zip(answers, wrong, strict=True):
            answer["seconds"] = seconds

    bring_in(study, altered(result(study, 1, "W1"), times))
    assert list(Answer.objects.order_by("position").values_list("seconds", flat=True)) == [None] * 5 + [7]


@pytest.mark.django_db(transaction=True)
def test_the_same_file_twice_at_once_is_taken_once() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    data = "".join(write_results([result(study, hit, f"W{n}") for n in (1, 2) for hit in (1, 2)])).encode()
    together = threading.Barrier(3)

    def import_it(number: int) -> ImportedResults:
        try:
            together.wait(30)
            return import_results(study.pk, data, "Batch_1.csv", user=SYSTEM)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(import_it, range(3)))
    assert sorted(one.assignments for one in done) == [0, 0, 4]
    assert sorted(one.known for one in done) == [0, 4, 4]
    assert study.assignments.count() == 4
    assert_slots_add_up(study)


def test_a_note_that_cannot_be_stored_does_not_keep_work_out() -> None:
    study = make_study(items=10, gold=4)
    bring_in(study, altered(result(study, 1, "W1"), first_answer(feedback="disputed", note="a\x00b\ud83dc")))
    assert Answer.objects.get(position=1).dispute_note == "a\ufffdb\ufffdc"


def test_an_id_that_is_none_is_named() -> None:
    study = make_study(items=10, gold=4)
    with pytest.raises(Refused, match="line 2, column WorkerId: the ID has 300 characters"):
        bring_in(study, result(study, 1, "W" * 300, assignment_id="A1"))


def test_one_hostile_worker_does_not_keep_the_others_out() -> None:
    study = make_study(items=10, gold=4)
    hostile = replace(result(study, 1, "W1"), answers={"answers": "not JSON"})
    file = "".join(write_results([hostile, result(study, 1, "W2"), result(study, 2, "W2", number=2)])).encode()
    with pytest.raises(Refused, match=r"line 2, column Answer\.answers"):
        import_results(study.pk, file, "Batch_1.csv", user=SYSTEM)
    done = import_results(study.pk, file, "Batch_1.csv", user=SYSTEM, skip_faulty=True)
    assert (done.assignments, done.faulty) == (2, 1)
    entry = study.events.get(verb="skipped a Mechanical Turk assignment")
    assert entry.reason.startswith(
        f"Assignment {hostile.assignment_id}: line 2, column Answer.answers: the cell is not the JSON"
    )
    assert not Annotator.objects.filter(external_id="W1").exists()
    once_more = import_results(study.pk, file, "Batch_1.csv", user=SYSTEM, skip_faulty=True)
    assert (once_more.assignments, once_more.known, once_more.faulty) == (0, 2, 1)


def test_what_no_worker_can_change_is_never_skipped() -> None:
    study = make_study(items=10, gold=4)
    row = dict(result(study, 1, "W1").input) | {"hit": "99"}
    file = "".join(write_results([replace(result(study, 1, "W1"), input=row), result(study, 1, "W2")])).encode()
    with pytest.raises(Refused, match="the study has no HIT 99"):
        import_results(study.pk, file, "Batch_1.csv", user=SYSTEM, skip_faulty=True)


def test_the_command_leaves_faulty_assignments_out(tmp_path: Any) -> None:
    study = make_study(items=10, gold=4)
    file = tmp_path / "Batch_1.csv"
    hostile = replace(result(study, 2, "W2"), answers={"answers": "[]"})
    file.write_text("".join(write_results([result(study, 1, "W1"), hostile])))
    command = ["import", study.public_id, str(file), "--kind"]
    assert CliRunner().invoke(group, [*command, "mturk-results"]).exit_code == 1
    ran = CliRunner().invoke(group, [*command, "mturk-results", "--skip-faulty"])
    assert (ran.exit_code, "1 faulty" in ran.output) == (0, True), ran.output
    assert "lists the faulty assignments" in ran.output
    assert CliRunner().invoke(group, [*command, "gold", "--skip-faulty"]).exit_code == 2


def test_the_command_brings_results_in(tmp_path: Any) -> None:
    study = make_study(items=10, gold=4)
    file = tmp_path / "Batch_1.csv"
    file.write_text("".join(write_results([result(study, 1, "W1")])))
    ran = CliRunner().invoke(group, ["import", study.public_id, str(file), "--kind", "mturk-results"])
    assert ran.exit_code == 0, ran.output
    assert ran.output.startswith("Imported 1 assignments with 6 answers. 0 answers repeat a question,")
    file.write_text("HITId\n")
    ran = CliRunner().invoke(group, ["import", study.public_id, str(file), "--kind", "mturk-results"])
    assert ran.exit_code == 1
    assert "Nothing was imported" in ran.output
