"""Tests of studies for a small team and for a crowd."""

from typing import Any

import pytest

from annotate import tasktypes
from annotate.models import Study
from annotate.recruiting.services.groups import add_group
from annotate.recruiting.services.named import add_named, remove_named
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import missing_before_opening, open_study
from annotate.studies.services.team import create_team_study, make_crowd, make_team
from tests.factories import UserFactory, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _without_texts_of_the_installation(settings: Any) -> None:
    settings.PRIVACY_NOTICE = settings.CONTACT = ""


@pytest.mark.parametrize("slug", [task.slug for task in tasktypes.installed()])
def test_a_team_lacks_only_questions(slug: str) -> None:
    user = UserFactory()
    study = create_team_study(user=user, title="T", task_type=slug, annotators=["Ada", " ", "Bea"])
    assert missing_before_opening(study).keys() <= {"design", "instructions"}
    assert [named.name for named in study.named_annotators.order_by("pk")] == ["Ada", "Bea"]
    assert study.contact == f"{user.name}, {user.email}"
    assert (study.gold_block, study.rule_threshold, study.reward, study.consents.count()) == (0, 0, 0, 0)


def test_one_annotator_answers_every_question_and_more_share_them() -> None:
    def judgements(*names: str, **settings: Any) -> int:
        user = UserFactory()
        return create_team_study(user=user, title="T", task_type="bws", annotators=names, **settings).judgements

    default = Study._meta.get_field("judgements").default
    assert [judgements("Ada"), judgements(*"ABCDEF"), judgements()] == [1, default, default]
    assert judgements("Ada", judgements=3) == 3


def test_the_judgements_follow_the_named_annotators_until_somebody_sets_them() -> None:
    user = UserFactory()
    study = create_team_study(user=user, title="T", task_type="paraphrase")

    def judgements() -> int:
        study.refresh_from_db()
        return study.judgements

    usual = judgements()
    three = add_named(study.pk, ["Ada", "Bea", "Cem"], user=user)
    assert judgements() == 3
    add_named(study.pk, ["Dan", "Eve", "Fay", "Gil"], user=user)
    assert judgements() == usual
    for person in three:
        remove_named(study.pk, person.public_id, user=user)
    assert judgements() == 4
    change_settings(study.pk, user=user, judgements=2)
    add_named(study.pk, ["Hal"], user=user)
    assert judgements() == 2


def test_a_faulty_name_creates_no_study() -> None:
    with pytest.raises(Refused):
        create_team_study(user=UserFactory(), title="T", task_type="bws", annotators=["Ada", "Ada"])
    assert not Study.objects.exists()


def test_an_account_without_a_name_is_no_contact() -> None:
    study = create_team_study(user=UserFactory(name=""), title="T", task_type="bws", annotators=["Ada"])
    assert study.contact == ""
    assert missing_before_opening(study).keys() == {"design"}


def test_a_group_link_admits_strangers_who_need_a_notice() -> None:
    study = create_team_study(user=UserFactory(), title="T", task_type="bws", annotators=["Ada"])
    study.groups.create(name="Students")
    assert missing_before_opening(study).keys() == {"design", "privacy_notice"}


def test_a_team_becomes_a_crowd_that_lacks_what_strangers_need() -> None:
    user = UserFactory(name="")
    study = create_team_study(user=user, title="T", task_type="paraphrase", annotators=["Ada"])
    crowd = make_crowd(study.pk, user=user)
    assert (crowd.gold_block, float(crowd.rule_threshold)) == (3, 0.5)
    assert missing_before_opening(crowd).keys() == {"design", "privacy_notice", "contact", "gold"}


def test_a_crowd_becomes_a_team_and_keeps_texts_pay_and_gold() -> None:
    study = make_study(
        state="draft", gold=4, gold_block=5, rule_threshold="0.7", recruitment="prolific", consent="Yes."
    )
    user = study.members.get()
    team = make_team(study.pk, user=user)
    assert (team.admission, team.recruitment, team.gold_block, team.reward) == ("named", "links", 5, study.reward)
    assert team.consents.get().text == "Yes."
    add_named(team.pk, ["Ada", "Bea"], user=user)
    assert open_study(team.pk, user=user).is_open
    with pytest.raises(Refused, match="locked"):
        make_crowd(team.pk, user=user)


def test_an_open_team_admits_strangers_only_with_a_notice_and_a_contact() -> None:
    study = make_study(state="draft", admission="named", judgements=1, privacy_notice="", contact="")
    user = study.members.get()
    add_named(study.pk, ["Ada"], user=user)
    open_study(study.pk, user=user)
    with pytest.raises(Refused, match=r"privacy notice.*e-mail address"):
        add_group(study.pk, "Students", user=user)
    assert not study.groups.exists()
    texts = {"privacy_notice": "We keep your answers.", "contact": "Ada, ada@example.org"}
    change_settings(study.pk, user=user, **texts)
    add_group(study.pk, "Students", user=user)
    for name in texts:
        with pytest.raises(Refused) as refused:
            change_settings(study.pk, user=user, **{name: ""})
        assert refused.value.fields.keys() == {name}


def test_a_waiting_list_does_not_prevent_a_team() -> None:
    study = make_study(state="draft", annotator_limit=3, waiting_list=True)
    assert not make_team(study.pk, user=study.members.get()).waiting_list
    assert study.gold_block == 0
