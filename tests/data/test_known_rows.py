"""Files that come again: rows that the study already contains, corrections, and numbers of rows without IDs."""

import pytest
from click.testing import CliRunner

from annotate import tasktypes
from annotate.commands.main import main
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.expected_answers import earlier_answers
from annotate.data.known_rows import KnownRows
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file, import_upload
from annotate.data.services.removal import remove_import
from annotate.data.services.stored_questions import effects_on_grades
from annotate.data.services.uploads import preview, receive
from annotate.gold.services import exclude_gold
from annotate.models import Annotator, GoldSet, Question
from annotate.server.refusals import Refused
from annotate.studies.services.study import open_study
from tests.factories import do_hit, gold_in, make_annotator, make_study, take

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]

FIRST = "".join(f"a{n},Text number {n}.\n" for n in range(1, 13))
CORRECTED = FIRST.replace("a3,Text number 3.", "a3,Corrected.").replace("a7,Text number 7.\n", "") + "a13,New.\n"


@pytest.fixture
def study():
    return make_study(options=tasktypes.get("bws").clean_options({}), items=0, state="draft")


def uploaded(study, rows, header="id,text\n"):
    return receive(study, purpose="items", filename="items.csv", data=(header + rows).encode(), user=SYSTEM)


def bring(study, rows, known=KnownRows.STOP, header="id,text\n"):
    upload = uploaded(study, rows, header)
    import_upload(upload.pk, user=SYSTEM, known=known)
    return upload


def texts(study):
    return {item.key: item.content["text"] for item in study.items.visible()}


def test_the_preview_says_what_each_choice_would_do(study):
    bring(study, FIRST)
    shown = preview(uploaded(study, CORRECTED))
    assert not shown.importable
    assert shown.known is not None
    assert {name: shown.known[name] for name in ("new", "unchanged", "changed", "absent")} == {
        "new": 1,
        "unchanged": 10,
        "changed": 1,
        "absent": 1,
    }
    assert shown.known["changed_rows"] == [[4, "a3"]]
    effects = {name: (each["adds"], each["changes"], each["removes"]) for name, each in shown.known["choices"].items()}
    assert effects == {"add": (1, 0, 0), "update": (1, 1, 0), "replace": (1, 1, 1)}
    assert all(shown.allows(KnownRows(name)) for name in effects)


@pytest.mark.parametrize("choice", ["add", "update", "replace"])
def test_each_choice_does_what_the_preview_says(study, choice):
    first = bring(study, FIRST)
    build_design(study.pk, user=SYSTEM)
    second = bring(study, CORRECTED, KnownRows(choice))
    now = texts(study)
    assert now["a13"] == "New."
    assert now["a3"] == ("Text number 3." if choice == "add" else "Corrected.")
    assert ("a7" in now) == (choice != "replace")
    assert study.questions.filter(kind=Question.Kind.REGULAR).exists() == (choice == "add")
    first.refresh_from_db()
    second.refresh_from_db()
    assert [first.rows, second.rows] == {"add": [12, 1], "update": [11, 2], "replace": [0, 12]}[choice]
    assert (first.revealed_at is None) == (choice == "replace")


