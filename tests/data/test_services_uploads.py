"""Tests that files are imported completely or not at all, even if an import is interrupted."""

import threading

import pytest
from django.db import connections

from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import items_to_add
from annotate.data.services import imports
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import preview, receive
from annotate.data.upload_contents import Rows
from annotate.models import Item, Question, Study, Upload
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from annotate.studies.services.study import open_study
from annotate.tasktypes import ItemDraft
from tests.factories import add_items, make_study

pytestmark = pytest.mark.django_db

GOLD = "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"


@pytest.fixture
def study():
    return make_study(items=0, state="draft")


def table(count, prefix="k"):
    rows = "".join(f"{prefix}{n},A boat {n}.,A harbour {n}.,news\n" for n in range(count))
    return f"id,sentence1,sentence2,source\n{rows}".encode()


def bring(study, data, purpose="items", name="items.csv"):
    return receive(study, purpose=purpose, filename=name, data=data, user=SYSTEM)


def test_a_file_is_kept_as_it_came_and_nothing_of_it_is_in_the_study_yet(study):
    kept = bring(study, table(9))
    seen = preview(kept, sample=2)
    assert (seen.rows, seen.columns, seen.importable) == (9, ["id", "sentence1", "sentence2", "source"], True)
    assert seen.sample[0]["key"] == "k0"
    assert not study.items.exists()


def test_questions_about_single_texts_do_not_ask_about_pairs(study):
    texts = b"text\nA boat\nA harbour\nA pier\nA mole\n"
    import_upload(bring(study, texts).pk, user=SYSTEM)
    study.refresh_from_db()
    assert {name: study.options[name] for name in ("most", "least", "noun")} == {
        "most": "best",
        "least": "worst",
        "noun": "text",
    }
    assert study.events.get(verb="changed settings").detail["options.noun"] == ["pair", "text"]


def test_the_wording_that_a_researcher_chose_remains_and_pairs_keep_the_default(study):
    study.options |= {"most": "funniest"}
    study.save()
    import_upload(bring(study, b"text\nA boat\nA harbour\nA pier\nA mole\n").pk, user=SYSTEM)
    study.refresh_from_db()
    assert (study.options["most"], study.options["noun"]) == ("funniest", "text")
    pairs = make_study(items=0, state="draft")
    import_upload(bring(pairs, table(9)).pk, user=SYSTEM)
    assert Study.objects.get(pk=pairs.pk).options == pairs.options


def test_all_rows_come_in_with_their_metadata_and_the_import_is_logged(study, monkeypatch):
    monkeypatch.setattr(imports, "CHUNK", 4)
    said = []
    kept = bring(study, table(9))
    assert import_upload(kept.pk, user=SYSTEM, progress=lambda share, text: said.append((share, text))) == 9
    assert said[-1] == (1.0, "9 of 9 items")
    assert study.items.get(key="k3").metadata == {"source": "news"}
    assert study.events.get(verb="imported items").detail["rows"] == 9
    with pytest.raises(Refused, match=r"items\.csv has already been imported") as refused:
        import_upload(kept.pk, user=SYSTEM)
    assert refused.value.code == "imported"


def test_one_fault_keeps_everything_out_and_is_named_by_its_place(study):
    kept = bring(study, table(9) + b"k3,Twice.,Twice.,news\nk77,,Empty.,news\n")
    assert not preview(kept).importable
    with pytest.raises(Refused, match=r"Nothing was imported\. items\.csv, line 11") as refused:
        import_upload(kept.pk, user=SYSTEM)
    assert {"line 11, column id", "line 12, column sentence1"} <= refused.value.fields.keys()
    assert not study.items.exists()


def test_ids_that_the_study_has_already_are_one_fault_with_the_line(study):
    import_upload(bring(study, table(9)).pk, user=SYSTEM)
    with pytest.raises(Refused, match=r"line 2.*already contains 5 of the file's 5 items.*k0") as refused:
        import_upload(bring(study, table(5)).pk, user=SYSTEM)
    assert list(refused.value.fields) == ["line 2, column id"]
    assert study.items.count() == 9


def test_a_file_over_the_limit_is_refused_with_the_limit(study, settings):
    settings.LIMIT_UPLOAD_BYTES = 50
    with pytest.raises(Refused, match="the limit of 50 bytes"):
        bring(study, table(9))


def test_a_crash_in_the_middle_leaves_nothing_behind(study, monkeypatch):
    monkeypatch.setattr(imports, "CHUNK", 3)

    def crash(share, text):
        if share > 0.5:
            raise KeyboardInterrupt

    kept = bring(study, table(9))
    with pytest.raises(KeyboardInterrupt):
        import_upload(kept.pk, user=SYSTEM, progress=crash)
    assert not Item.objects.exists()
    assert import_upload(kept.pk, user=SYSTEM) == 9


