"""Tests of the documentation site: its links, its navigation, and the same texts as at /help/."""

import importlib
import json
import re
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import accord_core
from annotate.help.guides import all_guides, slugs
from annotate.results.selectors.schemas import schema_names, schema_of
from tests.chromium import check_in_both_themes, on_each_screen
from tests.docs_site.links import Page, faults, foreign_in_styles, read
from tests.docs_site.python_pages import modules
from tests.docs_site.python_pages import pages as pages_of_python

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

ROOT = Path(__file__).resolve().parents[2]
VOID = ("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr")


class Text(HTMLParser):
    """The text of the first element with a tag and, if given, a class, and its counts of tables, rows and code."""

    def __init__(self, html: str, tag: str = "", css: str = "") -> None:
        super().__init__()
        self.tag, self.css, self.depth, self.parts, self.hidden = tag, css, 0 if tag else 1, [""], 0
        self.counts = dict.fromkeys(("table", "tr", "td", "pre", "li", "img", "strong", "em", "h2", "h3"), 0)
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            self.counts |= {"img": self.counts["img"] + 1} if self.depth and tag == "img" else {}
            return
        css = (dict(attrs).get("class") or "").split()
        if self.depth:
            self.depth += 1
            self.hidden += bool(self.hidden) or "headerlink" in css
            if tag in self.counts:
                self.counts[tag] += 1
        elif tag == self.tag and (not self.css or self.css in css):
            self.depth = 1

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or not self.depth:
            return
        self.depth -= 1
        self.hidden -= bool(self.hidden)
        if not self.depth:
            self.tag = "nothing more"

    def handle_data(self, data: str) -> None:
        if self.depth and not self.hidden:
            self.parts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", "", "".join(self.parts))


def test_a_link_without_a_target_and_a_foreign_script_are_faults(tmp_path: Path) -> None:
    (tmp_path / "two.html").write_text('<h1 id="there">Two</h1>')
    (tmp_path / "one.html").write_text(
        '<a href="two.html#there">a</a> <a href="two.html#gone">b</a> <a href="three.html">c</a> <a href="#here">d</a>'
        '<a href="https://example.org/">e</a> <script src="https://cdn.example.org/x.js"></script> <p id="here">'
    )
    (tmp_path / "site.css").write_text('@import "//fonts.example.org/a.css"; p { background: url(a.png) }')
    found = [fault.partition("one.html: ")[2] for fault in faults(read(tmp_path))]
    assert found == [
        "loads https://cdn.example.org/x.js",
        "three.html leads to no file",
        "two.html#gone leads to no heading",
    ]
    assert [fault.partition("site.css: ")[2] for fault in foreign_in_styles(tmp_path)] == [
        "loads //fonts.example.org/a.css"
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site once. The build itself fails on warnings and on links that lead nowhere."""
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run([ROOT / "script" / "docs", folder], capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return read(site)


@pytest.mark.nightly
def test_the_navigation_contains_every_guide_once(site: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    sidebar = front[front.index('class="sidebar-tree"') : front.index('class="main"')]
    assert sorted(re.findall(r'href="docs/([a-z-]+)\.html"', sidebar)) == sorted(slugs())


@pytest.mark.nightly
def test_guides_have_the_texts_tables_and_anchors_of_the_help_pages(site: Path, pages: dict[Path, Page]) -> None:
    for guide in all_guides():
        file = (site / "docs" / f"{guide.slug}.html").resolve()
        built = Text(file.read_text(encoding="utf-8"), "article")
        helped = Text(f"<h1>{guide.title}</h1>{guide.html}")
        assert built.text == helped.text, guide.slug
        assert built.counts == helped.counts, guide.slug
        assert {section.anchor for section in guide.sections} <= pages[file].anchors, guide.slug


@pytest.mark.nightly
def test_the_reference_contains_every_operation(site: Path) -> None:
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(request=None, public=True)
    operations = {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}
    shown = [
        heading
        for file in (site / "api").glob("*.html")
        for heading in re.findall(r"<h2>.*?<span class=\"pre\">(.*?)<a", file.read_text(encoding="utf-8"))
    ]
    assert {re.sub(r"<[^>]+>", "", heading) for heading in shown} == operations
    assert len(shown) == len(operations) > 200


@pytest.mark.nightly
def test_the_reference_contains_every_public_name_of_the_core_and_of_the_client(
    site: Path, pages: dict[Path, Page]
) -> None:
    core = {f"accord_core.{path.stem}" for path in Path(accord_core.__file__).parent.glob("*.py")}
    assert {*modules(), "accord_core.__init__"} == core | {"accord_client"}
    for module in modules():
        anchors = pages[(site / "api" / f"{re.sub('[._]', '-', module)}.html").resolve()].anchors
        names = importlib.import_module(module).__all__
        assert {name.lower() for name in names} <= anchors, module


def test_the_reference_shows_parameters_properties_and_asynchronous_methods() -> None:
    client = pages_of_python()["accord-client"]
    assert "\nasync create_study(" in client
    assert "\nAccord(\n    address: str,\n    token: str,\n" in client
    assert "\njudgements_per_tuple: float\n" in pages_of_python()["accord-core-reliability"]
    assert "(self" not in client


@pytest.mark.nightly
def test_every_schema_is_published(site: Path) -> None:
    published = {
        str(file.relative_to(site / "schemas")).removesuffix(".json"): json.loads(file.read_text(encoding="utf-8"))
        for file in (site / "schemas").rglob("*.json")
    }
    assert published == {name: schema_of(name) for name in schema_names()}
    assert len(published) > 20


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_the_pages_suit_screens_themes_and_screen_readers_and_search_without_a_server(
    site: Path, open_page: Callable[..., "BrowserPage"], expected_errors: list[str]
) -> None:
    expected_errors += ["Access to XMLHttpRequest at 'file:", "net::ERR_FAILED"]  # axe reads style sheets again
    page = open_page()
    for name in ("index", "docs/methods", "api/prolific"):
        page.goto(f"file://{site}/{name}.html")
        for _ in on_each_screen(page):
            check_in_both_themes(page)
    page.locator("input[name=q]").first.fill("budget cap")
    page.keyboard.press("Enter")
    page.locator("#search-results a[href*='pay.html']").first.wait_for()
