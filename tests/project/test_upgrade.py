"""Tests that an upgrade of an older database loses no data, on SQLite and on PostgreSQL."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from annotate.core.selectors.counts import recounted, stored_counts
from annotate.models import Report, Study
from annotate.results.services import recompute
from tests.installations import (
    UPGRADE,
    Installation,
    fill_with_old_version,
    old_contents,
    on_postgresql,
    upgraded_on_sqlite,
)


def comparable(value: Any) -> Any:
    """Return a result with 12 digits per number and without its sentences.

    The wording of sentences can change between versions, and the last digits of sums depend on the processor.
    """
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {name: comparable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [comparable(part) for part in value]
    return "" if isinstance(value, str) and " " in value else value


def figures_as_in(old: Any, new: Any, task_type: str) -> Any:
    """Return the new result without the figures that the old result lacks, because later versions add figures.

    The flags of annotators are taken from the old result, because later versions have other rules for flags. The limits
    of intervals are taken from the old result too: intervals of agreement now resample questions, not candidates.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        kept = {"flag"} | ({"low", "high"} & new.keys() if task_type == "paraphrase" else set())
        return {
            name: part if name in kept else figures_as_in(part, new.get(name), task_type) for name, part in old.items()
        }
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [figures_as_in(one, other, task_type) for one, other in zip(old, new, strict=True)]
    return new


API_TOKEN = "PLxoL49cbkvnNOoT32QmbyVXFeoGmo-aIS7PUla4DXk"


on_both = pytest.mark.parametrize(
    "upgraded", [pytest.param("sqlite", marks=pytest.mark.nightly), "postgresql"], indirect=True, scope="module"
)


@pytest.fixture(scope="module")
def upgraded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[Installation]:
    """An installation on the old database, migrated to the present version."""
    folder = tmp_path_factory.mktemp("upgrade")
    with django_db_blocker.unblock():
        if request.param == "sqlite":
            yield upgraded_on_sqlite(folder, tmp_path_factory)
        else:
            with on_postgresql(folder) as installation:
                fill_with_old_version(installation)
                installation.migrate()
                yield installation


@on_both
def test_everything_is_still_there(upgraded: Installation) -> None:
    expected, found = old_contents(), upgraded.contents()
    for account in expected["accounts"].values():
        if account["superuser"]:
            account["verified addresses"] = 1  # an operator entered it; the upgrade confirms it
    assert found["accounts"] == expected["accounts"]
    assert found["studies"].keys() == expected["studies"].keys()
    for study, content in expected["studies"].items():
        for name, value in content.items():
            assert found["studies"][study][name] == value, f"{name} of {content['title']}"


@on_both
@pytest.mark.parametrize("task_type", ["bws", "paraphrase", "chunks", pytest.param("words", marks=pytest.mark.nightly)])
def test_reports_of_the_old_version_give_the_same_digits(task_type: str, upgraded: Installation) -> None:
    with upgraded.connected():
        reports = list(Report.objects.filter(kind="results", study__task_type=task_type))
        assert reports
        for report in reports:
            old = comparable(report.result)
            assert figures_as_in(old, comparable(recompute(report)), task_type) == old


@on_both
def test_answers_of_the_old_version_are_counted(upgraded: Installation) -> None:
    with upgraded.connected():
        for study in Study.objects.all():
            assert stored_counts(study) == recounted(study)
        assert any(stored_counts(study)["hours"] for study in Study.objects.all())


@pytest.mark.nightly
@on_both
def test_every_page_and_download_answers(upgraded: Installation) -> None:
    statuses = json.loads(upgraded.python("-m", "tests.upgraded", "pages", API_TOKEN))
    assert statuses.pop("/console/ without the second factor") == 302
    assert {path: status for path, status in statuses.items() if status != 200} == {}
    assert len(statuses) > 200


def test_the_fixture_is_small() -> None:
    assert sum(file.stat().st_size for file in UPGRADE.iterdir()) < 1_000_000
