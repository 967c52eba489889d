# ruff: noqa: T201 (a command; what it prints is its result)
"""The check of a built site: links within it lead to a page and a heading, and pages load nothing from another host.

Links to other hosts are listed, not requested.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

IN_STYLES = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)")
LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "srcset", "video": "src"}


@dataclass
class Page(HTMLParser):
    """The anchors of a page, its links, and the addresses of what it loads."""

    anchors: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    loads: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values["id"]} if "id" in values else set()
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        elif (name := LOADED.get(tag)) and values.get(name):
            self.loads.add(values[name])


def read(folder: Path) -> dict[Path, Page]:
    """Return the parsed pages of a site by file."""
    pages = {}
    for file in sorted(folder.resolve().rglob("*.html")):
        pages[file] = Page()
        pages[file].feed(file.read_text(encoding="utf-8"))
    return pages


def faults(pages: dict[Path, Page]) -> list[str]:
    """Return a sentence for each internal link without a target, and for each address that a page loads elsewhere."""
    found = []
    for file, page in pages.items():
        found += [f"{file}: loads {url}" for url in sorted(page.loads) if is_foreign(url)]
        for url in sorted(page.links | page.loads):
            if is_foreign(url) or urlsplit(url).scheme in ("data", "mailto"):
                continue
            path, anchor = urldefrag(url)
            target = (file.parent / unquote(urlsplit(path).path)).resolve() if path else file
            if not target.is_file():
                found.append(f"{file}: {url} leads to no file")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                found.append(f"{file}: {url} leads to no heading")
    return found


def foreign_in_styles(folder: Path) -> list[str]:
    """Return a sentence for each address on another host in a style sheet."""
    return [
        f"{file}: loads {url}"
        for file in sorted(folder.rglob("*.css"))
        for url in IN_STYLES.findall(file.read_text(encoding="utf-8"))
    ]


def is_foreign(url: str) -> bool:
    return bool(urlsplit(url).netloc)


def main(folder: Path) -> int:
    """Print the links to other hosts and the faults, and return 1 if there are any faults."""
    pages = read(folder)
    print("Links to other hosts, which are not checked:")
    print(*sorted({url for page in pages.values() for url in page.links if is_foreign(url)}), sep="\n")
    found = [*faults(pages), *foreign_in_styles(folder)]
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