def test_items_in_the_design_of_an_open_study_never_change(study):
    bring(study, FIRST)
    build_design(study.pk, user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    study.refresh_from_db()
    before = texts(study)
    shown = preview(uploaded(study, CORRECTED))
    assert [shown.allows(KnownRows(name)) for name in ("add", "update", "replace")] == [True, False, False]
    assert shown.known["choices"]["update"]["faults"][0][:2] == [4, "id"]
    with pytest.raises(Refused, match="line 4, column id: a3 cannot be changed"):
        bring(study, CORRECTED, KnownRows.UPDATE)
    with pytest.raises(Refused, match="a7 is not in the file"):
        bring(study, CORRECTED, KnownRows.REPLACE)
    assert texts(study) == before
    bring(study, CORRECTED, KnownRows.ADD)
    assert texts(study) == before | {"a13": "New."}


def test_items_in_gold_questions_cannot_change(study):
    bring(study, FIRST)
    gold = "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\na3,a4,a5,a6,a3,a6,Why.\n"
    import_file(study, purpose="gold", filename="gold.csv", data=gold.encode(), user=SYSTEM)
    with pytest.raises(Refused, match="a3 cannot be changed, because gold"):
        bring(study, CORRECTED, KnownRows.UPDATE)


def test_the_same_file_again_imports_nothing(study):
    bring(study, FIRST)
    with pytest.raises(Refused) as refused:
        bring(study, FIRST, KnownRows.ADD)
    assert refused.value.code == "no-rows"


def numbered(study, *rows, known=KnownRows.STOP):
    bring(study, "\n".join(rows) + "\n", known, header="text\n")
    return texts(study)


def test_rows_without_ids_keep_their_numbers_when_the_file_comes_again(study):
    numbered(study, "A", "B", "B", "C", "D")
    again = numbered(study, "New", "D", "C", "B", "B", "A", known=KnownRows.ADD)
    assert again == {"item-1": "A", "item-2": "B", "item-3": "B", "item-4": "C", "item-5": "D", "item-6": "New"}


def test_a_corrected_row_keeps_the_number_of_its_position(study):
    numbered(study, "A", "B", "C", "D")
    assert numbered(study, "A", "B!", "C", "D", known=KnownRows.UPDATE)["item-2"] == "B!"


def test_another_list_gets_the_next_numbers(study):
    numbered(study, "A", "B")
    assert numbered(study, "X", "Y", "Z") == {
        "item-1": "A", "item-2": "B", "item-3": "X", "item-4": "Y", "item-5": "Z",
    }  # fmt: skip


def test_only_possible_choices_with_different_effects_have_buttons(study, client):
    client.force_login(study.memberships.get().user)
    bring(study, FIRST)

    def page(rows):
        return " ".join(
            client.get(f"/console/{study.public_id}/uploads/{uploaded(study, rows).public_id}/").text.split()
        )

    again, more = page(FIRST), page(FIRST + "new,Another text.\n")
    assert again.count('name="known"') == 0
    assert "The file changes nothing." in again
    assert more.count('name="known"') == 1
    assert "Add new rows only" in more
    build_design(study.pk, user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    fewer = page("\n".join(FIRST.splitlines()[:2]) + "\nnew,Another text.\n")
    assert fewer.count('name="known"') == 1
    assert "Replace the earlier file: not possible, because" in fewer
    assert "column id: " not in fewer, "the row that cannot be removed is in no column"


@pytest.mark.parametrize("choice", ["add", "update", "replace"])
def test_the_choice_is_made_in_the_console_and_by_api(study, client, choice):
    client.force_login(study.memberships.get().user)
    bring(study, FIRST)
    upload = uploaded(study, CORRECTED)
    url = f"/console/{study.public_id}/uploads/{upload.public_id}/"
    page = client.get(url).text
    assert page.count('name="known"') == 3
    assert "Text number 3." in page
    api = f"/api/v1/studies/{study.public_id}/uploads/{upload.public_id}"
    shown = client.get(api).json()
    assert not shown["importable"]
    assert [each["known"] for each in shown["known"]["choices"]] == ["add", "update", "replace"]
    assert client.post(f"{api}/import", {}, content_type="application/json").json()["code"] == "faults"
    if choice == "add":
        assert client.post(f"{url}import/", {"known": choice}).status_code == 302
    else:
        reply = client.post(f"{api}/import", {"known": choice}, content_type="application/json")
        assert reply.status_code == 200
    assert "a13" in texts(study)
    assert (texts(study)["a3"] == "Corrected.") == (choice != "add")


GOLD_HEADER = "sentence,phrase,synonyms,random_words\n"
FIRST_GOLD = "They had to purchase two tickets.,purchase,buy|acquire|obtain,whisper|bend|freeze\n"
SECOND_GOLD = "He decided to quit smoking.,quit,stop|cease|end,whisper|bend|freeze\n"


def questions_of(study):
    return {each.payload["content"]["phrase"] for each in study.questions.exclude(kind=Question.Kind.TRIED)}


@pytest.mark.parametrize("purposes", [("gold", "gold"), ("practice", "practice"), ("gold", "practice")])
def test_removing_a_file_of_questions_without_ids_keeps_the_questions_of_other_files(purposes):
    options = tasktypes.get("paraphrase").clean_options({})
    study = make_study(task_type="paraphrase", options=options, items=0, state="draft")
    files = []
    for purpose, row in zip(purposes, [FIRST_GOLD, SECOND_GOLD], strict=True):
        data = (GOLD_HEADER + row).encode()
        files.append(receive(study, purpose=purpose, filename=f"{purpose}.csv", data=data, user=SYSTEM))
        import_upload(files[-1].pk, user=SYSTEM)
    assert questions_of(study) == {"purchase", "quit"}
    assert remove_import(files[1].pk, user=SYSTEM) == 1
    assert questions_of(study) == {"purchase"}
    assert remove_import(files[0].pk, user=SYSTEM) == 1
    assert questions_of(study) == set()


def test_gold_questions_can_be_removed_from_a_draft_with_a_design(study):
    study.gold_block = 4
    study.save(update_fields=["gold_block"])
    bring(study, FIRST)
    build_design(study.pk, user=SYSTEM)
    gold = "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\na3,a4,a5,a6,a3,a6,Why.\n"
    upload = import_file(study, purpose="gold", filename="gold.csv", data=gold.encode(), user=SYSTEM)
    assert GoldSet.objects.filter(study=study, questions__kind=Question.Kind.GOLD).exists()
    assert remove_import(upload.pk, user=SYSTEM) == 1
    assert not study.questions.filter(kind=Question.Kind.GOLD).exists()


HEADER_OF_GOLD = "id,Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"
GOLD = "g1,a1,a2,a3,a4,a1,a4,One.\ng2,a5,a6,a7,a8,a5,a8,Two.\ng3,a9,a10,a11,a12,a9,a12,Three.\n"
# g1 is unchanged, g2 has another expected answer, g3 has other items, and g4 is new.
CORRECTED_GOLD = (
    "g1,a1,a2,a3,a4,a1,a4,One.\ng2,a5,a6,a7,a8,a8,a5,Swapped.\ng3,a9,a10,a11,a1,a9,a1,Other.\n"
    "g4,a2,a4,a6,a8,a2,a8,Four.\n"
)


def bring_questions(study, rows, known=KnownRows.STOP, purpose="gold", header=HEADER_OF_GOLD):
    upload = receive(study, purpose=purpose, filename=f"{purpose}.csv", data=(header + rows).encode(), user=SYSTEM)
    import_upload(upload.pk, user=SYSTEM, known=known)
    return upload


def shown_questions(study, rows, purpose="gold", header=HEADER_OF_GOLD):
    data = (header + rows).encode()
    return preview(receive(study, purpose=purpose, filename=f"{purpose}.csv", data=data, user=SYSTEM))


def answers_of(study):
    questions = study.questions.filter(kind__in=["gold", "practice", "retired"])
    return {each.ref: (each.payload["items"][-1], each.gold["best"], each.gold_version) for each in questions}


@pytest.fixture
def drafted(study):
    bring(study, FIRST)
    return study


@pytest.mark.parametrize("purpose", ["gold", "practice"])
@pytest.mark.parametrize("choice", ["add", "update", "replace"])
def test_each_choice_about_questions_of_a_draft_does_what_the_preview_says(drafted, purpose, choice):
    study = drafted
    first = bring_questions(study, GOLD + "g5,a1,a3,a5,a7,a1,a7,Five.\n", purpose=purpose)
    shown = shown_questions(study, CORRECTED_GOLD, purpose)
    assert shown.known["changed_rows"] == [[3, "g2"], [4, "g3"]]
    effects = {name: (each["adds"], each["changes"], each["removes"]) for name, each in shown.known["choices"].items()}
    assert effects == {"add": (1, 0, 0), "update": (1, 2, 0), "replace": (1, 2, 1)}
    second = bring_questions(study, CORRECTED_GOLD, KnownRows(choice), purpose)
    version = 2 if purpose == "gold" and choice != "add" else 1
    changed = {"g2": ("a8", "a8", version), "g3": ("a1", "a9", 1)}
    kept = {"g2": ("a8", "a5", 1), "g3": ("a12", "a9", 1)}
    expected = {"g1": ("a4", "a1", 1), "g4": ("a8", "a2", 1)} | (kept if choice == "add" else changed)
    assert answers_of(study) == expected | ({} if choice == "replace" else {"g5": ("a7", "a1", 1)})
    first.refresh_from_db()
    second.refresh_from_db()
    assert [first.rows, second.rows] == {"add": [4, 1], "update": [2, 3], "replace": [0, 4]}[choice]
    assert (first.revealed_at is None) == (choice == "replace")
    assert remove_import(second.pk, user=SYSTEM) == second.rows


def test_the_same_file_of_questions_again_imports_nothing(drafted):
    bring_questions(drafted, GOLD)
    for choice in (KnownRows.ADD, KnownRows.UPDATE, KnownRows.REPLACE):
        with pytest.raises(Refused) as refused:
            bring_questions(drafted, GOLD, choice)
        assert refused.value.code == "no-rows"


def test_questions_that_belong_to_another_kind_are_listed_with_their_lines(drafted):
    bring_questions(drafted, GOLD)
    shown = shown_questions(drafted, CORRECTED_GOLD, "practice")
    (fault,) = shown.faults
    assert fault.line == 2
    assert "g1 (line 2), g2 (line 3), g3 (line 4)" in fault.message


def test_questions_without_ids_are_recognised_in_another_order(drafted):
    header, rows = HEADER_OF_GOLD.removeprefix("id,"), [row.partition(",")[2] for row in GOLD.splitlines()]
    bring_questions(drafted, "\n".join(rows), header=header)
    assert set(answers_of(drafted)) == {"gold-1", "gold-2", "gold-3"}
    again = ["a2,a4,a6,a8,a2,a8,Four.", *reversed(rows)]
    again[1] = "a9,a10,a11,a12,a10,a12,Corrected."
    bring_questions(drafted, "\n".join(again), KnownRows.UPDATE, header=header)
    now = answers_of(drafted)
    assert now["gold-3"] == ("a12", "a10", 2)
    assert now["gold-4"] == ("a8", "a2", 1)


@pytest.mark.parametrize("purpose", ["gold", "practice"])
def test_stored_contents_with_another_id_are_a_warning(drafted, purpose):
    bring_questions(drafted, GOLD)
    rows = "h1,a4,a3,a2,a1,a1,a4,The items of g1.\nh2,a1,a2,a3,a5,a1,a5,New.\n"
    shown = shown_questions(drafted, rows, purpose)
    assert not shown.faults
    assert [(warning.line, "g1" in warning.message) for warning in shown.warnings] == [(2, True)]
    shown = preview(uploaded(drafted, "b1,Text number 3.\nb2,New.\na1,Text number 1.\n"))
    assert (2, True) in [(warning.line, "a3" in warning.message) for warning in shown.warnings]
    assert not {3, 4} & {warning.line for warning in shown.warnings}


@pytest.mark.parametrize("task", ["paraphrase", "words", "chunks"])
def test_stored_gold_with_another_id_is_a_warning(task):
    study = make_study(task_type=task, items=0, state="draft")
    header, row = {
        "paraphrase": ("id,sentence,phrase,synonyms,random_words", "A plant grew.,plant,a|b|c,d|e|f"),
        "words": ("id,source,target,gold", "the cat,die Katze,0-0 1-1"),
        "chunks": ("id,source,target,links", "the cat,die Katze,1 2 <==> 1 2 // EQUI // 5"),
    }[task]
    bring_questions(study, f"q1,{row}\n", header=f"{header}\n")
    shown = shown_questions(study, f"q2,{row}\n", header=f"{header}\n")
    assert not shown.faults
    assert any(warning.line == 2 and "q1" in warning.message for warning in shown.warnings)


def test_a_tried_question_stays_readable_when_its_items_change(drafted):
    drafted.gold_block = 4
    drafted.save(update_fields=["gold_block"])
    bring_questions(drafted, GOLD)
    build_design(drafted.pk, user=SYSTEM)
    tried = gold_in(take(make_annotator(drafted, platform=Annotator.Platform.TRY)))[0]
    ref, items = tried.question.ref, tried.question.payload["items"]
    other = GOLD.replace(",".join(items), ",".join(reversed(items)))
    bring_questions(drafted, other, KnownRows.UPDATE)
    tried.refresh_from_db()
    tried.question.refresh_from_db()
    assert (tried.question.kind, tried.question.payload["items"]) == (Question.Kind.TRIED, items)
    assert drafted.questions.get(ref=ref).payload["items"] == items[::-1]
    assert GoldSet.objects.filter(study=drafted, questions__ref=ref).exists()


def gold_file(*questions, **other):
    """Return the rows of a file with these questions, and with other expected answers and explanations by ID."""
    rows = []
    for each in questions:
        best, worst, why = other.get(each.ref, (each.gold["best"], each.gold["worst"], each.explanation))
        rows.append(f"{each.ref},{','.join(each.payload['items'])},{best},{worst},{why}\n")
    return "".join(rows)


NEW_GOLD = "new,gold2,gold5,gold7,gold9,gold2,gold9,New.\n"


@pytest.mark.rules
def test_an_expected_answer_in_a_corrected_file_is_a_new_version_and_grades_again():
    study = make_study(items=20, gold=1, judgements=4, rule_minimum=1)
    question = study.questions.get(kind="gold")
    right, wrong = make_annotator(study), make_annotator(study)
    do_hit(right)
    do_hit(wrong, right=False)
    values = dict(question.answers.values_list("pk", "value"))
    swapped = question.gold["worst"], question.gold["best"], "Swapped."
    rows = gold_file(question, **{question.ref: swapped}) + NEW_GOLD
    upload = receive(study, purpose="gold", filename="g.csv", data=(HEADER_OF_GOLD + rows).encode(), user=SYSTEM)
    shown = preview(upload)
    assert not shown.faults
    effects = effects_on_grades(upload, shown)
    assert (effects.graded, effects.changed, effects.stopped) == (2, 2, [right.pseudonym])
    import_upload(upload.pk, user=SYSTEM, known=KnownRows.UPDATE)
    question.refresh_from_db()
    assert question.gold == {"best": swapped[0], "worst": swapped[1]}
    assert (question.explanation, question.gold_version) == ("Swapped.", 2)
    assert dict(question.answers.values_list("pk", "value")) == values
    assert {each.participation_id: each.passed for each in question.answers.all()} == {right.pk: False, wrong.pk: True}
    right.refresh_from_db()
    assert right.standing == "stopped"
    (before,) = earlier_answers(question)
    assert before.expected.gold["best"] == swapped[1]
    assert "g.csv" in before.reason
    assert study.questions.filter(ref="new").exists()


@pytest.mark.rules
@pytest.mark.parametrize("purpose", ["gold", "practice"])
def test_questions_of_an_opened_study_keep_their_items_and_are_not_removed(purpose):
    study = make_study(items=0, state="draft", gold_block=4, options=tasktypes.get("bws").clean_options({}))
    bring(study, FIRST)
    build_design(study.pk, user=SYSTEM)
    bring_questions(study, GOLD, purpose=purpose)
    open_study(study.pk, user=SYSTEM)
    study.refresh_from_db()
    before = answers_of(study)
    shown = shown_questions(study, CORRECTED_GOLD, purpose)
    assert [shown.allows(KnownRows(name)) for name in ("add", "update", "replace")] == [True, False, False]
    lines = [fault[0] for fault in shown.known["choices"]["update"]["faults"]]
    assert lines == ([4] if purpose == "gold" else [3, 4])
    fewer = GOLD.replace("g1,", "g9,")
    faults = shown_questions(study, fewer, purpose).known["choices"]["replace"]["faults"]
    assert [fault[2].split()[0] for fault in faults] == ["g1"]
    for rows, choice in ((CORRECTED_GOLD, KnownRows.UPDATE), (fewer, KnownRows.REPLACE)):
        with pytest.raises(Refused):
            bring_questions(study, rows, choice, purpose)
    assert answers_of(study) == before


def test_a_file_neither_removes_nor_changes_an_excluded_question(drafted):
    bring_questions(drafted, GOLD)
    exclude_gold(drafted.questions.get(ref="g2").pk, user=SYSTEM, reason="Wrong.")
    with pytest.raises(Refused, match="line 3, column id: g2 cannot be changed, because it was excluded"):
        bring_questions(drafted, CORRECTED_GOLD, KnownRows.UPDATE)
    without = "".join(row + "\n" for row in CORRECTED_GOLD.splitlines() if not row.startswith("g2,"))
    bring_questions(drafted, without, KnownRows.REPLACE)
    assert set(answers_of(drafted)) == {"g1", "g2", "g3", "g4"}
    assert drafted.questions.get(ref="g2").kind == Question.Kind.RETIRED


@pytest.mark.parametrize("task", ["words", "chunks"])
def test_initial_links_do_not_make_a_gold_question_differ(task):
    options = tasktypes.get(task).clean_options({"prealign": "built-in"} if task == "words" else {})
    study = make_study(task_type=task, options=options, items=0, state="draft")
    column, links = ("gold", "0-0 1-1") if task == "words" else ("links", "1 <==> 1 // EQUI // 5 // a <==> x")
    header = f"id,sentence1,sentence2,{column}\n"
    rows = [f"p{n},a,x,1 <==> 1 // EQUI // 5 // a <==> x\n" for n in range(3)]
    if task == "words":
        rows = [f"p{n},a b{n},x y{n},{links}\n" for n in range(3)]
    bring_questions(study, "".join(rows), header=header)
    shown = shown_questions(study, "".join(rows[:2]), header=header)
    assert (shown.known["unchanged"], shown.known["changed"], shown.known["absent"]) == (2, 0, 1)


@pytest.mark.parametrize("door", ["console", "api", "command"])
def test_corrected_gold_comes_through_every_door(drafted, client, door, tmp_path):
    user = drafted.memberships.get().user
    client.force_login(user)
    bring_questions(drafted, GOLD)
    data = HEADER_OF_GOLD + CORRECTED_GOLD
    if door == "command":
        (tmp_path / "gold.csv").write_text(data)
        command = ["study", "import", drafted.public_id, str(tmp_path / "gold.csv"), "--kind", "gold"]
        shown = CliRunner().invoke(main, [*command, "--dry-run"], catch_exceptions=False)
        assert "1 new, 1 unchanged, 2 changed, 0 absent" in shown.output
        assert shown.exit_code == 1
        assert CliRunner().invoke(main, [*command, "--known", "update"]).exit_code == 0
    else:
        upload = receive(drafted, purpose="gold", filename="gold.csv", data=data.encode(), user=user)
        url = f"/console/{drafted.public_id}/uploads/{upload.public_id}/"
        api = f"/api/v1/studies/{drafted.public_id}/uploads/{upload.public_id}"
        assert client.get(url).text.count('name="known"') == 2
        assert [each["changes"] for each in client.get(api).json()["known"]["choices"]] == [0, 2, 2]
        if door == "console":
            assert client.post(f"{url}import/", {"known": "update"}).status_code == 302
        else:
            sent = client.post(f"{api}/import", {"known": "update"}, content_type="application/json")
            assert sent.status_code == 200
    assert answers_of(drafted)["g2"] == ("a8", "a8", 2)
    assert set(answers_of(drafted)) == {"g1", "g2", "g3", "g4"}
