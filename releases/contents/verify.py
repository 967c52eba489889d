"""Functions that verify a release. Each file is checked against its checksum, and each published number is recalculated
from the raw annotations.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotate import tasktypes
from annotate.tasktypes import StudyData, TaskType
from evaluation.study_splits import PLACE, StudySplit, leaks, published_rows, rows_by_part
from releases.contents.archive import UnreadableRelease, checksum_faults
from releases.contents.folder import (
    METADATA,
    REPORT,
    opened,
    pages,
    published,
    released_tables,
    responsible_properties,
    table,
)
from releases.contents.raw import raw_files, study_data
from releases.contents.recipe import RECIPE, read_recipe, recipe_faults, recipe_file
from releases.contents.seal import SEAL, WrongKey, unseal, without_gold

MOST_DIFFERENCES = 50
# With the same software versions, all digits of the figures are identical. With different versions of NumPy, the last
# digits of a figure can differ.
RELATIVE = 1e-9
Say = Callable[[str], None]


@dataclass
class Verification:
    """The result of verifying a release. `numbers` is the number of recalculated figures. `faults` lists every
    difference with its position. `seal` is empty without sealed files, and otherwise `closed` or `verified`.
    """

    files: int = 0
    numbers: int = 0
    exports: int = 0
    seal: str = ""
    faults: list[str] = field(default_factory=list)
    versions: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return not self.faults


def verify(
    files: Mapping[str, bytes], *, versions: Mapping[str, str], say: Say = lambda text: None, key: str = ""
) -> Verification:
    """Verify a release, given a mapping from paths to files.

    A damaged release does not raise an exception. The list `faults` describes the damage. `versions` contains the
    software versions in use. The result lists the versions that differ from the versions in the report. `key` opens
    the seal of a release with sealed gold questions, whose figures are then recalculated, too.
    """
    verification = Verification()
    say("checksums")
    verification.files, verification.faults = checksum_faults(files)
    try:
        report = json.loads(files[REPORT])
        task, data, about, split = opened(files)
    except (KeyError, TypeError, ValueError, LookupError, RecursionError) as error:
        verification.faults.append(f"the release cannot be read: {error}")
        return verification
    made_with = report.get("versions", {})
    verification.versions = {
        name: (made_with[name], versions.get(name, "none"))
        for name in made_with
        if made_with[name] != versions.get(name)
    }
    say("recalculating every figure of the report")
    recalculated = _figures(task, data, report, verification)
    say("recalculating every data file")
    exports = _exports(task, data, report["result"], split, files, verification)
    if split is not None:
        say("assigning every item to its part")
        _compare(PLACE, split.file(), files, verification)
        verification.faults += leaks(split, {row["item"]: row["split"] for row in published_rows(files)})
    say("comparing the texts")
    tables = released_tables(task, files)
    for path, (text, _) in pages(task, data, recalculated, about, split, tables, {**files, **exports}).items():
        _compare(path, text, files, verification)
    verification.faults += _property_faults(responsible_properties(task, data, recalculated, about), files)
    if RECIPE in files:
        say("comparing the recipe")
        _recipe(files, data, verification)
    if SEAL in files:
        verification.seal = "closed"
        if key:
            say("verifying the sealed files")
            _sealed(task, files, key, verification)
    return verification


def _property_faults(expected: Mapping[str, Any], files: Mapping[str, bytes]) -> list[str]:
    """Compare the responsible-AI properties of the Croissant metadata. Checksums report a missing or damaged file."""
    try:
        described = json.loads(files[METADATA])
    except (KeyError, ValueError):
        return []
    return [f"{METADATA}: {name} differs" for name, value in expected.items() if described.get(name) != value]


def _recipe(files: Mapping[str, bytes], data: StudyData, verification: Verification) -> None:
    try:
        recipe = read_recipe(files[RECIPE])
    except UnreadableRelease as error:
        verification.faults.append(str(error).removesuffix("."))
        return
    verification.faults += [f"{RECIPE}: {fault}" for fault in recipe_faults(recipe, data)]


def _sealed(task: TaskType, files: Mapping[str, bytes], key: str, verification: Verification) -> None:
    """Recalculate the sealed report, and compare the readable files with those that follow from the sealed rows."""
    try:
        complete = {**files, **unseal(files[SEAL], key)}
        data, recipe = study_data(complete), read_recipe(complete[RECIPE])
        report = json.loads(complete[REPORT])
    except WrongKey as error:
        verification.faults.append(str(error).removesuffix("."))
        return
    except (KeyError, TypeError, ValueError) as error:
        verification.faults.append(f"{SEAL} cannot be read: {error}")
        return
    verification.seal = "verified"
    numbers = verification.numbers
    _figures(task, data, report, verification)
    verification.numbers += numbers
    verification.faults += [f"{RECIPE} in {SEAL}: {fault}" for fault in recipe_faults(recipe, data)]
    open_data, open_recipe = without_gold(task, data, recipe)
    for path, expected in {**raw_files(open_data), RECIPE: recipe_file(open_recipe)}.items():
        _compare(path, expected, files, verification)


def _figures(task: TaskType, data: StudyData, report: Mapping[str, Any], verification: Verification) -> Any:
    """Recalculate the report's results, compare each figure with the published one, and return the recalculated
    results.
    """
    from accord_core.exchange.arrays import pack, unpack

    columns = unpack(pack(tasktypes.report_columns(task, data)))
    recalculated = tasktypes.report_result(
        task, report["kind"], columns, report["parameters"], report["seed"], lambda share, text: None
    )
    # The published result comes from a JSON file, so the recalculated result must contain lists instead of tuples.
    recalculated = json.loads(json.dumps(recalculated))
    verification.numbers = sum(1 for _ in _numbers(recalculated))
    differences = list(_differences(report["result"], recalculated, "result"))
    verification.faults += [f"{REPORT}: {difference}" for difference in differences[:MOST_DIFFERENCES]]
    if len(differences) > MOST_DIFFERENCES:
        verification.faults.append(f"{REPORT}: {len(differences) - MOST_DIFFERENCES:,} further differences")
    return recalculated


def _exports(
    task: TaskType,
    data: StudyData,
    result: Mapping[str, Any],
    split: StudySplit | None,
    files: Mapping[str, bytes],
    verification: Verification,
) -> dict[str, bytes]:
    """Compare each data file with the recalculated file, and return the recalculated files."""
    exports = {}
    for export in published(task):
        path = f"data/{export.filename}"
        if path in files:
            verification.exports += 1
            exports[path] = table(export, data, result, split)
            _compare(path, exports[path], files, verification)
            for part, rows in rows_by_part(export, exports[path], split).items():
                _compare(part, rows, files, verification)
    return exports


def _compare(path: str, recalculated: bytes, files: Mapping[str, bytes], verification: Verification) -> None:
    """Compare a file's contents with the expected contents. The comparison of checksums reports missing files."""
    if path in files and recalculated != files[path]:
        verification.faults.append(
            f"{path}, line {_first_line(recalculated, files[path])}: the content differs from the recalculated file"
        )


