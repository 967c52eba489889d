"""The Croissant 1.0 metadata of a release, which describes the files with checksums, and the records in tables and JSON
files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any

from annotate.tasktypes.row_fields import Rows
from releases.contents.json_records import JsonField, JsonRecords, json_records_in
from releases.contents.json_records import Kind as JsonKind
from releases.contents.tables import Kind, Table

CROISSANT = "http://mlcommons.org/croissant/1.0"
RESPONSIBLE_AI = "http://mlcommons.org/croissant/RAI/1.0"
MEDIA = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "jsonl": "application/jsonlines",
    "json": "application/json",
    "md": "text/markdown",
    "txt": "text/plain",
}
DATA_TYPES: dict[Kind | JsonKind, str] = {
    "text": "sc:Text",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "time": "sc:DateTime",
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
    tables: Sequence[Table],
    *,
    title: str,
    description: str,
    version: str,
    licence: str,
    creators: str,
    citation: str,
    url: str,
    published: date,
    properties: Mapping[str, Any] = MappingProxyType({}),
    rows: Mapping[str, Rows] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the metadata as JSON-LD. `notes` maps each file's path to its description, `properties` are the
    responsible-AI properties, and `rows` describes the fields of files by path.

    Each table becomes a record set with one typed field for each column. Each JSON or JSON Lines file becomes a record
    set with one typed field for each value that all records have.
    """
    json_records = json_records_in(files, [table.name for table in tables])
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [CROISSANT, RESPONSIBLE_AI] if properties else CROISSANT,
        "name": title,
        "description": description,
        "version": version,
        "license": licence,
        **({"url": url} if url else {}),
        "datePublished": published.isoformat(),
        "creator": [{"@type": "sc:Person", "name": name.strip()} for name in creators.split(";") if name.strip()],
        "citeAs": citation,
        **properties,
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
        "recordSet": [
            *(_records(table, notes, rows.get(table.path, Rows())) for table in tables),
            *(_json_records(records, notes, rows.get(records.path, Rows())) for records in json_records),
        ],
    }


def _records(table: Table, notes: Mapping[str, str], rows: Rows) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": notes.get(table.path, table.path),
        "field": [
            {
                "@type": "cr:Field",
                "@id": _identifier(table.name, column.name),
                "name": column.name,
                **_described(rows, column.name),
                "dataType": DATA_TYPES[column.kind],
                "source": {"fileObject": {"@id": table.path}, "extract": {"column": column.name}},
            }
            for column in table.columns
        ],
    }


def _json_records(records: JsonRecords, notes: Mapping[str, str], rows: Rows) -> dict[str, Any]:
    described = notes.get(records.path, records.path)
    if not records.complete:
        described += (
            ". The fields do not include all values, because the file also contains nested or irregular values."
        )
    return {
        "@type": "cr:RecordSet",
        "@id": records.name,
        "name": records.name,
        "description": described,
        "field": [
            {
                "@type": "cr:Field",
                "@id": _identifier(records.name, field.name),
                "name": field.name,
                **_described(rows, field.name),
                "dataType": DATA_TYPES[field.kind],
                "source": {"fileObject": {"@id": records.path}, **_place(records, field)},
                **({"repeated": True} if field.repeated else {}),
            }
            for field in records.fields
        ],
    }


def _described(rows: Rows, name: str) -> dict[str, str]:
    meaning = rows.meaning(name)
    return {"description": meaning} if meaning else {}


def _identifier(records: str, name: str) -> str:
    """Return a field's identifier, in which readers of Croissant metadata do not accept whitespace."""
    return f"{records}/{'_'.join(name.split())}"


def _place(records: JsonRecords, field: JsonField) -> dict[str, Any]:
    """Return where a reader can find a value. In JSON Lines files, a record's keys are columns."""
    if records.layout != "lines":
        return {"extract": {"jsonPath": f"${'[*]' if records.layout == 'list' else ''}.{field.name}"}}
    column, *inside = field.path
    transform = {"transform": {"jsonPath": ".".join(inside)}} if inside else {}
    return {"extract": {"column": column}, **transform}
