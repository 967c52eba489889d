"""Files that a layout loads from other servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from accord_core.exchange.faults import Fault
from accord_core.layouts.formats.markup import Region

_ADDRESS = re.compile(r"\s*(https?:)?//([^/?#\s$]+)(?![$])", re.IGNORECASE)
_SCRIPT_FILE = re.compile(r"""\ssrc\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)


def blocked_files(html: str, regions: Sequence[Region], hosts: Sequence[str], *, scripts: bool) -> Iterator[Fault]:
    """Return a warning for each file that the browser will not load, because its host is not one of `hosts`.

    Addresses in styles, in lists of images and in cells are not checked.
    """
    for region, url in _files(html, regions, scripts=scripts):
        if address := _ADDRESS.match(url):
            origin = f"{address[1] or 'https:'}//{address[2]}".lower()
            if origin.startswith("http:"):
                yield Fault(region.line, None, f"the file from {origin} needs an https address")
            elif not any(_includes(host, origin) for host in hosts):
                yield Fault(region.line, None, f"the file from {origin} does not load unless you list this host")


def _files(html: str, regions: Sequence[Region], *, scripts: bool) -> Iterator[tuple[Region, str]]:
    """Return the URL of each script, stylesheet, image, recording and video, with its region."""
    element = None
    for region in regions:
        if region.kind == "tag":
            element = region
        elif region.kind == "script":
            if scripts and not region.is_crowd and (file := _SCRIPT_FILE.search(html, region.start, region.span[0])):
                yield region, file[1]
        elif element and (
            region.name in ("src", "poster") or (region.name == "href" and _is_stylesheet(html, element))
        ):
            yield region, html[slice(*region.span)]


def _is_stylesheet(html: str, element: Region) -> bool:
    return element.name == "link" and "stylesheet" in html[element.start : element.end].lower()


def _includes(host: str, origin: str) -> bool:
    """Return whether a host of the study's options, such as https://*.example.org, includes an origin."""
    return origin == host or ("//*." in host and origin.endswith(host.partition("*")[2]))
