"""Tests of the check that every text on annotators' pages is marked and translated."""

import gettext
import io
import re
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from annotate.management.commands import translations as command
from annotate.server.languages import available
from annotate.translations import catalogue, marked, unmarked
from annotate.web.page_strings import page_strings
from tests.factories import UserFactory, make_study
from tests.markup import markup

TRANSLATED = [code for code, _name in settings.LANGUAGES if code != "en"]


def stored_in(language: str) -> Catalog:
    path = Path(settings.BASE_DIR) / "locale" / language / "LC_MESSAGES" / "django.po"
    return read_po(io.BytesIO(path.read_bytes()))


def texts(found: object) -> list[str]:
    return [text for _line, text in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Not marked.</p>", ["Not marked."]),
        ('<p title="Not marked">{{ value }}</p>', ["Not marked"]),
        ("<p>{% if value %}Only here{% endif %}</p>", ["…Only here…"]),
        ('{% load i18n %}<p>{% translate "Marked." %}</p>', []),
        ("{% load i18n %}<p>{% blocktranslate %}Marked {{ value }}.{% endblocktranslate %} So not.</p>", ["… So not."]),
        ("<kbd>Enter</kbd> <code>some code</code> Accord <script>let someText;</script>", []),
        ("{# a comment #}<p>{{ value }} · {{ other }}</p>", []),
    ],
)
def test_unmarked_texts_in_templates(source, found):
    assert texts(unmarked.in_template(source)) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('tell("Something went wrong.");', ["Something went wrong."]),
        ("tell(`The server answered ${status}.`);", ["The server answered X."]),
        ("const quoted = `“${words}”`;", ["“X”"]),
        ('h("p", { class: "notice warn an-bar" }, strings.next); // A comment is not shown.', []),
        ('if (event.key === "Enter" || event.key === "ArrowUp") return;', []),
    ],
)
def test_unmarked_texts_in_scripts(source, found):
    assert texts(unmarked.in_script(source)) == found


def test_an_unmarked_text_is_reported_with_its_place(tmp_path: Path):
    page, script = tmp_path / "templates" / "annotator" / "new.html", tmp_path / "static" / "js" / "annotate" / "new.js"
    for path, text in ((page, "<p>\n  Left out.\n</p>"), (script, '\ntell("Left out here.");')):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    assert command.unmarked_texts(tmp_path, []) == [
        "templates/annotator/new.html:1: “Left out.” is not marked for translation.",
        "static/js/annotate/new.js:2: “Left out here.” is not marked for translation.",
    ]


def test_a_text_without_a_translation_fails_the_check(monkeypatch: pytest.MonkeyPatch):
    """`script/lint` runs the same check on all texts of the project."""
    another = Catalog()
    another.add("Not translated at all")
    monkeypatch.setattr(command, "unmarked_texts", lambda *_: [])
    monkeypatch.setattr(marked, "in_folders", lambda *_: another)
    with pytest.raises(CommandError, match=r"django\.po is not up to date"):
        call_command("translations", check=True)


def test_a_changed_text_keeps_its_translation_as_a_guess():
    stored, template = Catalog("de"), Catalog()
    stored.add("Save the answer", "Speichern")
    for text in ("Save the answers", "Something else entirely", ("{n} link", "{n} links")):
        template.add(text)
    after = catalogue.updated(catalogue.written(stored), template, "de")
    assert (after["Save the answers"].string, after["Save the answers"].fuzzy) == ("Speichern", True)
    assert sorted(catalogue.missing(after)) == ["Save the answers", "Something else entirely", "{n} link"]
    assert b"Speichern" not in catalogue.compiled(after)
    assert catalogue.written(catalogue.updated(catalogue.written(after), template, "de")) == catalogue.written(after)


