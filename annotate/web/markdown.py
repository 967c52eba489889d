"""Functions that convert researchers' Markdown texts to safe HTML."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "ol", "ul", "li"),
    *("strong", "em", "s", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def safe_html(text: str, top: int = 2) -> SafeString:
    """Convert CommonMark text, including tables, to safe HTML. The result contains no scripts, images or HTML written
    by the author.

    The largest heading in the text becomes level `top`, so that it fits below the page's own headings.
    """
    tokens = _parser.parse(text)
    _move_headings(tokens, top)
    return _safe(tokens)


def first_paragraph(text: str) -> SafeString:
    """Convert the first paragraph of a CommonMark text to safe HTML, without headings, lists and tables before it."""
    tokens = _parser.parse(text)
    start = next((at for at, token in enumerate(tokens) if token.type == "paragraph_open" and token.level == 0), None)
    return _safe([] if start is None else tokens[start : start + 3])


def _safe(tokens: list[Token]) -> SafeString:
    html = _parser.renderer.render(tokens, _parser.options, {})
    return mark_safe(nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, link_rel="noopener noreferrer"))  # noqa: S308


def _move_headings(tokens: list[Token], top: int) -> None:
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    largest = min((int(token.tag[1]) for token in headings), default=top)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) - largest + top)}"
