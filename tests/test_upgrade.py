"""A database of an older version, brought up to date, has lost nothing: on SQLite and on PostgreSQL."""

import json
from collections.abc import Iterator

import pytest

from tests.installations import UPGRADE, Installation, fill_with_old_version, old_contents, on_either

API_TOKEN = "PLxoL49cbkvnNOoT32QmbyVXFeoGmo-aIS7PUla4DXk"

pytestmark = pytest.mark.rules


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation on the old database, migrated to the present version."""
    with on_either(tmp_path_factory.mktemp("upgrade")) as installation:
        fill_with_old_version(installation)
        installation.migrate()
        yield installation


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


def test_reports_of_the_old_version_give_the_same_digits(upgraded: Installation) -> None:
    reports = [report for study in upgraded.contents()["studies"].values() for report in study["reports"]]
    assert [same for kind, *_, same in reports if kind == "results"] == [True] * 6


def test_every_page_and_download_answers(upgraded: Installation) -> None:
    statuses = json.loads(upgraded.python("-m", "tests.upgraded", "pages", API_TOKEN))
    assert statuses.pop("/console/ without the second factor") == 302
    assert {path: status for path, status in statuses.items() if status != 200} == {}
    assert len(statuses) > 200


def test_the_fixture_is_small() -> None:
    assert sum(file.stat().st_size for file in UPGRADE.iterdir()) < 1_000_000