def test_marked_texts_of_templates_and_modules():
    template = (
        '{% load i18n counted %}{% translate "One" %}{% translate "Two" context "number" %}'
        '{% counted "links" %}{% blocktranslate count n=n %}{n} link{% plural %}{n} links{% endblocktranslate %}'
        "{% endcounted %}"
    )
    assert set(marked.in_template(template)) == {("One", None), ("Two", "number"), (("{n} link", "{n} links"), None)}
    module = (
        b"from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy\n"
        b"_('a' 'b')\ngettext_lazy('c')\nngettext('x', 'xs', n)\npgettext_lazy('place', 'y')\n"
    )
    assert set(marked.in_python(module)) == {("ab", None), ("c", None), (("x", "xs"), None), ("y", "place")}
    for expression in (b"_(f'{a} b')", b"_(text)", b"ngettext('x', many, n)", b"pgettext('place', text)"):
        with pytest.raises(ValueError, match="must be a plain string"):
            list(marked.in_python(expression))


def test_the_compiled_file_is_read_by_gettext():
    compiled = catalogue.compiled(stored_in("de"))
    read = gettext.GNUTranslations(io.BytesIO(compiled))
    assert read.gettext("Take part") == "Teilnehmen"
    assert read.pgettext("link", "possible") == "möglich"
    assert [read.ngettext("{n} link", "{n} links", n) for n in (1, 2)] == ["{n} Verbindung", "{n} Verbindungen"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_is_complete_and_has_every_placeholder(language: str):
    stored = stored_in(language)
    assert catalogue.missing(stored) == []
    assert {message.id for message in stored} == {message.id for message in stored_in("de")}
    path = Path(settings.BASE_DIR) / "locale" / language / "LC_MESSAGES" / "django.mo"
    assert path.read_bytes() == catalogue.compiled(stored)
    names = re.compile(r"\{\w+\}|%\(\w+\)[sd]|%%|</?\w+>")
    for message in stored:
        source, translated = (catalogue.forms(text)[-1] for text in (message.id, message.string))
        assert not source or set(names.findall(translated)) == set(names.findall(source)), source


@pytest.mark.parametrize(
    ("language", "samples"),
    [
        ("de", {1: "{n} Verbindung", 2: "{n} Verbindungen"}),
        ("es", {1: "{n} vínculo", 2: "{n} vínculos"}),
        ("ar", {1: "وصلة واحدة", 2: "وصلتان", 3: "{n} وصلات", 11: "{n} وصلة", 100: "{n} وصلة"}),
    ],
)
def test_texts_with_plural_forms_reach_the_script(language: str, samples: dict[int, str]):
    with translation.override(language):
        links = page_strings(None, "words/strings.html")["links"]
    assert isinstance(links, dict)
    assert {number: links[str(number)] for number in samples} == samples


@pytest.mark.parametrize(
    ("tag", "variant"),
    [("de", "de"), ("de-AT", "de"), ("es-MX", "es"), ("ar-EG", "ar"), ("en-GB", "en"), ("cy", None), ("", None)],
)
def test_regional_languages_use_the_general_translation(tag, variant):
    assert available(tag) == variant


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("study_language", "browser", "shown"),
    [
        ("de", "en", "de"),
        ("de-CH", "fr", "de"),
        ("ar", "de", "ar"),
        ("en", "de", "en"),
        ("cy", "de", "de"),
        ("cy", "cy", "en"),
    ],
)
def test_the_page_is_in_the_language_of_the_study_or_else_of_the_browser(study_language, browser, shown):
    study = make_study(language=study_language)
    page = Client().get(f"/join/{study.join_token}", headers={"Accept-Language": browser})
    assert page["Content-Language"] == shown
    assert f'<html lang="{shown}"' in markup(page)
    assert ('dir="rtl"' in markup(page)) == (shown == "ar")
    assert ("Teilnehmen" in markup(page)) == (shown == "de")


@pytest.mark.django_db
def test_the_console_and_sign_in_are_in_english_for_everyone():
    client = Client(headers={"Accept-Language": "de"})
    assert '<html lang="en"' in markup(client.get("/accounts/login/"))
    client.force_login(UserFactory())
    assert '<html lang="en"' in markup(client.get("/console/"))
    assert '<html lang="de"' in markup(client.get("/resume"))


@pytest.mark.django_db
def test_the_api_answers_a_page_in_the_language_of_the_page():
    refused = Client().post("/api/v1/claims", headers={"Authorization": "Participation x", "Accept-Language": "de"})
    assert refused["Content-Language"] == "de"
    research = Client().get("/api/v1/studies/", headers={"Accept-Language": "de"})
    assert research["Content-Language"] == "en"
