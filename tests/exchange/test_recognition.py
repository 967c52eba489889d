"""Item files without a header row: lists of texts, and tables whose first row is data."""

from time import process_time

import pytest

from accord_core.exchange import recognition
from accord_core.exchange.layout import NO_HEADER, WHOLE_LINES, Layout
from accord_core.exchange.recognition import reading_of_first_row
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import preview, receive, set_layout
from tests.factories import make_study

pytestmark = pytest.mark.django_db


def study(slug="bws"):
    options = tasktypes.get(slug).clean_options({})
    return make_study(task_type=slug, options=options, items=0, state="draft")


def uploaded(study, text, name="items.csv"):
    return receive(study, purpose="items", filename=name, data=text.encode(), user=SYSTEM)


def items_of(study):
    return [(item.key, item.content) for item in study.items.order_by("pk")]


SENTENCES = ["The cat sat on the mat.", "A dog, brown and old, barks.", 'He said "no" to me.', "It rained all night."]


@pytest.mark.parametrize(
    ("text", "first_row"),
    [
        ("\n".join(SENTENCES), "data"),
        ("\n\n" + "\r\n".join(SENTENCES) + "\r\n\r\n", "data"),
        ("text\n" + "\n".join(SENTENCES), ""),
        ("Item\n" + "\n".join(SENTENCES), ""),
        ("Satz\n" + "\n".join(SENTENCES), "names"),
    ],
)
def test_a_list_of_texts_has_one_item_per_line(text, first_row):
    target = study()
    upload = uploaded(target, text, "items.txt")
    assert preview(upload).first_row == first_row
    assert import_upload(upload.pk, user=SYSTEM) == 4
    assert items_of(target) == [(f"item-{n}", {"text": text}) for n, text in enumerate(SENTENCES, start=1)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_whose_first_row_is_data(separator):
    rows = [["p1", "A cat.", "A dog."], ["p2", "One.", "Two."], ["p3", "Red.", "Blue."], ["p4", "Up.", "Down."]]
    target = study()
    upload = uploaded(target, "\n".join(separator.join(row) for row in rows))
    assert preview(upload).first_row == "data"
    import_upload(upload.pk, user=SYSTEM)
    assert items_of(target)[0] == ("p1", {"sentence1": "A cat.", "sentence2": "A dog."})
    assert target.items.count() == 4


@pytest.mark.parametrize("cell", ["1" * 100_000 + "x", "_" * 100_000 + "!"])
def test_a_long_cell_is_recognised_in_linear_time(cell):
    started = process_time()
    reading_of_first_row([["text_a", "b"], ["x", cell], [cell, "y"]], [("text",)])
    assert process_time() - started < 2


def test_numbers_and_identifiers():
    assert all(map(recognition._is_number, ["1", "+1.5", ",5", "-.5", "1,5e-3", "12%"]))
    assert not any(map(recognition._is_number, ["", "1.", ".", "1.2.3", "e5", "1x", "٣"]))
    assert all(map(recognition._IDENTIFIER.fullmatch, ["text_a", "_id_1", "__x", "satz_ä"]))
    assert not any(map(recognition._IDENTIFIER.fullmatch, ["text", "a1_b", "text_", "_x", "a_!"]))


def test_the_other_reading_can_be_chosen():
    target = study()
    upload = uploaded(target, "\n".join(["Wort", "cat", "dog", "cow", "hen", "owl"]))
    assert (preview(upload).first_row, preview(upload).rows) == ("unclear", 6)
    changed = set_layout(upload.pk, Layout(delimiter=WHOLE_LINES), user=SYSTEM)
    assert preview(changed).rows == 5
    changed = set_layout(upload.pk, Layout(delimiter=WHOLE_LINES, header=NO_HEADER), user=SYSTEM)
    assert (preview(changed).rows, preview(changed).first_row) == (6, "")


@pytest.mark.parametrize("slug", ["words", "chunks"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_sentence_pairs_without_a_header(slug, separator):
    target = study(slug)
    upload = uploaded(target, f"n1{separator}A cat{separator}Eine Katze\nn2{separator}A dog{separator}Ein Hund\n")
    import_upload(upload.pk, user=SYSTEM)
    assert [(key, content["target"]) for key, content in items_of(target)] == [
        ("n1", ["Eine", "Katze"]),
        ("n2", ["Ein", "Hund"]),
    ]


@pytest.mark.parametrize(
    "text",
    ['id,text\n1,"open\n2,b\n', "id,text\n1,a,b\n2,c\n", "Satz1;Satz2;Korpus;Jahr\na;b;c;1\nd;e;f\n"],
)
def test_broken_tables_are_not_read_as_lists(text):
    layout = preview(uploaded(study(), text)).layout
    assert layout is not None
    assert layout.delimiter != WHOLE_LINES
    assert layout.header is None


def test_the_preview_switches_the_first_row(client):
    target = study()
    upload = uploaded(target, "\n".join(["Satz", *SENTENCES]))
    client.force_login(target.memberships.get().user)
    url = f"/console/{target.public_id}/uploads/{upload.public_id}/"
    page = client.get(url)
    assert "Ready to import 4 items" in page.text
    hidden = {"encoding": "utf-8", "delimiter": "none", "column_0": "text", "header": "0"}
    assert all(f'name="{name}" value="{value}"' in " ".join(page.text.split()) for name, value in hidden.items())
    assert "Ready to import 5 items" in client.post(f"{url}layout/", hidden, follow=True).text


def test_a_doubtful_first_row_is_a_question_before_the_import(client):
    target = study()
    upload = uploaded(target, "\n".join(["adjective", *"happy sad glad angry calm".split()]))
    client.force_login(target.memberships.get().user)
    url = f"/console/{target.public_id}/uploads/{upload.public_id}/"
    page = client.get(url).text
    assert "Does the first row contain column names?" in page
    assert "Ready to import" not in page
    hidden = {"encoding": "utf-8", "delimiter": "comma", "column_0": "text"}
    assert "Ready to import 5 items" in client.post(f"{url}layout/", hidden | {"header": ""}, follow=True).text
    assert "Ready to import 6 items" in client.post(f"{url}layout/", hidden | {"header": "0"}, follow=True).text


def test_rows_with_errors_are_skipped_with_one_button(client):
    target = study()
    rows = ["id,text", *(f"{n},Sentence {n} is short." for n in range(1, 9)), "1,This ID is taken.", "9,"]
    upload = uploaded(target, "\n".join(rows))
    client.force_login(target.memberships.get().user)
    url = f"/console/{target.public_id}/uploads/{upload.public_id}/"
    assert "Import 8 rows and skip 2 rows" in " ".join(client.get(url).text.split())
    page = client.post(f"{url}import/", {"skip": ""}, follow=True)
    assert "imported 8 items from items.csv and skipped 2 rows with errors (lines 10, 11)" in page.text
    assert [key for key, _ in items_of(target)] == [str(n) for n in range(1, 9)]


def test_a_pair_that_is_too_long_is_skipped_like_any_other_row(client):
    target = study("chunks")
    rows = ["id,sentence1,sentence2", f"1,{'word ' * 101},A dog.", "2,A cat sleeps.,It rests."]
    upload = uploaded(target, "\n".join(rows))
    client.force_login(target.memberships.get().user)
    url = f"/console/{target.public_id}/uploads/{upload.public_id}/"
    assert "Import 1 row and skip 1 row" in " ".join(client.get(url).text.split())
    client.post(f"{url}import/", {"skip": ""})
    assert [key for key, _ in items_of(target)] == ["2"]


@pytest.mark.parametrize(
    "text",
    ["id,Satz,Wort,Ort\n1,a,b,c\n", "<items></items>", '[{"id": "1", "text": "a"}, {"id": "1", "text": "b"}]'],
    ids=["a missing column", "not a table", "two rows per line"],
)
def test_no_row_is_skipped_if_this_does_not_help(client, text):
    target = study()
    upload = uploaded(target, text)
    client.force_login(target.memberships.get().user)
    url = f"/console/{target.public_id}/uploads/{upload.public_id}/"
    assert 'name="skip"' not in client.get(url).text
    client.post(f"{url}import/", {"skip": ""})
    assert items_of(target) == []


@pytest.mark.parametrize("slug", ["words", "chunks", "bws"])
def test_a_column_of_repeated_labels_is_not_a_sentence_although_it_is_named_source(slug):
    rows = [f"{('news', 'web', 'talks')[n % 3]},This is my sentence {n}.,Das ist mein Satz {n}." for n in range(40)]
    target = study(slug)
    upload = uploaded(target, "\n".join(["Source,English,German", *rows]))
    import_upload(upload.pk, user=SYSTEM)
    item = target.items.order_by("pk")[0]
    assert list(item.metadata.values()) == ["news"]
    assert "sentence" in str(item.content)
    assert "news" not in str(item.content)


def test_word_pairs_with_a_repeated_side_stay_a_pair():
    target = study("words")
    upload = uploaded(target, "source,target\n" + "\n".join(f"word{n} here,gut" for n in range(10)))
    assert import_upload(upload.pk, user=SYSTEM) == 10


EXPRESSIONS = [
    "a bit sad",
    "heartbroken",
    "absolutely furious",
    "ecstatic",
    "content",
    "slightly nervous",
    "calm",
    "bored",
]


@pytest.mark.parametrize("header", ["Quelle", "Genre", "Stimmung"])
def test_short_phrases_with_a_column_of_labels_are_texts(header):
    rows = [f"{text} {n},{('Alltag', 'Roman')[n % 2]},{n}" for n, text in enumerate(EXPRESSIONS)]
    target = study()
    upload = uploaded(target, "\n".join([f"Ausdruck,{header},Nr", *rows]))
    import_upload(upload.pk, user=SYSTEM)
    item = target.items.order_by("pk")[0]
    assert (item.content, item.metadata) == ({"text": "a bit sad 0"}, {header: "Alltag"})


def test_words_of_numbered_columns_are_pairs_although_one_side_repeats():
    target = study()
    rows = [f"{text},{('happy', 'sad')[n % 2]},{n}" for n, text in enumerate(EXPRESSIONS)]
    upload = uploaded(target, "\n".join(["Wort1,Wort2,Nr", *rows]))
    import_upload(upload.pk, user=SYSTEM)
    assert target.items.order_by("pk")[0].content == {"sentence1": "a bit sad", "sentence2": "happy"}


@pytest.mark.parametrize("beside", ["Bahn", "01.03.2025", "2025-03-01 12:30"])
def test_keywords_and_dates_beside_sentences_are_no_second_texts(beside):
    rows = [f"{number};{text};{beside}{number}" for number, text in enumerate(SENTENCES, start=1)]
    if beside[0].isdigit():
        rows = [row[:-1] for row in rows]
    target = study()
    upload = uploaded(target, "\n".join(["Nr;Satz;Anderes", *rows]))
    import_upload(upload.pk, user=SYSTEM)
    assert items_of(target)[0] == ("1", {"text": SENTENCES[0]})


@pytest.mark.parametrize("sign", ["|", "; "])
def test_a_column_of_lists_holds_the_candidates(sign):
    rows = [f"Der Garten {n} ist schön.,schön,{sign.join(['hübsch', 'reizvoll', 'bald'])}" for n in range(9)]
    target = study("paraphrase")
    upload = uploaded(target, "\n".join(["Satz,Wort,Ersatz", *rows]))
    import_upload(upload.pk, user=SYSTEM)
    assert target.items.order_by("pk")[0].content["paraphrases"] == ["hübsch", "reizvoll", "bald"]
