"""The guides at /help/, rendered from the Markdown files in `docs/` and in the folders `docs` of task types' packages.

A wheel contains the same files, so the guides need no connection to another server. The guides do not change while a
process runs, so each process renders them once.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from annotate import tasktypes

FOLDER = Path(settings.SHARED_DIR, "docs")
PICTURES = FOLDER / "img"
# The path of a newcomer, in this order. The list of guides starts with it.
FIRST_STEPS = ("try", "best-worst", "results", "real-study", "extend")
# These guides are for researchers, and follow the first steps. All others are for developers and operators.
FOR_RESEARCHERS = (
    "paraphrase",
    "alignment",
    "chunks",
    "layouts",
    "planning",
    "repeating",
    "gold",
    "inviting",
    "prolific",
    "panels",
    "screening",
    "fairness",
    "pay",
    "overview",
    "adaptive",
    "integrity",
    "adjudication",
    "reporting",
    "systems",
    "programs",
    "turkle",
    "mturk",
    "accounts",
    "api",
    "webhooks",
    "film",
    "tutorial",
    "papers",
    "methods",
    "formats",
    "glossary",
    "field",
)
MOVING = ".webp"  # animated pictures; the still picture NAME-still.webp belongs to NAME.webp
_LINK = re.compile(r"(?P<slug>[a-z-]+)\.md(?P<anchor>#.*)?")
_parser = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Section:
    """A heading in a guide, with the text below it. `level` is 1 for the title of the guide."""

    anchor: str
    level: int
    title: str
    text: str


@dataclass(frozen=True)
class Guide:
    """A guide with its title, its first paragraph, its HTML and its sections."""

    slug: str
    title: str
    summary: str
    html: SafeString
    sections: tuple[Section, ...]


def slugs() -> list[str]:
    """Return the names of all guides: the first steps, the guides for researchers, and all others by name."""
    first = [*FIRST_STEPS, *for_researchers()]
    return [*first, *sorted(_files().keys() - set(first))]


@cache
def guide(slug: str) -> Guide | None:
    """Return the guide with this name, or None if it does not exist."""
    file = _files().get(slug)
    if file is None:
        return None
    tokens = _parser.parse(file.read_text(encoding="utf-8"))
    _name_headings(tokens)
    sections = tuple(_sections(tokens))
    for token in tokens:
        for part in token.children or ():
            _point_to_help(part)
    body = tokens[3:]  # the page shows the title, which is the first heading, above the guide
    html = _Renderer(_parser).render(body, _parser.options, {})
    paragraph = next(token for place, token in enumerate(tokens) if _is_paragraph(tokens, place))
    return Guide(slug, sections[0].title, _plain(paragraph), mark_safe(html), sections)  # noqa: S308


def all_guides() -> list[Guide]:
    """Return all guides in the order of the list at /help/."""
    return [each for each in map(guide, slugs()) if each]


def for_researchers() -> tuple[str, ...]:
    """Return the names of the guides for researchers. The guides of other packages are the last ones."""
    return (*FOR_RESEARCHERS, *sorted(slug for slug, file in _files().items() if file.parent != FOLDER))


def _files() -> dict[str, Path]:
    """Return the file of each guide. Packages cannot replace Accord's guides."""
    folders = (*(task.package_folder() / "docs" for task in tasktypes.installed()), FOLDER)
    return {file.stem: file for folder in folders for file in folder.glob("*.md")}


def anchor_of(heading: str) -> str:
    """Return a heading's anchor, in the format that GitHub uses."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _name_headings(tokens: list[Token]) -> None:
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor_of(tokens[place + 1].content))


def _sections(tokens: list[Token]) -> list[Section]:
    sections: list[Section] = []
    heading: Token | None = None
    title = ""
    texts: list[str] = []

    def close() -> None:
        if heading:
            anchor = str(heading.attrGet("id"))
            sections.append(Section(anchor, int(heading.tag[1]), title, " ".join(texts)))

    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            close()
            heading, title, texts = token, _plain(tokens[place + 1]), []
        elif token.type in ("fence", "code_block") or (
            token.type == "inline" and tokens[place - 1].type != "heading_open"
        ):
            texts.append(_plain(token))
    close()
    return sections


def _plain(token: Token) -> str:
    """Return the text of a Markdown token without its markup."""
    if not token.children:
        return token.content
    return "".join(" " if part.type == "softbreak" else part.content for part in token.children)


def _is_paragraph(tokens: list[Token], place: int) -> bool:
    return tokens[place].type == "inline" and tokens[place - 1].type == "paragraph_open"


def _point_to_help(part: Token) -> None:
    """Convert a link between two files in `docs/` into a link between two pages under /help/."""
    if part.type == "image":
        part.attrSet("src", reverse("help:picture", args=[Path(str(part.attrGet("src"))).name]))
        part.attrSet("loading", "lazy")
    elif part.type == "link_open":
        href = str(part.attrGet("href"))
        if href == "../examples/privacy.md":
            part.attrSet("href", reverse("help:privacy-notice"))
        elif link := _LINK.fullmatch(href):
            part.attrSet("href", reverse("help:guide", args=[link["slug"]]) + (link["anchor"] or ""))


class _Renderer(RendererHTML):
    """A Markdown renderer that makes wide tables and code blocks scroll separately and receive keyboard focus, and that
    shows moving pictures only to readers who have not asked for reduced motion.
    """

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        image = mark_safe(super().image(tokens, idx, options, env))  # noqa: S308
        source = str(tokens[idx].attrGet("src"))
        if not source.endswith(MOVING):
            return image
        still = f"{source.removesuffix(MOVING)}-still{MOVING}"
        return format_html(
            '<picture><source srcset="{}" media="(prefers-reduced-motion: reduce)">{}</picture>', still, image
        )

    def table_open(self, tokens: Sequence[Token], idx: int, options: object, env: dict[str, Any]) -> str:
        env["tables"] = env.get("tables", 0) + 1
        return format_html(
            '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table class="tab wraps">',
            env["tables"],
        )

    def table_close(self, *_: object) -> str:
        return "</table></div>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: object, env: object) -> str:
        return format_html('<pre tabindex="0"><code>{}</code></pre>\n', tokens[idx].content)

    def code_block(self, tokens: Sequence[Token], idx: int, options: object, env: object) -> str:
        return self.fence(tokens, idx, options, env)
