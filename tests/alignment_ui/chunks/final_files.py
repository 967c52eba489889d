"""The downloads with final annotations in tests of chunk-alignment studies."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from accord_core.chunks.formats.ists import parse_wa
from accord_core.chunks.formats.registry import read_chunk_alignments
from alignment_ui.chunks.gold import links_of
from annotate import tasktypes
from annotate.models import Study
from annotate.questions.selectors.data import study_data


def export(study: Study, name: str) -> str:
    found = next(one for one in tasktypes.get("chunks").exports if one.filename == name)
    return b"".join(found.write(study_data(study), None)).decode()


def assert_final_files_match(study: Study) -> None:
    """Compare the tables and the files for other tools with `alignment.wa`, from which they are read independently."""
    final = parse_wa(export(study, "alignment.wa")).pairs
    table = export(study, "pairs.csv")
    pairs = {row["id"]: row for row in csv.DictReader(io.StringIO(table))}
    task, limits = tasktypes.get("chunks"), {"rows": 1_000, "bytes": 1_000_000, "cell": 10_000}
    imported = task.read_items(table.encode(), "pairs.csv", task.clean_options({}), limits)
    assert (imported.faults, [item.key for item in imported.items]) == ([], list(pairs))
    links = list(csv.DictReader(io.StringIO(export(study, "links.csv"))))
    for pair in final:
        row, rows = pairs[pair.id], [each for each in links if each["pair"] == pair.id]
        assert (row["source"].split(), row["target"].split()) == (list(pair.source), list(pair.target))
        read, broken = links_of(row["links"])
        expected = [replace(link, comment=None) for link in pair.links]
        assert (broken, [replace(link, comment=None) for link in read]) == ([], expected)
        assert [(each["source_tokens"], each["type"], each["score"]) for each in rows] == [
            (
                " ".join(str(token + 1) for token in link.source),
                link.type,
                "" if link.score is None else f"{link.score:g}",
            )
            for link in pair.links
        ]
    for name in ("label-studio.json", "webanno.tsv"):
        found, _ = read_chunk_alignments(export(study, name).encode(), name=name)
        assert [{replace(link, comment=None) for link in pair.links} for pair in found] == [
            {replace(link, comment=None) for link in pair.links} for pair in final
        ]
    assert export(study, "label-studio.xml").startswith("<View>")
