"""Tests of the help pages: every guide is there, links between guides work, and each console page has a guide."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.urls.resolvers import ResolverMatch

from annotate import tasktypes
from annotate.console.urls import urlpatterns
from annotate.help.guides import FIRST_STEPS, FOR_RESEARCHERS, all_guides, slugs
from annotate.help.search import search
from annotate.help.topics import TOPICS, topic_url
from annotate.models import Study
from tests.factories import make_study
from tests.markup import markup

ROOT = settings.BASE_DIR
README = (ROOT / "README.md").read_text(encoding="utf-8")
ANCHOR = re.compile(r'href="(/help/[^"]*)"')


def targets() -> set[str]:
    """Return the URLs of all guides and of all their headings."""
    found = {reverse("help:guides"), reverse("help:privacy-notice")}
    for each in all_guides():
        url = reverse("help:guide", args=[each.slug])
        found |= {url, *(f"{url}#{section.anchor}" for section in each.sections)}
    return found


@pytest.mark.nightly
def test_every_document_is_a_guide_with_a_title_and_a_summary() -> None:
    assert set(slugs()) == {file.stem for file in (ROOT / "docs").glob("*.md")}
    for each in all_guides():
        assert each.title, each.slug
        assert len(each.summary) > 40, each.slug


def test_the_readme_lists_the_same_guides_in_the_same_groups() -> None:
    _, first, researchers, developers = re.split(r"^### .*$", README, flags=re.MULTILINE)
    assert linked(first) == [*FIRST_STEPS]
    assert linked(researchers) == [*FOR_RESEARCHERS]
    assert set(linked(developers)) == set(slugs()) - {*FIRST_STEPS, *FOR_RESEARCHERS}


def linked(text: str) -> list[str]:
    return re.findall(r"\]\(docs/([a-z-]+)\.md\)", text)


def test_the_list_of_guides_starts_with_the_first_steps(client: Client) -> None:
    page = markup(client.get("/help/"))
    shown = re.findall(r'href="/help/([a-z-]+)/"', page[page.index("Start here") :])
    assert shown[: len(FIRST_STEPS)] == [*FIRST_STEPS]


def test_each_console_page_has_a_guide_and_each_guide_exists() -> None:
    known = targets()
    study = Study(task_type="bws")
    pages = {pattern.name for pattern in urlpatterns if getattr(pattern, "name", None)}
    for name, topic in TOPICS.items():
        url = topic_url(ResolverMatch(lambda: None, (), {}, url_name=name), study)
        assert url in known, f"{name}: {topic}"
        assert url != reverse("help:guides"), name
    assert set(TOPICS) - pages == {"system", "compare-systems"}
    for task in tasktypes.installed():
        assert task.guide in slugs()
        for panel in task.panels:
            match = ResolverMatch(lambda: None, (), {"panel": panel.slug}, url_name="panel")
            assert topic_url(match, Study(task_type=task.slug)) in known, panel.slug


def test_search_finds_sections_by_all_words_and_shows_the_words() -> None:
    hits = search("budget CAP")
    assert (hits[0].guide.slug, hits[0].section.anchor) == ("pay", "budget-cap")
    assert {text.lower() for text, matches in hits[0].excerpt if matches} >= {"budget", "cap"}
    assert search("budget zebra") == []
    assert any(hit.guide.slug == "methods" for hit in search("reliab split"))
    assert "ACCORD_DATA" in search("accord_data")[0].section.text


def test_guides_for_researchers_come_before_others() -> None:
    found = [hit.guide.slug for hit in search("gold block")]
    assert found.index("tutorial") < found.index("figures"), "the section of the figures contains the words more often"


def test_a_word_in_the_title_of_a_guide_does_not_find_all_its_sections() -> None:
    assert {hit.section.title for hit in search("glossary") if hit.guide.slug == "glossary"} == {"Glossary"}


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("", None),
        (" ?! ", None),
        ("_", None),
        ("日本", None),
        ("AND", "and"),
        ('" OR title:*', "or"),
        ("NEAR(", "near"),
    ],
)
def test_search_reads_operators_as_words(query: str, word: str | None) -> None:
    hits = search(query)
    assert bool(hits) == bool(word)
    assert all(word in f"{hit.guide.title} {hit.section.title} {hit.section.text}".casefold() for hit in hits)


def test_everyone_can_read_and_search_the_guides(client: Client) -> None:
    page = markup(client.get("/help/", {"q": "<b>budget</b> cap"}))
    assert "Search results for “&lt;b&gt;budget&lt;/b&gt; cap”" in page
    assert 'lang="en"' in markup(client.get("/help/pay/", headers={"Accept-Language": "de"}))
    assert "Who is responsible" in markup(client.get("/help/privacy-notice/"))
    assert client.get("/help/img/best-worst-items.png")["Content-Type"] == "image/png"
    for missing in ("/help/none/", "/help/img/none.png", "/help/img/..%2Fpay.md", "/help/..%2Fpay/"):
        assert client.get(missing).status_code == 404, missing


def test_readers_who_prefer_reduced_motion_see_a_still_picture(client: Client) -> None:
    page = markup(client.get("/help/planning/"))
    assert '<source srcset="/help/img/moving-plan-still.webp" media="(prefers-reduced-motion: reduce)">' in page
    assert 'src="/help/img/moving-plan.webp"' in page
    for name in ("moving-plan", "moving-plan-still"):
        assert client.get(f"/help/img/{name}.webp")["Content-Type"] == "image/webp"


@pytest.mark.django_db
def test_console_pages_link_their_guide(client: Client) -> None:
    study = make_study()
    client.force_login(study.memberships.get().user)
    for page, target in (
        (f"/console/{study.public_id}/pay/", "/help/pay/"),
        (f"/console/{study.public_id}/items/", "/help/best-worst/"),
        (f"/console/{study.public_id}/x/release/", "/help/cli/#accord-release"),
        ("/console/", "/help/overview/#the-list-of-studies"),
    ):
        assert f'href="{target}">Help</a>' in markup(client.get(page)), page
