"""Tests of pairs in two languages: guessed from the file, shown to annotators, and asked about as translations."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from alignment_ui.pairs.languages import guessed_languages
from alignment_ui.words.tasktype import Words
from annotate import tasktypes
from annotate.console.selectors.setup import setup_steps
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.data.services.uploads import receive
from annotate.models import Study, Upload, User
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.factories import UserFactory
from tests.word_editor import editor, word_contexts, word_site  # noqa: F401

FILE = "Nr;{};{}\n1;We will leave tomorrow.;Wir werden morgen fahren.\n2;The weather is fine.;Das Wetter ist gut.\n"
OPTIONS = ("first_language", "second_language", "prealign")


def new_study(client: Client, first: str, second: str, task: str = "words") -> Study:
    user: User = UserFactory.create()
    client.force_login(user)
    file = SimpleUploadedFile("pairs.csv", FILE.format(first, second).encode())
    client.post(reverse("console:new"), {"files": file, "task_type": task, "who_answers": "team"})
    return Study.objects.get()


def text_of(study: Study, title: str) -> str:
    study.refresh_from_db()
    return next(step.text for step in setup_steps(study) if step.title == title)


def questions_step(study: Study) -> str:
    return text_of(study, "Questions")


@pytest.mark.parametrize(
    ("columns", "first", "second"),
    [
        (("Englisch", "Deutsch"), "", "de"),
        (("text_en", "text_de"), "", "de"),
        (("Sentence (German)", "Sentence (French)"), "de", "fr"),
        (("de", "en"), "de", "en"),
        (("English source", "Deutsche Übersetzung"), "", "de"),
        (("español", "inglés"), "es", "en"),
        (("texto francés", "traducción alemana"), "fr", "de"),
        (("source", "target"), "", ""),
        (("as it is", "or so"), "", ""),
    ],
)
def test_names_of_columns_suggest_languages(columns, first, second):
    named = dict(zip(("source", "target"), columns, strict=True))
    assert guessed_languages(named, "en") == {"first_language": first, "second_language": second}


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_file_in_two_languages_asks_for_translations_without_initial_links(client):
    study = new_study(client, "Englisch", "Deutsch")
    assert [study.options[name] for name in OPTIONS] == ["", "de", "none"]
    build_design(study.pk, user=SYSTEM)
    assert "“Link the words that translate each other”. 2 questions" in questions_step(study)
    assert "Language: English. Items: English and German." in text_of(study, "Texts and languages")
    assert "Initial links: none." in questions_step(study)
    question = study.questions.first()
    assert Words().present(question.payload, [], {}, study.options)["languages"] == ["", "de"]


@pytest.mark.django_db
def test_a_file_in_one_language_keeps_the_initial_links_and_the_wording(client):
    study = new_study(client, "Sentence 1", "Sentence 2")
    assert [study.options[name] for name in OPTIONS] == ["", "", "built-in"]
    build_design(study.pk, user=SYSTEM)
    assert "could replace each other" in questions_step(study)
    assert "Items:" not in text_of(study, "Texts and languages")
    page = client.get(reverse("console:overview", args=[study.public_id])).content.decode()
    assert "#id_option_first_language" in page
    assert "Initial links: from the built-in aligner." in questions_step(study)


@pytest.mark.django_db
def test_a_second_language_chosen_later_removes_the_initial_links(client):
    study = new_study(client, "Sentence 1", "Sentence 2")
    change_settings(study.pk, user=SYSTEM, options={"second_language": "German"})
    study.refresh_from_db()
    assert [study.options[name] for name in OPTIONS] == ["", "de", "none"]
    change_settings(study.pk, user=SYSTEM, options={"prealign": "built-in"})
    study.refresh_from_db()
    assert study.options["prealign"] == "built-in", "a researcher can still choose them"
    with pytest.raises(Refused, match="“the German one” is not a language"):
        change_settings(study.pk, user=SYSTEM, options={"second_language": "the German one"})


@pytest.mark.django_db
def test_the_default_instructions_follow_the_languages_until_somebody_changes_them(client):
    study = new_study(client, "Englisch", "Deutsch")
    assert study.instructions.startswith("You see a sentence and its translation.")
    assert "Gestern hat die Ministerin" in study.examples
    change_settings(study.pk, user=SYSTEM, language="de", options={"first_language": "en"})
    study.refresh_from_db()
    assert study.instructions.startswith("Sie sehen einen Satz und seine Übersetzung.")
    change_settings(study.pk, user=SYSTEM, options={"first_language": "", "second_language": ""})
    study.refresh_from_db()
    assert study.instructions.startswith("Sie sehen zwei Sätze, die fast dasselbe bedeuten.")
    assert "Fall 1" in study.examples
    change_settings(study.pk, user=SYSTEM, instructions="Link the words.")
    change_settings(study.pk, user=SYSTEM, options={"second_language": "French"})
    study.refresh_from_db()
    assert study.instructions == "Link the words."
    assert study.examples.startswith("In diesen Beispielen")
    assert "Ministerin" in study.examples


@pytest.mark.django_db
def test_chunks_know_their_languages(client):
    study = new_study(client, "English", "German", task="chunks")
    payload = {"source": ["a"], "target": ["b"]}
    assert tasktypes.get("chunks").present(payload, [], {}, study.options)["languages"] == ["", "de"]


@pytest.mark.django_db
def test_a_preview_shows_the_columns_of_the_file_and_the_sentences_as_they_came(client):
    study = new_study(client, "Englisch", "Deutsch")
    study.items.all().delete()
    data = FILE.format("Englisch", "Deutsch").encode()
    upload = receive(study, purpose=Upload.Purpose.ITEMS, filename="more.csv", data=data, user=SYSTEM)
    page = client.get(reverse("console:upload-preview", args=[study.public_id, upload.public_id]))
    tables = page.content.decode()
    assert "Englisch → first sentence" in tables
    assert "Deutsch → second sentence" in tables
    assert "We will leave tomorrow." in tables


def test_the_editor_names_each_language_and_asks_for_translations(editor: Callable[..., Page]):  # noqa: F811
    content = {"source": ["We", "go"], "target": ["Wir", "gehen"], "prealignment": None, "languages": ["", "de"]}
    page = editor("We go", "Wir gehen", content=content | {"f1": 0.7, "ignore_identical": True})
    expect(page.get_by_role("heading", level=1)).to_have_text("Link the words that translate each other")
    expect(page.locator(".how")).to_contain_text("sure if each word translates the other here")
    languages = page.locator(".toks, .texts .sent").evaluate_all("all => all.map(each => each.lang)")
    assert sorted(languages) == ["de", "de", "en", "en"]
