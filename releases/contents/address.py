"""The address of a published release, which is added to a release after its creation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from releases.contents.archive import SUMS
from releases.contents.folder import ABOUT, METADATA, REPORT, completed, opened, pages, released_tables


def with_address(files: Mapping[str, bytes], url: str) -> dict[str, bytes]:
    """Return a release whose description, citation, metadata, texts and checksums contain the URL. Data, annotations
    and report stay the same. The URL is appended to the authors' own citation.
    """
    task, data, about, split = opened(files)
    citation = about.citation
    if citation:
        citation = citation.replace(about.url, url) if about.url else citation
        citation = citation if url in citation else f"{citation.rstrip()} {url}"
    about = replace(about, url=url, citation=citation)
    tables = released_tables(task, files)
    result = json.loads(files[REPORT])["result"]
    written = pages(task, data, result, about, split, tables, files)
    texts = {path: text for path, (text, _) in written.items() if path in files}
    others = {path: data for path, data in files.items() if path not in (ABOUT, METADATA, SUMS)}
    described = json.loads(files[METADATA])["distribution"]
    notes = {entry["@id"]: entry["description"] for entry in described}
    return completed(task, data, about, {**others, **texts}, notes, tables)
