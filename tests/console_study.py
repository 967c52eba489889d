"""A study with answers of simulated annotators, for tests of the console."""

from __future__ import annotations

from typing import Any

from django.test import Client

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Participation, Report, Study, User
from annotate.results.services import make_report
from tests.factories import UserFactory, make_study


def collected(
    *, items: int = 8, annotators: int = 3, judgements: int = 2, gold: int = 8, careless: float = 0.0, **settings: Any
) -> Study:
    """Return an open study of `items` items in which three annotators have done all HITs.

    Designs of 21 to 30 items take more than a second, because no design without repeated pairs is found.
    """
    study = make_study(items=items, judgements=judgements, gold=gold, **{"rule_threshold": 0, **settings})
    simulate(study, user=SYSTEM, annotators=annotators, careless=careless, seed=3, as_people=True)
    return study


def report_on(study: Study, kind: str = "results", **parameters: Any) -> Report:
    return make_report(study.pk, kind=kind, parameters=parameters, user=SYSTEM, progress=lambda share, text: None)


def member(study: Study, role: str) -> User:
    user = UserFactory()
    study.memberships.create(user=user, role=role)
    return user


def browser_of(study: Study, role: str = "owner") -> Client:
    """Return a client that is signed in as a user with this role in the study."""
    client = Client()
    client.force_login(member(study, role) if role != "owner" else study.memberships.get(role="owner").user)
    return client


def page_of(study: Study, place: str = "") -> str:
    return f"/console/{study.public_id}/{place}"


def somebody(study: Study) -> Participation:
    return study.participations.order_by("pk").first()  # type: ignore[return-value]
