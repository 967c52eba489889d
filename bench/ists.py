"""Interpretable STS: the official figures, counts of gold, round trips byte for byte, and speed.

    CORPORA=folder python -m bench.ists

CORPORA contains `ists/` as published for the shared task: 250 pairs of image captions (`images.gold.wa`), four damaged
copies, the sentences both plain and in chunks, and `expected.tsv`, the output of the official scorers of 2015 and 2016
for each file.
"""

from __future__ import annotations

import csv
import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from accord_core.chunks.formats.chunk_files import read_sentences, write_chunk_file
from accord_core.chunks.formats.ists import read_wa, write_wa
from accord_core.chunks.formats.ists_check import check_wa
from accord_core.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.scores import ists_scores
from bench._timing import best_of_three

PUBLISHED = {"EQUI": 347, "NOALI": 915, "REL": 24, "SIMI": 122, "SPE1": 78, "SPE2": 86}


def main() -> None:
    folder = Path(os.environ["CORPORA"]) / "ists"
    print_scores(folder)
    print_counts(folder / "images.gold.wa")
    print_round_trips(folder)
    print_speed(folder)


def print_scores(folder: Path) -> None:
    gold = read(folder / "images.gold.wa")
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    equal = 0
    for name, version, *expected in rows:
        scores = ists_scores(gold, read(folder / name), version=2015 if version == "2015" else 2016)
        ours = [f"{figure:.4f}" for figure in scores.total.as_dict().values()]
        equal += ours == expected
        print(f"{name:<22} {version}  {'  '.join(ours)}  (official {'  '.join(expected)})")
    print(f"rows equal to the official scorers' at four decimals: {equal} of {len(rows)}")


def print_counts(path: Path) -> None:
    check = check_wa(path.read_text(encoding="utf-8"), strict=True)
    assert check.statistics is not None
    counts = {name: count for name, count in check.statistics.types.items() if count}
    print(f"types of gold: {counts} ({'as' if counts == PUBLISHED else 'NOT as'} published)")
    print(f"errors in gold: {len(check.malformed)} by the checker, {len(check.against_guidelines)} by the guidelines")


def print_round_trips(folder: Path) -> None:
    for path in sorted(folder.glob("*.wa")):
        data = path.read_bytes()
        pairs = read_wa(data, name=path.name)
        same = "".join(write_wa(pairs)).encode() == data
        answers = [
            replace(pair, links=tuple(replace(each, comment=None) for each in pair.links[::-1])) for pair in pairs
        ]
        as_answers = "".join(write_wa(answers)).encode() == data
        strict = "".join(write_wa(replace(pair, text=None) for pair in pairs)).encode() == data
        print(f"{path.name}: read and written {same}, links in another order {as_answers}, in the strict form {strict}")
    for path in sorted(folder.glob("*.chunk.txt")):
        sentences = read_sentences(path.read_bytes(), name=path.name)
        written = "".join(write_chunk_file((each.tokens, each.chunks or ()) for each in sentences))
        print(f"{path.name}: read and written {written.encode() == path.read_bytes()}")


def print_speed(folder: Path) -> None:
    """Measure files of 750 pairs, which are as large as the shared task's: the 250 pairs three times."""
    data = {
        name: b"\n\n".join(
            (folder / f"images.{name}.wa").read_bytes().replace(b'<sentence id="', b'<sentence id="%d.' % part)
            for part in range(3)
        )
        for name in ("gold", "everything", "scores")
    }
    pairs = {name: read_wa(each, name=name) for name, each in data.items()}
    annotations = [ChunkAnnotation(name, pair) for name, each in pairs.items() for pair in each]
    print(f"{len(pairs['gold'])} pairs, seconds of CPU time, the best of three runs:")
    for what, run in {
        "read and scored (target 0.5)": lambda: ists_scores(
            read_wa(data["gold"], name="gold"), read_wa(data["everything"], name="everything", tokens=False)
        ),
        "scored, with files in memory": lambda: ists_scores(pairs["gold"], pairs["everything"]),
        "checked, guidelines too": lambda: check_wa(data["gold"].decode(), strict=True),
        "written back": lambda: list(write_wa(pairs["gold"])),
        "agreement of three, 1,000 resamples": lambda: chunk_agreement(annotations),
        "agreement of 200 on 1,000 pairs, five each": lambda: chunk_agreement(crowd(pairs["gold"])),
    }.items():
        print(f"  {what}: {best_of_three(run):.2f}")


def crowd(pairs: list[IstsPair]) -> list[ChunkAnnotation]:
    """Return 1,000 sentence pairs, each annotated by five of 200 annotators, drawn at random."""
    generator = np.random.default_rng(1)
    return [
        ChunkAnnotation(f"a{annotator}", replace(pairs[number % len(pairs)], id=f"{number}"))
        for number in range(1000)
        for annotator in generator.choice(200, size=5, replace=False)
    ]


def read(path: Path) -> list[IstsPair]:
    return read_wa(path.read_bytes(), name=path.name)


if __name__ == "__main__":
    main()
