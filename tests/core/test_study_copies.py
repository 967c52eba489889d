"""Tests that the copied studies of `make_study` are the same as those that services create."""

from typing import Any

import pytest
from django.apps import apps
from django.db import models

from tests import study_copies
from tests.factories import make_study

pytestmark = pytest.mark.django_db


@pytest.mark.nightly
@pytest.mark.parametrize(
    "arguments",
    [{}, {"gold": 4, "practice": 2, "consent": "We keep it."}, {"items": 40, "judgements": 3, "state": "paused"}],
    ids=["usual", "gold", "large"],
)
def test_a_copy_has_the_same_rows(arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_copies, "_seen", set())
    monkeypatch.setattr(study_copies, "_templates", {})
    studies, rows = [], [all_rows()]
    for _ in range(3):
        studies.append(make_study(**arguments))
        rows.append(all_rows())
    assert len(study_copies._templates) == 1
    first, second, copy = ({key: rows[n + 1][key] for key in rows[n + 1].keys() - rows[n].keys()} for n in range(3))
    assert sorted(map(str, copy.values())) == sorted(map(str, second.values())) == sorted(map(str, first.values()))
    assert len({study.join_token for study in studies}) == 3
    assert studies[2].design == studies[2].reports.get()
    assert all(study.opened_at for study in studies)


def all_rows() -> dict[tuple[str, int], dict[str, Any]]:
    """Return the values of all rows that do not differ between studies."""
    return {
        (model._meta.label, row.pk): {"model": model._meta.label}
        | {
            field.name: getattr(row, field.attname)
            for field in model._meta.concrete_fields
            if not (
                field.unique or field.is_relation or isinstance(field, models.DateTimeField) or field.name == "name"
            )
            and field.name != "password"
        }
        for model in apps.get_models()
        for row in model._base_manager.all()
    }


@pytest.mark.nightly
def test_a_study_on_prolific_keeps_its_settings() -> None:
    for _ in range(3):
        assert make_study(recruitment="prolific").prolific.pk