def _first_line(one: bytes, other: bytes) -> int:
    """Return the number of the first line that differs, counted from 1."""
    lines = zip(one.split(b"\n"), other.split(b"\n"), strict=False)
    return next(
        (number for number, (mine, theirs) in enumerate(lines, start=1) if mine != theirs),
        1 + min(one.count(b"\n"), other.count(b"\n")),
    )


def _differences(original: Any, recalculated: Any, path: str) -> Iterator[str]:
    if isinstance(original, Mapping) and isinstance(recalculated, Mapping):
        for name in [*original, *(name for name in recalculated if name not in original)]:
            if name not in original or name not in recalculated:
                yield f"{path}.{name} is {'missing' if name in recalculated else 'not a figure of this report'}"
            else:
                yield from _differences(original[name], recalculated[name], f"{path}.{name}")
    elif isinstance(original, list) and isinstance(recalculated, list):
        if len(original) != len(recalculated):
            yield f"{path} has {len(original):,} entries, but the recalculated report has {len(recalculated):,}"
        for number, (mine, theirs) in enumerate(zip(original, recalculated, strict=False)):
            yield from _differences(mine, theirs, f"{path}[{number}]")
    elif not _same(original, recalculated):
        yield f"{path} is {original!r}, but the recalculated value is {recalculated!r}"


def _same(original: Any, recalculated: Any) -> bool:
    if isinstance(original, float) or isinstance(recalculated, float):
        both = isinstance(original, int | float) and isinstance(recalculated, int | float)
        return both and (
            math.isclose(original, recalculated, rel_tol=RELATIVE, abs_tol=1e-12)
            or (original != original and recalculated != recalculated)
        )
    return bool(original == recalculated)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value
