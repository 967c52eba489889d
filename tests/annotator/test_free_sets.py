"""People learn on the join page, before they consent and practise, that no set is free."""

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.free_sets import has_free_set
from annotate.core.services.claim import claim
from annotate.models import Annotator, Participation, Slot, Study
from annotate.recruiting.services.join import join
from annotate.recruiting.services.named import add_named
from annotate.studies.services.study import open_study
from tests.factories import make_study

pytestmark = pytest.mark.django_db

NONE_FREE = "No set is free at the moment"


def test_the_join_page_says_when_no_set_is_free(client: Client) -> None:
    study = make_study(items=8)
    page = client.get(f"/join/{study.join_token}").content.decode()
    assert NONE_FREE not in page
    assert "Take part anyway" not in page
    Slot.objects.filter(study=study).update(open=0)
    page = client.get(f"/join/{study.join_token}").content.decode()
    assert NONE_FREE in page
    assert "Take part anyway" in page


def test_the_overview_says_before_practice_when_no_set_is_free(client: Client) -> None:
    study = make_study(items=8, practice=2)
    Slot.objects.filter(study=study).update(open=0)
    client.post(f"/join/{study.join_token}")
    assert Participation.objects.get().standing == Participation.Standing.PRACTISING
    assert NONE_FREE in client.get(f"/s/{study.public_id}").content.decode()


def test_a_set_is_free_exactly_if_a_new_annotator_can_claim_it() -> None:
    study = make_study(items=8)
    hits = study.assignments_planned
    for taken in range(hits):
        assert has_free_set(study), taken
        assert claim(join(study, platform=Annotator.Platform.WEB).pk).assignment
    assert not has_free_set(study)


@pytest.mark.parametrize("change", [{"piloting": True, "pilot_hits": 0}, {"budget_cap": "0.10"}])
def test_sets_beyond_the_pilot_and_the_budget_are_not_free(change: dict[str, object]) -> None:
    study = make_study(items=8)
    Study.objects.filter(pk=study.pk).update(**change)
    assert not has_free_set(Study.objects.get(pk=study.pk))


def test_a_reserved_set_is_free_only_for_its_named_annotator() -> None:
    draft = make_study(items=8, admission=Study.Admission.NAMED, state=Study.State.DRAFT)
    ada, ben = add_named(draft.pk, ["Ada", "Ben"], user=SYSTEM)
    study = open_study(draft.pk, user=SYSTEM)
    Slot.objects.filter(study=study).update(reserved_for=ada)
    assert has_free_set(study, ada)
    assert not has_free_set(study, ben)
    assert not has_free_set(study)
