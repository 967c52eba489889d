"""Tests that releases written by somebody with bad intentions neither fill the memory, nor create a study that fails
later, nor lead to an error page.
"""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.http import QueryDict

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from releases.api.shapes import RepeatDraft
from releases.contents.archive import UnreadableRelease, read_zip, unpacked_size
from releases.contents.charts import chart_of
from releases.contents.folder import ABOUT
from releases.contents.raw import study_data
from releases.contents.recipe import RECIPE, recipe_file
from releases.contents.seal import SEAL, new_key, seal
from releases.contents.storable import require_storable
from releases.contents.tables import tables_in
from releases.selectors.recipe import RECIPE_SETTINGS
from releases.services.releases import as_zip, make_release
from releases.services.repeat import Repeat, read_upload, repeat_study
from releases.services.uploads import uploaded_data
from tests.factories import UserFactory, make_study
from tests.releases.test_repeat import (  # noqa: F401 (a fixture)
    SEALED,
    Original,
    original,
    parts,
    repeated,
    resealed,
)

MEBIBYTE = 1 << 20


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for path, content in files.items():
            archive.writestr(f"release/{path}", content)
    return buffer.getvalue()


def understated(archive: bytes, size: int) -> bytes:
    """Return an archive of one file of zeros whose directory states a smaller size, with the matching checksum."""
    changed = bytearray(archive)
    entry = changed.rfind(b"PK\x01\x02")
    struct.pack_into("<L", changed, entry + 16, zlib.crc32(bytes(size)))
    struct.pack_into("<L", changed, entry + 24, size)
    return bytes(changed)


def test_no_more_is_unpacked_than_the_archive_states() -> None:
    archive = understated(zipped({"a": bytes(32 * MEBIBYTE)}), 10)
    assert unpacked_size(io.BytesIO(archive), "a.zip") == 10
    tracemalloc.start()
    try:
        assert read_zip(io.BytesIO(archive), "a.zip", 1_000) == {"a": bytes(10)}
        assert tracemalloc.get_traced_memory()[1] < MEBIBYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_everything_at_once_are_refused(method: int) -> None:
    with pytest.raises(UnreadableRelease, match="a compression method other than Deflate"):
        read_zip(io.BytesIO(zipped({"a": b"text"}, method)), "a.zip")


def test_names_that_are_not_utf_8_are_refused() -> None:
    archive = zipped({"é": b"text"}).replace("é".encode(), b"\xff\xff")
    with pytest.raises(UnreadableRelease, match="neither a folder nor a readable zip file"):
        read_zip(io.BytesIO(archive), "a.zip")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\0", "\\\0", "\ud800"])
def test_values_that_no_database_stores_are_refused(value: Any) -> None:
    with pytest.raises(UnreadableRelease, match=r"^release\.json contains"):
        require_storable({"version": [value]}, ABOUT)


def test_a_written_out_escape_can_be_stored() -> None:
    require_storable({"text": "\\u0000 and \\\\u0000"}, ABOUT)


@pytest.mark.parametrize("large", ["1e999", "9" * 400, "1e308"])
def test_an_answer_with_a_large_number_does_not_prevent_a_release(large: str) -> None:
    cells = [large, "-1e308", *map(str, range(20))]
    [table] = tables_in({"data/answers.csv": "\n".join(["age", *cells]).encode()})
    assert chart_of("age", table.columns[0].kind, cells) is None
    assert chart_of("age", "number", cells[2:]) is not None


def test_equal_numbers_of_different_forms_are_no_chart() -> None:
    assert chart_of("age", "number", [f"1.{'0' * places}" for places in range(1, 20)]) is None


