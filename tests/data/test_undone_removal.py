"""Tests that the removal of an imported file from a draft can be undone exactly, while nothing else changes."""

import re
import zlib

import pytest
from django.core.cache import cache

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.submit import submit
from annotate.data.services.removal import removal_to_undo, remove_import, restore_import
from annotate.data.services.removed_rows import rows_of
from annotate.gold.services import draw_candidates, judge_candidate, promote
from annotate.models import Study, Upload
from annotate.recruiting.services.join import start_tryout
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import add_items, answers_to, make_study
from tests.markup import markup
from tests.studies.test_copies import with_gold

pytestmark = pytest.mark.django_db


def tried_draft(*, gold_file: bool) -> tuple[Study, Upload]:
    """Return a draft with a design that a researcher has tried, and a file. The items draft also has a candidate and a
    gold question promoted from one.
    """
    study = make_study(items=12, state="draft", gold_block=5)
    user = study.memberships.get().user
    if gold_file:
        upload = with_gold(study, user)
    else:
        upload = study.uploads.get()
        upload.content = zlib.compress(b"text\n")  # the page of items reads the file
        upload.save(update_fields=["content"])
        for question in draw_candidates(study.pk, 2, user=user):
            judge_candidate(question.pk, {"best": 1, "worst": 4}, user=user, explanation="Same event.")
        promote([study.questions.filter(kind="candidate").first().pk], study_id=study.pk, user=user)
    tryout = start_tryout(study, user=user)
    assignment = claim(tryout.pk).assignment
    assert assignment
    submit(tryout.pk, assignment.public_id, answers_to(assignment))
    return study, upload


@pytest.mark.nightly
@pytest.mark.parametrize("gold_file", [False, True])
def test_an_undone_removal_leaves_the_draft_exactly_as_it_was(gold_file: bool) -> None:
    study, upload = tried_draft(gold_file=gold_file)
    owner, place = browser_of(study), page_of(study, f"uploads/{upload.public_id}/")
    before = rows_of(study)
    assert "Remove the rows imported from" not in markup(owner.get(page_of(study, "gold/" if gold_file else "items/")))
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', markup(owner.post(f"{place}remove/", follow=True)))
    assert rows_of(study) != before
    assert browser_of(study, "reviewer").post(f"{place}restore/", {"seen": seen}).status_code == 404
    for window in (owner, browser_of(study, "manager")):  # the second press changes nothing
        assert "Accord restored the " in markup(window.post(f"{place}restore/", {"seen": seen}, follow=True))
        assert rows_of(study) == before
    assert study.events.filter(verb__startswith="restored").count() == 1
    owner.post(f"{place}remove/")
    assert "somebody has made another change" in markup(owner.post(f"{place}restore/", {"seen": seen}, follow=True))


@pytest.mark.nightly
@pytest.mark.parametrize("change", ["import", "setting", "open", "cache"])
def test_a_removal_stays_once_the_draft_has_changed(change: str) -> None:
    study, upload = tried_draft(gold_file=False)
    remove_import(upload.pk, user=SYSTEM)
    at = removal_to_undo(upload)
    assert at
    if change == "import":
        add_items(study, 1, prefix="new")
    elif change == "cache":
        cache.clear()
        assert removal_to_undo(upload) is None
    else:
        Study.objects.filter(pk=study.pk).update(**({"judgements": 7} if change == "setting" else {"state": "open"}))
    now = rows_of(study)
    with pytest.raises(Refused, match=r"Nothing was undone, because .*\. Import .* again\."):
        restore_import(upload.pk, seen=at.isoformat(), user=SYSTEM)
    assert rows_of(study) == now
