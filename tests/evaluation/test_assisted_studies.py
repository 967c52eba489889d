"""Tests of studies in which people answer a random part of the questions and a program answers all of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from accord_core.numerics.draws import draw
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.commands.main import main
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.known_rows import KnownRows
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file, import_upload
from annotate.data.services.removal import remove_import
from annotate.data.services.uploads import receive
from annotate.models import Participation, Question, Study
from annotate.questions.selectors.data import study_data
from annotate.questions.selectors.program_data import program_data
from annotate.questions.services.decisions import decide
from annotate.recruiting.services.join import join
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import close_study, open_study
from annotate.tasktypes import StudyData, SystemFile
from annotate.tasktypes.capabilities import resolve
from evaluation.cli.draw import draw as draw_command
from evaluation.selectors.assisted import judged_by_people, latest, programs_with_answers
from evaluation.services import systems as system_services
from evaluation.services.assisted import calculate_assisted
from releases.contents.folder import About
from releases.contents.verify import verify
from releases.services.releases import make_release
from tests.alignment_ui.chunks.test_study import WA, chunk_study, opened
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study
from tests.layout_study import layout_study
from tests.paraphrasing import hand_in, item_rows, paraphrase_study, raw_votes, results_of, work_through
from tests.scored_systems import do_jobs
from tests.word_study import collected

pytestmark = pytest.mark.django_db
PHRASES = [f"word{number}" for number in range(40)]


def assisted_study(share: float = 50, **settings: Any) -> Study:
    """Create an open paraphrase study of 80 sentences, of which people judge this share."""
    return paraphrase_study(
        rows=item_rows(PHRASES), quality=0, judgements=2, options={"people_share": share}, **settings
    )


def answer_as_program(study: Study, name: str = "model 1", *, hits: int | None = None) -> Participation:
    """Let a program answer HITs, all of them by default. It says yes to “branch”, and sometimes to “slope”."""
    program = join(study, platform="system", external_id=name, is_program=True)
    done = 0
    while done != hits and (assignment := claim(program.public_id).assignment):
        sent = []
        for answer in assignment.answers.select_related("question").order_by("position"):
            key = answer.question.payload["item"]
            yes = [text for text in answer.question.payload["paraphrases"] if _says_yes(key, text)]
            sent.append(AnswerSent(answer.position, raw_votes(answer, {key: yes}), seconds=1.0))
        submit(program.public_id, assignment.public_id, sent)
        done += 1
    return program


def _says_yes(key: str, text: str) -> bool:
    return "branch" in text or ("slope" in text and draw(1, key) < 0.3)


def answer_as_people(study: Study) -> None:
    yes = {}
    for row in item_rows(PHRASES):
        also = "lender" if draw(2, row["id"]) < 0.4 else "branch"
        yes[row["id"]] = [text for text in row["paraphrases"] if "branch" in text or also in text]
    for _ in range(2):
        work_through(make_annotator(study), yes)


def kinds(study: Study) -> dict[str, set[str]]:
    return {
        kind: set(study.questions.filter(kind=kind).values_list("ref", flat=True))
        for kind in (Question.Kind.REGULAR, Question.Kind.PROGRAM)
    }


# ── the draw ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("share", "drawn"), [(100, 80), (50, 40), (12, 10), (1, 1)])
def test_people_get_the_drawn_share_and_hits_hold_no_other_question(share: float, drawn: int) -> None:
    study = assisted_study(share, state="draft")
    by_kind = kinds(study)
    assert (len(by_kind["regular"]), len(by_kind["program"])) == (drawn, 80 - drawn)
    in_hits = set(study.hits.values_list("questions__ref", flat=True))
    assert in_hits == by_kind["regular"]
    assert study.slots.count() == 2 * study.hits.count() == 2 * -(-drawn // 2)
    assert (study.design.result["questions"], study.design.result["only_for_programs"]) == (drawn, 80 - drawn)


def test_the_draw_is_that_of_the_command(tmp_path: Path) -> None:
    study = assisted_study(25, state="draft")
    refs = sorted(set().union(*kinds(study).values()))
    items = tmp_path / "items.csv"
    items.write_text("id\n" + "\n".join(refs) + "\n")
    printed = CliRunner().invoke(draw_command, [str(items), "--share", "0.25", "--seed", str(study.seed)])
    rows = csv.DictReader(io.StringIO(printed.stdout))
    assert {row["id"] for row in rows if row["drawn"] == "yes"} == kinds(study)["regular"]


def test_another_seed_or_share_makes_another_draw_and_the_same_one_the_same_draw() -> None:
    study = assisted_study(50, state="draft")
    first = kinds(study)
    build_design(study.pk, user=SYSTEM)
    assert kinds(study) == first
    change_settings(study.pk, seed=study.seed + 1, user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    assert kinds(study) != first
    change_settings(study.pk, options={"people_share": 100}, user=SYSTEM)
    with pytest.raises(Refused, match="share of questions for people"):
        open_study(study.pk, user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    assert kinds(study)["program"] == set()


def test_the_share_and_the_items_are_fixed_once_the_study_is_open() -> None:
    study = assisted_study(50)
    with pytest.raises(Refused) as refused:
        change_settings(study.pk, options={"people_share": 60}, user=SYSTEM)
    assert refused.value.code == "locked"
    rows = "".join(json.dumps(row) + "\n" for row in item_rows(["later"])).encode()
    with pytest.raises(Refused, match="random part") as refused:
        import_file(study, purpose="items", filename="later.jsonl", data=rows, user=SYSTEM)
    assert refused.value.code == "people-share"


def test_the_items_of_a_draft_can_be_removed_and_updated() -> None:
    study = assisted_study(50, state="draft")
    rows = item_rows(PHRASES)
    corrected = [row | {"paraphrases": ["alpha", "beta"]} for row in rows]
    lines = "".join(json.dumps(row) + "\n" for row in corrected).encode()
    upload = receive(study, purpose="items", filename="items.jsonl", data=lines, user=SYSTEM)
    assert import_upload(upload.pk, user=SYSTEM, known=KnownRows.UPDATE) == len(rows)
    remove_import(upload.pk, user=SYSTEM)
    assert study.items.count() == 0
    assert kinds(study) == {"regular": set(), "program": set()}


def test_a_task_type_without_these_figures_has_no_such_share() -> None:
    study = make_study()
    with pytest.raises(Refused, match="people_share"):
        change_settings(study.pk, options={"people_share": 50}, user=SYSTEM)


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_program_answers_all_questions_and_people_only_theirs() -> None:
    study = assisted_study(50)
    answer_as_people(study)
    before = study_data(study)
    program = answer_as_program(study)
    assert claim(program.public_id).why == "nothing"
    assert set(program.answers.values_list("question__ref", flat=True)) == set().union(*kinds(study).values())
    after = study_data(study)
    assert after.answers == before.answers  # a program's answers count nowhere
    assert {row.ref for row in after.questions} == kinds(study)["regular"]
    of_program = program_data(after, program)
    assert len(of_program.answers) == len(of_program.questions) == 80
    (answered,) = programs_with_answers(study)
    assert answered.is_complete
    assert vars(judged_by_people(study)) == {"judged": 40, "questions": 40, "only_for_programs": 40}


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


def submitted(study: Study, name: str, keys: list[str], label: str = "branch") -> None:
    rows = [f"{key},{'yes' if label in key else 'no'}" for key in keys]
    data = ("item,label\n" + "\n".join(rows) + "\n").encode()
    system_services.submit_system(study, system=name, filename=f"{name}.csv", data=data, user=SYSTEM)
    assert do_jobs(study) == ["done"]


def test_the_figures_are_those_of_the_command_on_the_same_answers(tmp_path: Path) -> None:
    study = assisted_study(50)
    answer_as_people(study)
    program = answer_as_program(study)
    keys = [f"{row['id']}/{text}" for row in item_rows(PHRASES) for text in row["paraphrases"]]
    submitted(study, "branch", keys)
    submitted(study, "lender", keys, "lender")
    drawn = {question.payload["item"] for question in study.questions.filter(kind="regular")}
    submitted(study, "only some", [key for key in keys if key.partition("/")[0] in drawn])
    report = calculate_assisted(study.pk, program=program.pseudonym, user=SYSTEM, progress=lambda share, text: None)
    assert latest(study) == report
    assert [each["system"] for each in report.result["left_out"]] == ["only some"]

    data = study_data(study)
    votes: dict[str, list[tuple[str, str]]] = {}
    for row in data.answers:
        for text, vote in zip(row.payload["paraphrases"], row.value["votes"], strict=True):
            votes.setdefault(f"{row.payload['item']}/{text}", []).append((row.pseudonym, "yes" if vote else "no"))
    lines = ["item,question,program,branch,lender,annotator,people"]
    for key in keys:
        item, _, text = key.partition("/")
        own = "yes" if _says_yes(item, text) else "no"
        systems = ",".join("yes" if name in key else "no" for name in ("branch", "lender"))
        for annotator, label in votes.get(key, [("", "")]):
            lines.append(f"{key},{item},{own},{systems},{annotator},{label}")
    table = tmp_path / "answers.csv"
    table.write_text("\n".join(lines) + "\n")
    printed = CliRunner().invoke(
        main, ["evaluate", "assisted", str(table), "--system", "branch", "--system", "lender", "--json"]
    )
    expected = json.loads(printed.stdout)
    assert (report.result["questions"], report.result["judged"]) == (80, 40)
    assert report.result["ranks"] == expected["ranks"]
    ours = {(each["system"], each["figure"]): each for each in report.result["figures"]}
    theirs = {(each["system"], each["figure"]): each for each in expected["figures"]}
    assert ours.keys() == theirs.keys()
    for name, figure in theirs.items():
        for part in ("assisted", "people"):
            assert ours[name][part]["value"] == pytest.approx(figure[part]["value"], abs=1e-12)
            assert ours[name][part]["low"] == pytest.approx(figure[part]["low"], abs=1e-12)


def test_missing_answers_are_refused_with_the_number_that_is_missing() -> None:
    study = assisted_study(50)
    partly = answer_as_program(study, hits=3)
    with pytest.raises(Refused, match="6 of 80 questions"):
        calculate_assisted(study.pk, program=partly.pseudonym, user=SYSTEM, progress=lambda share, text: None)
    program = answer_as_program(study, "model 2")
    with pytest.raises(Refused, match="No question has a judgement"):
        calculate_assisted(study.pk, program=program.pseudonym, user=SYSTEM, progress=lambda share, text: None)
    hand_in(make_annotator(study))
    with pytest.raises(Refused, match="38 questions for people have no judgement yet"):
        calculate_assisted(study.pk, program=program.pseudonym, user=SYSTEM, progress=lambda share, text: None)
    close_study(study.pk, user=SYSTEM)
    report = calculate_assisted(study.pk, program=program.pseudonym, user=SYSTEM, progress=lambda share, text: None)
    assert report.result["judged"] == 2
    assert all(each["assisted"]["low"] is None for each in report.result["figures"])  # too few for an interval


def test_the_page_calculates_the_figures_and_offers_them_as_a_file() -> None:
    study = assisted_study(50)
    browser, path = browser_of(study), page_of(study, "x/assisted/")
    assert "accord annotate" in browser.get(path).content.decode()
    answer_as_people(study)
    program = answer_as_program(study)
    assert browser.post(path, {"program": program.pseudonym}).status_code == 302
    assert do_jobs(study) == ["done"]
    page = browser.get(path).content.decode()
    assert "Share of yes" in page
    assert "People judged" in page
    rows = list(csv.DictReader(io.StringIO(browser.get(f"{path}assisted.csv").getvalue().decode())))
    assert [row["figure"] for row in rows] == ["share of no", "share of yes"]
    assert "x/assisted/" in browser.get(page_of(study, "x/systems/")).content.decode()
    assert browser_of(assisted_study(100)).get(page_of(study, "x/assisted/")).status_code == 404


# ── the other task types ──────────────────────────────────────────────────────────────────────────────────────────


def parts_of(study: Study) -> tuple[StudyData, StudyData, StudyData]:
    """Return the data of people, with every second question, of a program and of a system, from three annotators."""
    data = replace(study_data(study), decisions={}, keep_both=frozenset())
    program, system, person = sorted({row.pseudonym for row in data.answers if row.counts})

    def by(name: str, questions: Sequence[Any]) -> StudyData:
        refs = {question.ref for question in questions}
        answers = [row for row in data.answers if row.counts and row.pseudonym == name and row.ref in refs]
        return replace(data, questions=questions, answers=answers)

    return by(person, data.questions[::2]), by(program, data.questions), by(system, data.questions)


def exported(study: Study, data: StudyData, filename: str) -> bytes:
    task = tasktypes.get(study.task_type)
    return b"".join(next(each for each in task.exports if each.filename == filename).write(data, None))


Made = tuple[Study, str, dict[str, str]]  # a study, the file of a system, and pages' names of figures


def words() -> Made:
    study = collected(gold=False, judgements=3, careless=0.3)
    return study, "alignments.json", {"AER (Och and Ney)": "AER", "precision (possible)": "Precision"}


def chunks() -> Made:
    items = WA + WA.replace('id="1"', 'id="3"').replace('id="2"', 'id="4"')
    study = opened(chunk_study("chunks", items=items, judgements=3))
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    return study, "alignment.wa", {name: name for name in ("F1 Ali", "F1 Type", "F1 Score", "F1 Typ+Sco")}


@pytest.mark.parametrize("kind", [words, chunks])
def test_people_alone_are_scored_as_on_the_page_of_systems(
    kind: Callable[[], tuple[Study, str, dict[str, str]]],
) -> None:
    study, filename, names = kind()
    people, program, system = parts_of(study)
    file = exported(study, system, filename)
    task = tasktypes.get(study.task_type)
    result = resolve(task.systems.assisted)(people, program, [SystemFile("mine", filename, file, {})])
    assert result["left_out"] == []
    assert (result["questions"], result["judged"]) == (len(program.questions), len(people.questions))
    judged = {question.ref for question in people.questions}
    answers = [row for row in system.answers if row.ref in judged]
    part = exported(study, replace(system, questions=people.questions, answers=answers), filename)
    measures = task.systems.evaluate(people, part, {"name": filename, "resamples": 0, "seed": 1}).as_json()["measures"]
    own = {measure["name"]: measure["value"] for measure in measures}
    ours = {each["figure"]: each["people"]["value"] for each in result["figures"]}
    for figure, name in names.items():
        assert ours[figure] == pytest.approx(own[name])
    # If people have judged all questions, the program changes nothing.
    whole = resolve(task.systems.assisted)(program, program, [SystemFile("mine", filename, file, {})])
    for each in whole["figures"]:
        assert each["assisted"]["value"] == pytest.approx(each["people"]["value"])


def test_the_fields_of_a_layout_have_their_own_figures() -> None:
    rows = "place,text\n" + "".join(f"P{number},Text {number}\n" for number in range(12))
    study = layout_study(batch=rows, judgements=3)
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    people, program, _system = parts_of(study)
    task = tasktypes.get("layout")
    keys = [question.payload["item"] for question in program.questions]
    labels = "".join(f"{key},{'sports' if place % 3 else 'politics'}\n" for place, key in enumerate(keys))
    file = SystemFile("mine", "mine.csv", ("item,label\n" + labels).encode(), {"field": "topic"})
    result = resolve(task.systems.assisted)(people, program, [file])
    assert result["left_out"] == []
    figures = {(each["system"], each["figure"]): each["people"]["value"] for each in result["figures"]}
    topics = [row.value["fields"]["topic"] for row in people.answers]
    assert figures[None, "topic: share of sports"] == pytest.approx(topics.count("sports") / len(topics))
    by_item = {row.payload["item"]: row.value["fields"]["topic"] for row in people.answers}
    right = [
        by_item[key] == ("sports" if place % 3 else "politics") for place, key in enumerate(keys) if key in by_item
    ]
    assert figures["mine", "topic: accuracy"] == pytest.approx(sum(right) / len(right))
    assert any(name.startswith("certain: share of") for _, name in figures)


# ── releases ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_release_has_the_program_apart_from_people_and_only_with_current_figures() -> None:
    study = assisted_study(50)
    answer_as_people(study)
    program = answer_as_program(study)
    calculate_assisted(study.pk, program=program.pseudonym, user=SYSTEM, progress=lambda share, text: None)
    results_of(study)
    about = About("1.0", "CC BY 4.0", date(2026, 1, 1))
    files = make_release(study.pk, about, user=SYSTEM).files
    by_program = [json.loads(line) for line in files["programs/answers.jsonl"].decode().splitlines()]
    assert {row["pseudonym"] for row in by_program} == {program.pseudonym}
    assert len(by_program) == len(files["programs/questions.jsonl"].decode().splitlines()) == 80
    assert json.loads(files["programs/assisted.json"])["parameters"]["name"] == "model 1"
    assert program.pseudonym.encode() not in b"".join(
        content for path, content in files.items() if path.startswith(("raw/", "data/", "report/"))
    )
    assert verify(files, versions={}).faults == []

    decide(study.questions.filter(kind="regular").first().pk, {"votes": [True, True, True]}, user=study.members.get())
    results_of(study)
    with pytest.raises(Refused, match="program-assisted figures"):
        make_release(study.pk, about, user=SYSTEM)
