"""Tests that create a study from a dropped file: its task is recognised, and doubt leads to the preview."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotate.models import Study
from tests.console_setup import at
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

PAIRS = "Source,English,German\n" + "".join(
    f"{('news', 'web')[n % 2]},This is my sentence {n}.,Das ist mein Satz {n}.\n" for n in range(40)
)
PHRASES = "sentence,phrase,paraphrases\n" + "".join(
    f"They purchase {n} tickets today.,purchase,buy;get\n" for n in range(40)
)
EXPRESSIONS = "Ausdruck,Quelle,Nr\n" + "".join(
    f"{text},{('Alltag', 'Roman', 'Forum')[n % 3]},{n}\n"
    for n, text in enumerate(["a bit sad", "heartbroken", "absolutely furious", "mildly annoyed", "ecstatic", "calm"])
)
WORDS = "Haus,Garten\nBaum,Blume\nHund,Katze\n"


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(UserFactory())
    return client


def files(**texts: str) -> dict[str, list[SimpleUploadedFile]]:
    return {"files": [SimpleUploadedFile(name.replace("_", "."), text.encode()) for name, text in texts.items()]}


def test_a_file_alone_creates_a_study_with_its_items(signed_in: Client) -> None:
    response = signed_in.post(reverse("console:new"), files(phrases_csv=PHRASES) | {"who_answers": "team"})
    study = Study.objects.get()
    assert response.url == at("overview", study)
    assert (study.title, study.task_type, study.items.count()) == ("phrases", "paraphrase", 40)


def test_a_file_for_several_tasks_asks_which_one_and_keeps_labels_apart(signed_in: Client) -> None:
    asked = signed_in.post(reverse("console:new"), files(pairs_csv=PAIRS) | {"who_answers": "team"})
    assert asked.context["form"].errors.keys() == {"task_type"}
    assert "(optional)" not in asked.content.decode()
    answers = {"who_answers": "crowd", "title": "EN–DE", "task_type": "words"}
    signed_in.post(reverse("console:new"), files(pairs_csv=PAIRS) | answers)
    study = Study.objects.get()
    item = study.items.order_by("pk")[0]
    assert (study.title, study.admission, item.metadata) == ("EN–DE", "anonymous", {"Source_label": "news"})


@pytest.mark.parametrize(("column", "subcorpus"), [("Genre", "Genre"), ("Year", "subcorpus")])
def test_a_usual_name_for_subcorpora_splits_the_results_of_word_alignment(
    signed_in: Client, column: str, subcorpus: str
) -> None:
    table = files(pairs_csv=PAIRS.replace("Source", column))
    signed_in.post(reverse("console:new"), table | {"task_type": "words", "who_answers": "team"})
    study = Study.objects.get()
    assert study.items.order_by("pk")[0].metadata == {column: "news"}
    assert study.options["subcorpus"] == subcorpus


def test_usual_names_for_the_dataset_or_domain_are_recognised_in_other_tasks(signed_in: Client) -> None:
    pairs = files(pairs_csv=PAIRS.replace("Source", "Domain"))
    signed_in.post(reverse("console:new"), pairs | {"task_type": "chunks", "who_answers": "team"})
    assert Study.objects.get().options["dataset"] == "Domain"
    phrases = files(
        phrases_csv=PHRASES.replace("paraphrases", "paraphrases,Register").replace("buy;get", "buy;get,web")
    )
    signed_in.post(reverse("console:new"), phrases | {"who_answers": "team"})
    assert Study.objects.get(task_type="paraphrase").items.order_by("pk")[0].metadata == {"domain": "web"}


def test_the_table_of_items_has_the_column_names_of_the_file(signed_in: Client) -> None:
    signed_in.post(reverse("console:new"), files(pairs_csv=PAIRS) | {"task_type": "words", "who_answers": "team"})
    page = signed_in.get(at("items", Study.objects.get())).text
    assert re.findall(r'<th scope="col">(.*?)</th>', page)[:4] == ["ID", "English", "German", "Source"]


def test_two_text_files_become_pairs(signed_in: Client) -> None:
    new = {"who_answers": "team", "task_type": "words"}
    two = files(en_txt="A dog sleeps.\nA cat eats.\n", de_txt="Ein Hund schläft.\nEine Katze isst.\n")
    created = signed_in.post(reverse("console:new"), two | new, follow=True)
    assert Study.objects.get().items.count() == 2
    assert "2 items from en.txt and de.txt." in created.text
    uneven = files(en_txt="A dog.\n", de_txt="Ein Hund.\nEine Katze.\n")
    refused = signed_in.post(reverse("console:new"), uneven | new)
    assert "en.txt has 1 line, but de.txt has 2" in refused.context["form"].file_errors[0]
    assert Study.objects.count() == 1


def test_an_unclear_first_row_is_asked_about(signed_in: Client) -> None:
    new = {"who_answers": "team", "task_type": "bws"}
    response = signed_in.post(reverse("console:new"), files(words_csv=WORDS) | new, follow=True)
    assert "Does the first row contain column names?" in response.content.decode()
    assert not Study.objects.get().items.exists()


def test_a_first_row_that_is_read_as_data_is_mentioned(signed_in: Client) -> None:
    header = "Sentence (how certain is the speaker?),Where I found it"
    rows = f"{header}\nIt could rain later.,newspaper\nI am certain that he left.,interview\n"
    found = signed_in.post(reverse("console:recognise"), files(hedges_csv=rows) | {"task_type": "bws"}).json()
    assert found["text"] == (
        "3 items: column 1. column 2 is stored as metadata. "
        "The first row is read as data, because the file seems to have no column names."
    )


def test_a_chosen_file_suggests_a_title_and_a_task(signed_in: Client) -> None:
    found = signed_in.post(reverse("console:recognise"), files(phrases_csv=PHRASES)).json()
    assert (found["title"], found["tasks"]) == ("phrases", ["paraphrase"])
    assert found["text"] == "40 items: sentence, phrase and paraphrases."
    several = signed_in.post(reverse("console:recognise"), files(pairs_csv=PAIRS)).json()
    assert several["tasks"] == ["bws", "chunks", "words"]
    assert several["text"] == "40 rows: Source, English and German."
    pairs = signed_in.post(reverse("console:recognise"), files(pairs_csv=PAIRS) | {"task_type": "words"}).json()
    assert pairs["text"] == "40 pairs: English and German. Source is stored as metadata."
    layout = signed_in.post(reverse("console:recognise"), files(pairs_csv=PAIRS) | {"task_type": "layout"}).json()
    assert layout["text"] == "40 items: Source, English and German."
    unfit = signed_in.post(reverse("console:recognise"), files(pairs_csv=PAIRS) | {"task_type": "paraphrase"}).json()
    assert unfit["text"] == "Next, you choose the columns with sentence, phrase and paraphrases."
    broken = signed_in.post(reverse("console:recognise"), files(empty_csv="")).json()
    assert broken["tasks"] == []
    assert "empty.csv" in broken["text"]


@pytest.mark.parametrize("header", ["Sentence,Where I found it", "Sentence,Word"])
def test_no_column_is_called_missing_before_a_task_is_chosen(signed_in: Client, header: str) -> None:
    table = f"{header}\n" + "".join(f"It could rain on day {n}.,newspaper {n}\n" for n in range(9))
    found = signed_in.post(reverse("console:recognise"), files(hedges_csv=table)).json()
    assert found["tasks"] == ["bws", "paraphrase"]
    assert found["text"] == f"9 rows: {header.replace(',', ' and ')}."
    created = signed_in.post(reverse("console:new"), files(hedges_csv=table) | {"who_answers": "team"})
    assert created.context["form"].errors.keys() == {"task_type"}


def test_candidates_with_another_separator_are_reported_before_the_study_exists(signed_in: Client) -> None:
    def text(table: str) -> str:
        found: str = signed_in.post(reverse("console:recognise"), files(phrases_csv=table)).json()["text"]
        return found

    commas = PHRASES.replace("buy;get", '"buy, get"')
    warning = "line 2, column paraphrases: “buy, get” is one candidate. Separate several candidates with semicolons"
    assert text(commas) == f"40 items: sentence, phrase and paraphrases. 40 warnings, for example {warning}"
    one = "sentence,phrase,paraphrases\nThey purchase tickets.,purchase,buy / get\n"
    without_phrase = "sentence,paraphrases\nThey purchase tickets.,buy;get\n"
    asked = signed_in.post(reverse("console:recognise"), files(own_csv=without_phrase) | {"task_type": "paraphrase"})
    assert asked.json()["text"] == "Next, you choose the column with phrase."
    assert text(one).endswith(f" 1 warning: {warning.replace('buy, get', 'buy / get')}")


def test_errors_name_the_columns_of_the_file_and_belong_to_the_chosen_task(signed_in: Client) -> None:
    def text(task: str) -> str:
        chosen = files(pairs_csv=f"{PAIRS}news,,Es regnet.\n") | ({"task_type": task} if task else {})
        found: str = signed_in.post(reverse("console:recognise"), chosen).json()["text"]
        return found

    assert text("") == text("bws") == "pairs.csv: line 42, column English: the cell is empty"
    assert text("layout") == "41 items: Source, English and German."
    words = files(words_csv="word\nhappy\nsad\n")
    one = signed_in.post(reverse("console:recognise"), words | {"task_type": "chunks"}).json()["text"]
    assert "it has only one column" in one


def test_a_form_that_the_chosen_task_does_not_use_is_mentioned(signed_in: Client) -> None:
    both = files(texts_csv="text\nIt rains.\nIt snows.\n", form_html="<input name=a>")
    for task, mentioned in (("bws", True), ("layout", False)):
        found = signed_in.post(reverse("console:recognise"), both | {"task_type": task}).json()
        assert ("This task does not use the HTML form." in found["text"]) == mentioned


def test_a_column_that_is_read_besides_the_texts_is_named(signed_in: Client) -> None:
    table = "Sentence,Phrase,Candidate 1,Genre\nPrices went up.,went up,rose,news\n"
    found = signed_in.post(reverse("console:recognise"), files(verbs_csv=table) | {"task_type": "paraphrase"}).json()
    assert found["text"].endswith("Candidate 1 (paraphrases). Accord also reads Genre (domain).")


def test_missing_columns_are_asked_for_after_the_study_is_created(signed_in: Client) -> None:
    asked = {"task_type": "paraphrase", "who_answers": "team", "title": "Phrases"}
    page = signed_in.post(reverse("console:new"), files(pairs_csv=PAIRS) | asked, follow=True).text
    assert "Columns in the file" in page
    assert "First row of data" not in page, "only a question shows both readings"


def test_a_column_whose_name_is_an_abbreviation_ends_its_sentence_with_one_full_stop(signed_in: Client) -> None:
    found = signed_in.post(reverse("console:recognise"), files(emotions_csv=EXPRESSIONS.replace("Nr", "Nr.", 1))).json()
    assert found["text"] == "6 items: Ausdruck. IDs from Nr. Quelle is stored as metadata."


def test_a_first_item_that_is_a_sentence_ends_the_sentence_that_quotes_it(signed_in: Client) -> None:
    sentences = files(emotions_csv="Nr,Satz\n1,Der See lag ruhig da.\n2,Heute bin ich froh.\n")
    response = signed_in.post(
        reverse("console:new"), sentences | {"task_type": "bws", "who_answers": "team"}, follow=True
    )
    assert "The first item: “Der See lag ruhig da.”" in response.text
    assert "da.”." not in response.text


def test_items_with_labels_are_described_in_the_words_of_the_file_and_can_be_read_again(signed_in: Client) -> None:
    found = signed_in.post(reverse("console:recognise"), files(emotions_csv=EXPRESSIONS)).json()
    assert found["tasks"] == ["bws"]
    assert found["text"] == "6 items: Ausdruck. IDs from Nr. Quelle is stored as metadata."
    response = signed_in.post(
        reverse("console:new"), files(emotions_csv=EXPRESSIONS) | {"who_answers": "team"}, follow=True
    )
    assert "6 items from emotions.csv. The first item: “a bit sad”." in response.text
    study = Study.objects.get()
    assert "Change the columns" in signed_in.get(at("items", study)).text
    again = {"again": ""}
    address = reverse("console:remove-import", args=[study.public_id, study.uploads.get().public_id])
    page = " ".join(signed_in.post(address, again, follow=True).text.split())
    assert "Ausdruck → item" in page
    assert "<details open> <summary>Settings for reading the file" in page
    assert not study.items.exists()
    back = page.rpartition("/restore/")[2]
    assert "Go back and keep the earlier items" in back
    assert "Go back without importing" not in back
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', back)
    signed_in.post(address.replace("/remove/", "/restore/"), {"seen": seen})
    assert study.items.count() == 6


@pytest.mark.nightly
def test_a_file_with_two_columns_of_texts_offers_single_texts_and_pairs(signed_in: Client) -> None:
    asked = files(pairs_csv=PAIRS) | {"task_type": "bws"}
    found = signed_in.post(reverse("console:recognise"), asked).json()
    choice = {"1-2": "pairs of English and German", "1": "single texts: English", "2": "single texts: German"}
    assert choice.items() <= dict(found["readings"]).items()
    assert found["readings"][0][0] == "1-2"
    one = files(pairs_csv=PAIRS) | {"task_type": "bws", "who_answers": "team", "reading": "2"}
    signed_in.post(reverse("console:new"), one)
    study = Study.objects.get()
    item = study.items.first()
    assert item.content == {"text": "Das ist mein Satz 0."}
    assert item.metadata["English"] == "This is my sentence 0."
    assert next(iter(signed_in.get(at("items", study)).context["readings"])) == "2"
    address = reverse("console:remove-import", args=[study.public_id, study.uploads.get().public_id])
    signed_in.post(address, {"reading": "1-2"})
    assert study.items.first().content == {"sentence1": "This is my sentence 0.", "sentence2": "Das ist mein Satz 0."}
    signed_in.post(address, {"reading": "7"})
    assert study.items.count() == 40
