"""The configuration of Sphinx. The Markdown grammar is that of /help/: CommonMark with tables and without HTML."""

import re
from itertools import count
from typing import Any

project = "Accord"
extensions = ["myst_parser"]
root_doc = "index"
html_extra_path = ["published"]
html_theme = "furo"
html_title = "Accord"
html_favicon = "favicon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["search.js"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#22448f", "color-brand-content": "#22448f"},
    "dark_css_variables": {"color-brand-primary": "#9db6f2", "color-brand-content": "#9db6f2"},
}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
smartquotes = False  # texts are shown as they are written
highlight_language = "none"
# MyST's own syntax, which /help/ does not know.
myst_disable_syntax = [
    "front_matter",
    "footnote_def",
    "footnote_ref",
    "html_block",
    "html_inline",
    "myst_block_break",
    "myst_line_comment",
    "myst_role",
    "myst_target",
]
myst_heading_anchors = 6
# `site:NAME` is the file NAME at the root of the site, from a page in a folder.
myst_url_schemes = {"http": None, "https": None, "mailto": None, "site": "../{{path}}"}
MOVING = re.compile(r'<img [^>]*src="([^"]*)\.webp"[^>]*>')  # see annotate/help/guides.py


def name_headings(_app: Any, doctree: Any) -> None:
    """Give each heading the anchor that it has on /help/ and on code hosts, beside the one by docutils."""
    for section in doctree.findall(lambda node: node.tagname == "section" and "slug" in node):
        if section["slug"] not in section["ids"]:
            section["ids"].insert(0, section["slug"])


def make_accessible(_app: Any, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Let the keyboard scroll tables and code, as on /help/, and give the captions of the navigation a level."""
    tables = count(1)
    body = re.sub(
        '<div class="table-wrapper',
        lambda found: f'<div tabindex="0" role="region" aria-label="Table {next(tables)}" {found[0][5:]}',
        context.get("body", ""),
    )
    body = MOVING.sub(
        r'<picture><source srcset="\1-still.webp" media="(prefers-reduced-motion: reduce)">\g<0></picture>', body
    )
    context["body"] = body.replace("<pre>", '<pre tabindex="0">')
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> None:
    app.connect("doctree-read", name_headings)
    app.connect("html-page-context", make_accessible, priority=900)  # after the theme
