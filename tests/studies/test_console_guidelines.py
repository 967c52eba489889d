"""Versions of the guidelines on the history page, with what changed between two versions."""

from datetime import UTC, datetime

import pytest

from annotate.models import Study
from annotate.studies.services.settings import change_settings
from annotate.web.text_changes import Change, line_changes
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def test_changed_lines_keep_two_lines_around_each_change() -> None:
    before = "\n".join("abcdefgh")
    after = "\n".join("abcdeXgh")
    assert line_changes(before, after) == [
        *(Change("gap", ""), Change("same", "d"), Change("same", "e"), Change("removed", "f"), Change("added", "X")),
        *(Change("same", "g"), Change("same", "h")),
    ]
    assert line_changes("a", "a") == []
    assert line_changes("", "new") == [Change("added", "new")]


def test_the_history_lists_versions_and_shows_what_changed() -> None:
    study = make_study()
    Study.objects.update(opened_at=datetime(2026, 11, 1, 8, 5, tzinfo=UTC))
    client = browser_of(study, "viewer")
    assert "Versions of the guidelines" not in markup(client.get(page_of(study, "history/")))
    owner = study.memberships.get(role="owner").user
    change_settings(study.pk, user=owner, instructions="Choose the <closest> pair.", examples="Like this.")
    long = "Read every pair twice before you choose one of them. " * 4
    change_settings(study.pk, user=owner, privacy_notice=long)
    change_settings(study.pk, user=owner, privacy_notice=f"{long}Ask Ada.")
    page = markup(client.get(page_of(study, "history/")))
    assert "choose one of them. Ask Ada." in page, "the end of a long value"
    assert "Versions of the guidelines" in page
    assert page_of(study, "history/guidelines/2/") in page
    assert 'Version 1</a> <span class="quiet">1 Nov 2026, 08:05' in " ".join(page.split())
    page = " ".join(markup(client.get(page_of(study, "history/guidelines/2/"))).split())
    assert "<del>Choose the pair.</del>" in page
    assert "<ins>Choose the &lt;closest&gt; pair.</ins>" in page
    assert "<ins>Like this.</ins>" in page
    first = markup(client.get(page_of(study, "history/guidelines/1/")))
    assert "Choose the pair." in first
    assert client.get(page_of(study, "history/guidelines/3/")).status_code == 404
