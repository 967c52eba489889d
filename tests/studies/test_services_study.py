"""Tests of studies: creation, settings, states and members."""

from decimal import Decimal

import pytest

from annotate.core.permissions import SYSTEM
from annotate.models import Event, Study
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import (
    archive_study,
    close_study,
    create_study,
    missing_before_opening,
    open_study,
    pause_study,
)
from tests.factories import MembershipFactory, UserFactory, add_items, do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


def test_a_new_study_is_a_draft_with_its_owner():
    user = UserFactory()
    study = create_study(user=user, title="Relatedness", task_type="bws", consent="I agree.", reward="0.25")
    study.refresh_from_db()
    assert (study.state, study.reward, study.options["size"]) == ("draft", Decimal("0.25"), 4)
    assert study.memberships.get().user == user
    assert study.consents.get().version == 1
    assert study.events.get().verb == "created"


def test_a_new_study_has_the_default_texts_in_its_language():
    user = UserFactory()
    german = create_study(user=user, title="T", task_type="words", language="de-AT")
    assert german.instructions.startswith("Sie sehen zwei Sätze")
    assert german.examples.startswith("In diesen Beispielen")
    own = create_study(user=user, title="T", task_type="chunks", language="de", instructions="Bitte lesen.")
    assert (own.instructions, own.examples[:8]) == ("Bitte lesen.", "> [ Zwei")
    other = create_study(user=user, title="T", task_type="paraphrase", language="fr")
    assert other.instructions.startswith("You see a sentence")
    pairs = create_study(user=user, title="T", task_type="bws", language="de", options={"noun": "Satzpaar"})
    assert [pairs.options[name] for name in ("noun", "most")] == ["Satzpaar", "am engsten verwandt"]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"reward": "-1"}, "reward"),
        ({"reward": "a lot"}, "reward"),
        ({"rule_threshold": "1.2"}, "rule_threshold"),
        ({"judgements": 0}, "judgements"),
        ({"questions_per_hit": 0}, "questions_per_hit"),
        ({"order": "backwards"}, "order"),
        ({"rule_measure": "charm"}, "rule_measure"),
        ({"slot_openings": 7}, "slot_openings"),
        ({"options": {"size": 2}}, "options.size"),
        ({"options": {"size": "four"}}, "options.size"),
        ({"options": {"target": 1.5}}, "options.target"),
    ],
)
def test_settings_that_cannot_be_are_named_and_nothing_is_made(settings, field):
    with pytest.raises(Refused, match="The settings contain errors") as refused:
        create_study(user=UserFactory(), title="T", task_type="bws", **settings)
    assert list(refused.value.fields) == [field]
    assert not Study.objects.exists()


def test_what_would_change_the_meaning_of_answers_is_locked_once_open():
    study = make_study()
    user = study.members.get()
    locked = {
        "seed": 9,
        "questions_per_hit": 3,
        "order": "hits",
        "gold_block": 2,
        "judgements": 4,
        "language": "de",
        "pilot_hits": 2,
    }
    for name, value in locked.items():
        with pytest.raises(Refused, match=f"settings are locked: .*{name}"):
            change_settings(study.pk, user=user, **{name: value})
    with pytest.raises(Refused, match=r"options\.size"):
        change_settings(study.pk, user=user, options={"size": 5})
    before = Study.objects.values().get(pk=study.pk)
    assert before == Study.objects.values().get(pk=study.pk)
    changed = change_settings(study.pk, user=user, reward="0.75", lease_minutes=30, options={"target": 0.9})
    assert (changed.reward, changed.options["target"]) == (Decimal("0.75"), 0.9)
    event = study.events.get(verb="changed settings")
    assert event.detail["reward"] == ["0.5000", "0.75"]
    assert event.detail["options.target"] == [0.85, 0.9]


def test_the_reward_is_copied_when_a_hit_is_taken():
    study = make_study()
    ann = make_annotator(study)
    assert do_hit(ann).reward == Decimal("0.5")
    change_settings(study.pk, user=study.members.get(), reward="0.8")
    assert do_hit(ann).reward == Decimal("0.8")
    assert set(study.assignments.values_list("reward", flat=True)) == {Decimal("0.5"), Decimal("0.8")}


def test_settings_that_stay_the_same_are_not_logged():
    study = make_study()
    change_settings(study.pk, user=study.members.get(), title=study.title, questions_per_hit=study.questions_per_hit)
    assert not study.events.filter(verb="changed settings").exists()


def test_everything_that_is_missing_before_opening_is_named_at_once():
    study = make_study(items=0, state="draft", instructions=" ", gold_block=5, rule_threshold="0.7")
    with pytest.raises(Refused, match="Import items") as refused:
        open_study(study.pk, user=SYSTEM)
    assert refused.value.fields.keys() == {"design", "instructions", "gold"}


@pytest.mark.parametrize("change", [{"judgements": 3}, {"questions_per_hit": 4}, {"seed": 2}])
def test_a_design_that_no_longer_fits_the_settings_must_be_built_again(change):
    study = make_study(state="draft")
    assert missing_before_opening(study) == {}
    change_settings(study.pk, user=study.members.get(), **change)
    assert "Rebuild the questions" in missing_before_opening(Study.objects.get(pk=study.pk))["design"]


def test_items_added_after_the_design_ask_for_a_new_one():
    study = make_study(state="draft")
    add_items(study, 2, prefix="late")
    assert "Rebuild the questions" in missing_before_opening(study)["design"]


def test_a_study_goes_its_way_and_every_step_is_logged_once():
    study = make_study(state="draft")
    user = MembershipFactory(study=study, role="owner").user
    for step in (open_study, open_study, pause_study, open_study, close_study, open_study, close_study, archive_study):
        step(study.pk, user=user)
    verbs = Event.objects.filter(study=study, user=user).order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["open", "paused", "open", "closed", "open", "closed", "archived"]
    with pytest.raises(Refused, match="This study is archived"):
        open_study(study.pk, user=user)
    with pytest.raises(Refused, match="This study is archived"):
        close_study(study.pk, user=user)


def test_an_open_study_cannot_be_archived():
    with pytest.raises(Refused, match="The state of the study cannot change from “open” to “archived”"):
        archive_study(make_study().pk, user=SYSTEM)


def test_a_membership_is_one_of_a_kind():
    from django.db import IntegrityError, transaction

    membership = MembershipFactory(study=make_study())
    with pytest.raises(IntegrityError), transaction.atomic():
        MembershipFactory(study=membership.study, user=membership.user)
