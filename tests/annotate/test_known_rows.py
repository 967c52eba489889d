"""Files that come again: rows that the study already contains, corrections, and numbers of rows without IDs."""

import pytest

from annotate import tasktypes
from annotate.known_rows import KnownRows
from annotate.models import GoldSet, Question
from annotate.permissions import SYSTEM
from annotate.refusals import Refused
from annotate.services.design import build_design
from annotate.services.drafts import remove_import
from annotate.services.study import open_study
from annotate.services.uploads import import_upload, preview, receive
from tests.factories import make_study

pytestmark = pytest.mark.django_db

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
    with pytest.raises(Refused, match="line 4, column id: a3 cannot change"):
        bring(study, CORRECTED, KnownRows.UPDATE)
    with pytest.raises(Refused, match="a7 is not in the file"):
        bring(study, CORRECTED, KnownRows.REPLACE)
    assert texts(study) == before
    bring(study, CORRECTED, KnownRows.ADD)
    assert texts(study) == before | {"a13": "New."}


def test_items_in_gold_questions_cannot_change(study):
    bring(study, FIRST)
    gold = "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\na3,a4,a5,a6,a3,a6,Why.\n"
    upload = receive(study, purpose="gold", filename="gold.csv", data=gold.encode(), user=SYSTEM)
    import_upload(upload.pk, user=SYSTEM)
    with pytest.raises(Refused, match="a3 cannot change, because gold"):
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
    upload = receive(study, purpose="gold", filename="gold.csv", data=gold.encode(), user=SYSTEM)
    import_upload(upload.pk, user=SYSTEM)
    assert GoldSet.objects.filter(study=study, questions__kind=Question.Kind.GOLD).exists()
    assert remove_import(upload.pk, user=SYSTEM) == 1
    assert not study.questions.filter(kind=Question.Kind.GOLD).exists()
