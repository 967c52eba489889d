"""Tests that a sentence prints the same numbers and the same text in every format."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reporting.sentences import Figure, Sentence, html, latex, macros, markdown, value_at
from tests.latex import definitions, typeset

HOSTILE = [
    r"\input{/etc/passwd} $x$ 100 % & #1_2^3 ~ {a} --- [b] <c> | *d*",
    "<script>alert('1')</script> &lt; \"quoted\"",
    "1. A list\n\n# a heading\n```code``` [link](http://x.example) ![image](a)",
    "- item $5 ~~gone~~ __bold__ \\",
    "κ ≥ .81 – “Größe” −.25 × 2",
    "{name} {0} {} {{",
]
VALUES = {"result": {"headline": {"ends": [{"value": 0.8312}]}}, "facts": {"judgements": 4}}


class Text(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.tags = "", list[tuple[str, dict[str, str | None]]]()
        self.feed(source)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def words(text: str) -> str:
    return " ".join(text.split())


def sentence(title: str, count: str = "96") -> Sentence:
    figures = {"study_title": Figure(title, "facts.title"), "items": Figure(count, "counts.items")}
    return Sentence("“{study_title}” has {items} items {@a2020}.", figures, {"a2020": "Ä. & B_C, 2020"})


@given(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs", "Cc"])).filter(str.strip)))
def test_each_format_shows_a_title_literally(title: str) -> None:
    plain = words(f"“{title.strip()}” has 96 items (Ä. & B_C, 2020).")
    written = [sentence(title)]
    assert words(Text(MarkdownIt("commonmark").render(markdown(written))).text) == plain
    page = Text(html(written))
    assert words(page.text) == words(written[0].plain())
    assert [tag for tag, _ in page.tags] == ["data", "data", "a"]
    numbers = definitions(macros(written))
    assert set(numbers) == {"\\accordStudyTitle", "\\accordItems"}
    seen = typeset(latex(written), numbers)
    assert words(seen) == words(f"“{typeset_twice(title)}” has 96 items .")


def typeset_twice(title: str) -> str:
    """LaTeX shows two apostrophes like a quotation mark."""
    return words(title.strip()).replace("''", '"')


@pytest.mark.parametrize(
    "start", ["1. one", "12) two", "# heading", "- item", "+ item", "=", "---", "> quote", "    code"]
)
def test_a_paragraph_begins_with_text(start: str) -> None:
    shown = MarkdownIt("commonmark").render(markdown([Sentence("{start}", {"start": Figure(start, "facts.title")})]))
    assert shown.startswith("<p>")
    assert Text(shown).text.strip() == start.strip()


def test_a_new_report_changes_the_numbers_and_not_the_text() -> None:
    before, after = [sentence("T", "96")], [sentence("T", "8,710")]
    assert latex(before) == latex(after) == "“\\accordStudyTitle{}” has \\accordItems{} items \\citep{a2020}."
    assert definitions(macros(after))["\\accordItems"] == "8,710"


def test_a_figure_prints_the_value_at_its_path() -> None:
    figure = Figure.at(VALUES, "result.headline.ends[0].value", lambda value: f"{value:.2f}")
    assert figure == Figure("0.83", "result.headline.ends[0].value")
    assert value_at(VALUES, "facts.judgements") == 4
    for missing in ("facts.reward", "result.headline.ends[1].value", "facts.judgements.value"):
        with pytest.raises(LookupError, match=re.escape(missing)):
            value_at(VALUES, missing)


def test_faulty_sentences_are_refused() -> None:
    one, other = (Figure(text, "facts.judgements") for text in "45")
    with pytest.raises(ValueError, match="does not use exactly these names: items"):
        Sentence("Four items.", {"items": one})
    with pytest.raises(ValueError, match="names: key"):
        Sentence("Four {@key}.")
    with pytest.raises(ValueError, match="cannot name a figure"):
        Sentence("{items2}", {"items2": one})
    with pytest.raises(ValueError, match="stands for"):
        macros([Sentence("{items}", {"items": one}), Sentence("{items}", {"items": other})])
