"""The Croissant 1.0 metadata of a release: the files with checksums, and the records in the tables."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from datetime import date
from typing import Any

MEDIA = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "jsonl": "application/jsonlines",
    "json": "application/json",
    "md": "text/markdown",
    "txt": "text/plain",
}
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(
    files: Mapping[str, bytes],
    notes: Mapping[str, str],
    *,
    title: str,
    description: str,
    version: str,
    licence: str,
    creators: str,
    citation: str,
    url: str,
    published: date,
) -> dict[str, Any]:
    """The metadata as JSON-LD. `notes` maps the path of each file to its description. Each CSV file becomes a record
    set.
    """
    tables = {path: _columns(data) for path, data in files.items() if path.endswith(".csv")}
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": title,
        "description": description,
        "version": version,
        "license": licence,
        "url": url,
        "datePublished": published.isoformat(),
        "creator": [{"@type": "sc:Person", "name": name.strip()} for name in creators.split(";") if name.strip()],
        "citeAs": citation or f"{creators or 'Anonymous'} ({published.year}). {title}, version {version}.",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": path,
                "description": notes.get(path, path),
                "contentUrl": path,
                "contentSize": f"{len(data)} B",
                "encodingFormat": MEDIA.get(path.rsplit(".", 1)[-1], "application/octet-stream"),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            for path, data in files.items()
        ],
        "recordSet": [_records(path, columns, notes) for path, columns in tables.items() if columns],
    }


def _columns(data: bytes) -> list[str]:
    """Return the header of a table. Columns without a name or with a repeated name are excluded, because they cannot be
    distinguished.
    """
    header = next(csv.reader(io.StringIO(data.decode("utf-8-sig"))), [])
    return [name for name in dict.fromkeys(header) if name]


def _records(path: str, columns: list[str], notes: Mapping[str, str]) -> dict[str, Any]:
    name = path.rsplit("/", 1)[-1].removesuffix(".csv")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": notes.get(path, path),
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": "sc:Text",
                "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
            }
            for column in columns
        ],
    }