def test_rows_left_by_a_power_cut_are_never_seen_and_not_in_the_way(study):
    cut_off = bring(study, table(9))
    Item.objects.create(study=study, upload=cut_off, key="k1", content={"text": "half imported"})
    assert study_data(study).items == []
    with pytest.raises(Refused, match="at least"):
        build_design(study.pk, user=SYSTEM)
    assert import_upload(bring(study, table(9), name="again.csv").pk, user=SYSTEM) == 9
    assert study.items.get(key="k1").content["sentence1"] == "A boat 1."


def test_a_study_opened_while_items_are_imported_keeps_its_design(monkeypatch):
    monkeypatch.setattr(imports, "CHUNK", 3)
    study = make_study(state="draft")
    upload = bring(study, table(9))

    def open_now(share, text):
        open_study(study.pk, user=SYSTEM)

    import_upload(upload.pk, user=SYSTEM, progress=open_now)
    opened = Study.objects.get(pk=study.pk)
    assert opened.design_id == study.design_id
    assert items_to_add(opened) == 9


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rows", [9, 40])
def test_the_same_file_twice_at_once_comes_in_once_or_not_at_all(monkeypatch, rows):
    monkeypatch.setattr(imports, "CHUNK", 10)
    study = make_study(items=0, state="draft")
    kept = bring(study, table(rows))
    outcomes, start = [], threading.Barrier(2)

    def click():
        start.wait(60)
        try:
            outcomes.append(import_upload(kept.pk, user=SYSTEM))
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connections.close_all()

    clicks = [threading.Thread(target=click) for _ in range(2)]
    for one in clicks:
        one.start()
    for one in clicks:
        one.join(120)
    kept.refresh_from_db()
    assert len(outcomes) == 2
    assert set(outcomes) <= {rows, "conflict", "imported", "faults"}, outcomes  # faults: its IDs already exist
    assert outcomes.count(rows) == (kept.revealed_at is not None)
    assert study.items.count() == (rows if kept.revealed_at else 0)
    if not kept.revealed_at:
        assert import_upload(kept.pk, user=SYSTEM) == rows


def test_a_second_import_does_not_touch_rows_that_the_first_has_revealed(study):
    kept = bring(study, table(9))
    late = Upload.objects.select_related("study").get(pk=kept.pk)  # read by a second click
    import_upload(kept.pk, user=SYSTEM)
    rows = [ItemDraft(item.key, item.content) for item in study.items.all()]
    with pytest.raises(Refused):
        imports.import_items(late, [Rows(9, items=rows)], None, lambda share, text: None)
    assert study.items.count() == 9


def test_gold_comes_from_a_file_with_its_reasons(study):
    add_items(study, 6)
    kept = bring(study, (GOLD + "i0,i1,i2,i3,i0,i3,Because.\n").encode(), "gold", "gold.csv")
    assert import_upload(kept.pk, user=SYSTEM) == 1
    gold = study.questions.get()
    assert (gold.kind, gold.gold, gold.explanation) == ("gold", {"best": "i0", "worst": "i3"}, "Because.")


def test_a_gold_answer_that_is_not_among_the_four_is_named(study):
    add_items(study, 6)
    kept = bring(study, (GOLD + "i0,i1,i2,i3,i5,i3,Because.\n").encode(), "gold", "gold.csv")
    with pytest.raises(Refused, match=r"gold\.csv, line 2, column BestItem"):
        import_upload(kept.pk, user=SYSTEM)
    assert not Question.objects.exists()


def test_a_question_id_that_is_taken_is_a_fault(study):
    add_items(study, 6)
    data = (GOLD + "i0,i1,i2,i3,i0,i3,Because.\n").encode()
    import_upload(bring(study, data, "gold", "gold.csv").pk, user=SYSTEM)
    with pytest.raises(Refused, match=r"line 2, column id: The study already contains 1 of the file's 1 questions"):
        import_upload(bring(study, data, "gold", "gold.csv").pk, user=SYSTEM)
    assert study.questions.count() == 1


def test_questions_without_ids_continue_the_numbering_of_the_study(study):
    add_items(study, 6)
    import_upload(bring(study, (GOLD + "i0,i1,i2,i3,i0,i3,One.\n").encode(), "gold", "gold.csv").pk, user=SYSTEM)
    data = (GOLD + "i2,i3,i4,i5,i2,i5,Two.\ni1,i3,i4,i5,i1,i5,Three.\n").encode()
    import_upload(bring(study, data, "practice", "practice.csv").pk, user=SYSTEM)
    refs = study.questions.filter(kind="practice").order_by("ref").values_list("ref", "explanation")
    assert list(refs) == [("gold-2", "Two."), ("gold-3", "Three.")]