Change = Callable[[dict[str, Any]], Any]
GOLD = {"x": 1}
CASES: dict[str, tuple[Change, str]] = {
    "item": (lambda recipe: recipe["items"][0].update(content=[1]), "the question .* does not have the format of"),
    "NaN": (lambda recipe: recipe["items"][0].update(content=float("nan")), "contains a value that cannot be stored"),
    "gold": (lambda recipe: recipe["gold"][0].update(gold=GOLD), "the question gold-1 does not have the format of"),
    "practice": (lambda recipe: recipe["practice"][0].update(gold=[[]]), "the question practice-1 does not have"),
    "gold set": (
        lambda recipe: recipe["gold_sets"][0]["questions"].append({**recipe["gold_sets"][0]["questions"][0]}),
        "gold set 0: gold-. appears 2 times",
    ),
    "gold set number": (
        lambda recipe: recipe["gold_sets"].append({**recipe["gold_sets"][0], "questions": []}),
        "gold sets: 0 appears 2 times",
    ),
    "places": (
        lambda recipe: recipe["groups"].append({"name": "a", "places": 10**12, "judgements": None, "population": None}),
        r"at \$\.groups\[0\]\.places",
    ),
    "quotas": (
        lambda recipe: recipe["groups"].extend(
            {"name": str(number), "places": None, "judgements": 60, "population": None} for number in range(2)
        ),
        "quotas in study.json add up to 120",
    ),
    "slots": (
        lambda recipe: recipe.update(
            hits=[{**recipe["hits"][0], "number": number, "slots": 10_000} for number in range(1, 202)]
        ),
        "HITs in study.json have 2,010,000 slots, but the maximum is 2,000,000",
    ),
    "checks": (lambda recipe: recipe["design"].update(checks=[{"name": 1}]), r"at \$\.design\.checks\[0\]"),
    "charts": (lambda recipe: recipe["design"].update(charts={"a": {}}), r"at \$\.design\.charts\.a"),
    "text": (lambda recipe: recipe["items"][0].update(content={"text": 1}), "the question .* does not have the format"),
    "settings": (lambda recipe: recipe["settings"].pop("judgements"), r"at \$\.settings: 'judgements' is a required"),
    "title": (lambda recipe: recipe.update(title=" "), r"at \$\.title"),
    "setting": (lambda recipe: recipe["settings"].update(judgements=float("inf")), "a value that cannot be stored"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", CASES)
def test_a_recipe_that_would_fail_later_creates_nothing(original: Original, name: str) -> None:  # noqa: F811
    change, message = CASES[name]
    recipe = json.loads(original.open.files[RECIPE])
    change(recipe)
    refused(resealed(original.open.files, **{RECIPE: recipe_file(recipe)}), message)


@pytest.mark.django_db
@pytest.mark.parametrize("version", ["1\0", "1" * 201, {"a": 1}])
def test_a_version_must_be_a_short_text(original: Original, version: Any) -> None:  # noqa: F811
    about = json.dumps(json.loads(original.open.files[ABOUT]) | {"version": version}).encode()
    refused(resealed(original.open.files, **{ABOUT: about}), r"release\.json")


@pytest.mark.django_db
@pytest.mark.parametrize("path", [ABOUT, "raw/study.json", RECIPE])
def test_deep_nesting_is_refused(original: Original, path: str) -> None:  # noqa: F811
    refused(resealed(original.open.files, **{path: b"[" * 100_000}), "maximum recursion depth")


def refused(files: Mapping[str, bytes], message: str) -> None:
    before = Study.objects.count()
    with pytest.raises(Refused, match=message):
        repeat_study(read_upload(io.BytesIO(zipped(files)), "release.zip", ""), user=UserFactory())
    assert Study.objects.count() == before


@pytest.mark.nightly
@pytest.mark.django_db
def test_sealed_files_are_unpacked_in_a_process_with_limits(original: Original, settings: Any) -> None:  # noqa: F811
    """A researcher who writes a release knows its key, so the sealed file can unpack to gigabytes, too."""
    release = original.sealed
    assert read_upload(io.BytesIO(as_zip(release)), "release.zip", release.key).recipe["gold"]
    settings.LIMIT_PREVIEW_MEMORY = 512 * MEBIBYTE
    key = new_key()
    files = resealed(release.files, **{SEAL: seal({RECIPE: bytes(400 * MEBIBYTE)}, key)})
    with pytest.raises(Refused) as refusal:
        read_upload(io.BytesIO(zipped(files)), "release.zip", key)
    assert refusal.value.code == "memory"


@pytest.mark.nightly
@pytest.mark.django_db
def test_large_releases_are_read_in_a_process_with_limits(original: Original, settings: Any) -> None:  # noqa: F811
    settings.ROWS_AT_ONCE = 0
    archive = as_zip(original.sealed)
    assert uploaded_data(archive, "release.zip") == study_data(original.sealed.files)
    with pytest.raises(UnreadableRelease, match=r"^release\.zip is not the published release: raw/hits"):
        uploaded_data(zipped(original.sealed.files | {"raw/hits.jsonl": b""}), "release.zip")


def test_deeply_nested_changes_are_an_invalid_field() -> None:
    draft = RepeatDraft(data=QueryDict(f"changes={'[' * 100_000}"))
    assert not draft.is_valid()
    assert draft.errors["changes"] == ["The value is nested too deeply."]


@pytest.mark.django_db
def test_a_file_name_with_line_breaks_can_be_downloaded(original: Original) -> None:  # noqa: F811
    recipe = {**json.loads(original.open.files[RECIPE]), "title": "One\r\nSet-Cookie: a=b"}
    repeat = created(resealed(original.open.files, **{RECIPE: recipe_file(recipe)}))
    assert repeat.study.uploads.get().filename == "One Set-Cookie: a=b 1.0.jsonl"


def created(files: Mapping[str, bytes]) -> Repeat:
    return repeat_study(read_upload(io.BytesIO(zipped(files)), "release.zip", ""), user=UserFactory())


@pytest.mark.django_db
def test_no_release_contains_the_code_that_a_panel_pays_for() -> None:
    study = make_study(recruitment="panel", return_url="https://panel.example/done?cc={code}", completion_code="CX77Q")
    simulate(study, user=SYSTEM, annotators=2, careless=0.0, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    release = make_release(study.pk, SEALED, user=SYSTEM)
    assert [path for path, content in release.files.items() if b"CX77Q" in content or b"panel.example" in content] == []
    repeat = repeated(release)
    assert (repeat.study.recruitment, repeat.study.completion_code, repeat.study.return_url) == ("panel", "", "")
    assert "Enter the return address" in parts(repeat)["panel"]["text"]


@pytest.mark.django_db
def test_releases_that_contain_the_code_are_repeated_without_it(original: Original) -> None:  # noqa: F811
    recipe = json.loads(original.open.files[RECIPE])
    assert recipe["settings"].keys() == set(RECIPE_SETTINGS)
    recipe["settings"] |= {"completion_code": "CX77Q", "return_url": "https://panel.example/{code}"}
    repeat = created(resealed(original.open.files, **{RECIPE: recipe_file(recipe)}))
    assert (repeat.study.completion_code, repeat.study.return_url) == ("", "")
