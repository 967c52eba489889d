"""Tests that a study always has an owner, even if its owners change each other's roles at the same time."""

import pytest

from annotate.server.refusals import Refused
from annotate.studies.services.members import (
    accept_with_new_account,
    change_role,
    invitation_link,
    invite,
    remove_member,
)
from tests.factories import PASSWORD, MembershipFactory, make_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


def outcome(deed):
    try:
        deed()
    except Refused as refusal:
        return refusal.code
    return "done"


@pytest.mark.parametrize(
    "lose",
    [
        lambda study, member, user: remove_member(study.pk, member=member, user=user),
        lambda study, member, user: change_role(study.pk, member=member, role="viewer", user=user),
    ],
)
def test_two_owners_cannot_remove_each_other_at_once(at_once, lose):
    for _ in range(4):
        study = make_study(items=0, state="draft")
        first, second = study.memberships.get().user, MembershipFactory(study=study, role="owner").user
        outcomes = at_once(
            [
                lambda study=study, a=a, b=b: outcome(lambda: lose(study, a, b))
                for a, b in ((first, second), (second, first))
            ]
        )
        assert study.memberships.filter(role="owner").count() == 1
        assert sorted(outcomes) == ["done", "not-allowed"]


def test_two_owners_who_leave_at_once_leave_one(at_once):
    for _ in range(4):
        study = make_study(items=0, state="draft")
        owners = [study.memberships.get().user, MembershipFactory(study=study, role="owner").user]
        outcomes = at_once(
            [lambda study=study, o=o: outcome(lambda: remove_member(study.pk, member=o, user=o)) for o in owners]
        )
        assert study.memberships.filter(role="owner").count() == 1
        assert sorted(outcomes) == ["done", "last-owner"]


def test_an_invitation_accepted_many_times_at_once_is_accepted_once(at_once):
    study = make_study(items=0, state="draft")
    invitation = invite(study.pk, email="ada@example.org", role="viewer", user=study.memberships.get().user)
    token = invitation_link(invitation).split("/")[-2]
    outcomes = at_once([lambda: outcome(lambda: accept_with_new_account(token, name="Ada", password=PASSWORD))] * 6)
    assert sorted(outcomes) == ["done"] + ["invitation"] * 5
    assert study.memberships.count() == 2
