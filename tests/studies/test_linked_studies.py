"""Tests of linked studies, whose annotators are excluded from another study or are the only people whom it admits."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotate.core.selectors.participations import own_part
from annotate.core.services.claim import claim
from annotate.models import Annotator, Membership, Participation, Study, User
from annotate.recruiting.services.join import join
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import create_study
from tests.factories import MembershipFactory, UserFactory, make_annotator, make_study, take
from tests.markup import markup
from tests.recruiting.test_identity import PROLIFIC, prolific_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return UserFactory()


def account_study(owner: User, **settings: Any) -> Study:
    return make_study(user=owner, admission=Study.Admission.ACCOUNT, **settings)


def joined(study: Study, person: User) -> Participation:
    return join(study, platform=Annotator.Platform.ACCOUNT, external_id=str(person.pk))


def test_people_of_an_excluded_study_are_kept_out(owner: User) -> None:
    first, person = account_study(owner), UserFactory()
    second = account_study(owner, excluded_studies=[first.public_id])
    joined(first, person)
    with pytest.raises(Refused, match="cannot take part") as refused:
        joined(second, person)
    assert refused.value.code == "excluded"
    joined(second, UserFactory())


def test_only_people_of_an_admitted_study_come_in(owner: User) -> None:
    first, person = account_study(owner), UserFactory()
    second = account_study(owner, admitted_studies=[first.public_id])
    joined(first, person)
    joined(second, person)
    with pytest.raises(Refused):
        joined(second, UserFactory())


def test_who_came_in_before_the_link_gets_no_further_hits(owner: User) -> None:
    first, second, person = account_study(owner), account_study(owner), UserFactory()
    joined(first, person)
    late = joined(second, person)
    change_settings(second.pk, user=owner, excluded_studies=[first.public_id])
    assert claim(late.pk).why == "excluded"
    late = Participation.objects.select_related("study", "annotator").get(pk=late.pk)
    assert own_part(late).why == "excluded"


def test_a_hit_in_hand_can_be_finished(owner: User) -> None:
    first, second, person = account_study(owner), account_study(owner), UserFactory()
    late = joined(second, person)
    mine = take(late)
    joined(first, person)
    change_settings(second.pk, user=owner, excluded_studies=[first.public_id])
    assert claim(late.pk).assignment == mine


@pytest.mark.nightly
def test_an_unverified_id_neither_excludes_nor_admits(owner: User) -> None:
    first = prolific_study(user=owner)
    join(first, platform=PROLIFIC, external_id="5f1a")
    second = prolific_study(user=owner, excluded_studies=[first.public_id])
    join(second, platform=PROLIFIC, external_id="5f1a")
    joined_with_proof = join(first, platform=PROLIFIC, external_id="9e9e", verified=True)
    assert joined_with_proof.annotator.verified
    with pytest.raises(Refused):
        join(second, platform=PROLIFIC, external_id="9e9e", verified=True)


def test_only_studies_that_the_user_owns_can_be_linked(owner: User) -> None:
    mine, theirs = account_study(owner), account_study(UserFactory())
    MembershipFactory(study=theirs, user=owner, role=Membership.Role.MANAGER)
    for target, public_id in ((mine, theirs.public_id), (theirs, mine.public_id), (mine, "no-such-study")):
        with pytest.raises(Refused) as refused:
            change_settings(target.pk, user=owner, excluded_studies=[public_id])
        assert "excluded_studies" in refused.value.fields
    with pytest.raises(Refused):
        create_study(user=owner, title="New", task_type="bws", excluded_studies=[theirs.public_id])


def test_a_link_ends_when_nobody_owns_both_studies(owner: User) -> None:
    first, person = account_study(owner), UserFactory()
    second = account_study(owner, excluded_studies=[first.public_id])
    third = account_study(owner, admitted_studies=[first.public_id])
    joined(first, person)
    first.memberships.all().delete()
    MembershipFactory(study=first, role=Membership.Role.OWNER)
    joined(second, person)  # another owner's study has no effect on this one
    with pytest.raises(Refused):  # and a closed list stays closed
        joined(third, person)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"excluded_studies": "abc"}, "excluded_studies"),
        ({"excluded_studies": [1]}, "excluded_studies"),
        ({"excluded_studies": [f"study-{number}" for number in range(101)]}, "excluded_studies"),
        ({"admitted_studies": ["a"], "admission": "anonymous"}, "admitted_studies"),
        ({"recruitment": "prolific"}, "recruitment"),
    ],
)
def test_lists_that_cannot_work_are_refused_with_their_field(owner: User, settings: Any, field: str) -> None:
    with pytest.raises(Refused) as refused:
        change_settings(account_study(owner).pk, user=owner, **settings)
    assert field in refused.value.fields


def test_the_console_offers_the_owners_other_studies(owner: User) -> None:
    first, second, foreign = account_study(owner), account_study(owner), account_study(UserFactory())
    console = Client()
    console.force_login(owner)
    page = markup(console.get(f"/console/{second.public_id}/settings/people/"))
    assert f'name="excluded_studies" value="{first.public_id}"' in page
    assert foreign.public_id not in page
    assert f'name="excluded_studies" value="{second.public_id}"' not in page


def test_studies_without_lists_cost_a_claim_no_query(django_assert_num_queries: Any) -> None:
    from annotate.core.selectors.admission import is_admitted

    participation = make_annotator(make_study())
    with django_assert_num_queries(0):
        assert is_admitted(participation)
