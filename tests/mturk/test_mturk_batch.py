"""Tests of the files of a Mechanical Turk batch."""

import csv
import html
import io
import json
import re
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_core.exchange.mturk import QUESTION_LIMIT, fill, html_question, placeholders, wrapped
from annotate import tasktypes
from annotate.models import Item, Question, Study
from annotate.mturk import batch as mturk_batch
from annotate.mturk.batch import batch_rows, checked_size, template
from annotate.questions.selectors.data import study_data
from annotate.results.selectors.downloads import write_export
from annotate.server.refusals import Refused
from tests.factories import make_annotator, make_study, take
from tests.mturk.turk import opened, sentences

pytestmark = pytest.mark.django_db


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


def test_a_row_has_the_same_questions_at_the_same_positions_as_the_hit_on_the_site() -> None:
    study = make_study(items=11, gold=7, gold_block=2)
    gone = study.hits.order_by("number")[2]  # as if the HIT of a skipped question had been withdrawn
    gone.slots.all().delete()
    gone.delete()
    rows = {row["hit"]: [q["question"] for q in opened(row)] for row in batch_rows(study_data(study))}
    assert len(rows) == study.hits.count()
    for _ in rows:
        shown = take(make_annotator(study))
        refs = shown.answers.order_by("position").values_list("question__ref", flat=True)
        assert rows[str(shown.hit.number)] == list(refs)


@pytest.mark.nightly
def test_the_input_file_is_the_same_in_batches_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamed rows are read batch by batch, with nothing but their own questions and items."""
    study = make_study(items=19, gold=7, gold_block=2)
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


def test_gold_stands_at_different_places_and_is_not_legible() -> None:
    study = make_study(items=40, gold=7)
    places, expected = Counter(), Counter()
    for row in batch_rows(study_data(study)):
        questions = opened(row)
        [at] = [n for n, question in enumerate(questions) if "gold" in question]
        places[at] += 1
        expected[questions[at]["gold"]["best"]] += 1
        assert re.fullmatch(r"s\.[\w-]+", row["questions"], re.ASCII)
    assert len(places) >= 4
    assert len(expected) >= 3


def test_rows_are_compressed_because_long_questions_exceeded_the_limit() -> None:
    data = study_data(make_study(items=10, gold=3))
    for row in batch_rows(data):
        assert len(row["questions"]) < 0.7 * len(json.dumps(opened(row)))


def test_the_same_study_gives_the_same_files() -> None:
    data = study_data(make_study(items=10, gold=3))
    assert list(batch_rows(data)) == list(batch_rows(data))
    assert template(data) == template(data)


@pytest.mark.nightly
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
    assert html.escape(row["questions"]) == row["questions"]
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
    page = b"".join(chunks).decode()
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"</?(html|head|body|form)\b", page)  # the page is placed inside the host's own form


def test_a_study_without_hits_has_no_batch() -> None:
    study = make_study(items=10, design=False, state=Study.State.DRAFT)
    with pytest.raises(Refused, match="Build the design first"):
        write_export(study, "mturk-input.csv")


@pytest.mark.nightly
def test_the_largest_row_fits_and_what_does_not_is_said() -> None:
    study = make_study(items=10, gold=3)
    data = study_data(study)
    size = checked_size(data, template(data), batch_rows(data))
    assert size == max(len(html_question(wrapped(fill(template(data), row))).encode()) for row in batch_rows(data))
    assert size < QUESTION_LIMIT * 2 / 3  # room for instructions

    Study.objects.filter(pk=study.pk).update(instructions="Word. " * 8_000)
    study.refresh_from_db()
    for name in ("mturk-input.csv", "mturk-template.html"):
        with pytest.raises(
            Refused, match=r"instructions and examples take 48,\d{3}.*Shorten the guidelines, or reduce"
        ):
            write_export(study, name)


def test_the_page_has_no_indentation_except_in_preformatted_texts() -> None:
    study = make_study(instructions="Compare:\n\n    one\n      two\n")
    page = template(study_data(study))
    assert "<pre><code>one\n  two\n</code></pre>" in page
    assert not re.search(r"\n\s", page.replace("one\n  two", ""))


@pytest.mark.parametrize("slug", [task.slug for task in tasktypes.installed()])
def test_the_page_of_every_task_type_leaves_room_for_texts_and_questions(slug: str) -> None:
    study = make_study()
    options = tasktypes.get(slug).clean_options({})
    Study.objects.filter(pk=study.pk).update(task_type=slug, options=options)
    page = template(study_data(Study.objects.get(pk=study.pk)))
    assert len(page.encode()) < QUESTION_LIMIT * 0.92, f"{slug}: {len(page.encode()):,} bytes"
