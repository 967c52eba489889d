"""Tests of the settings, the history and the tokens in the console."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.forms import Form
from django.test import Client
from django.urls import reverse

from annotate import tasktypes
from annotate.core.services.log import record
from annotate.core.setting_steps import STEPS, setting_place, step_of
from annotate.models import Event, Study, User
from annotate.questions.services import decisions
from annotate.studies.forms.shown import in_words
from annotate.studies.forms.study import StudyForm
from annotate.studies.services.settings import change_settings, write_consent
from annotate.studies.services.study import create_study, open_study
from annotate.studies.services.team import create_team_study
from annotate.web.forms import option_field
from tests.console_setup import at, form_values, save
from tests.factories import PASSWORD, UserFactory, make_study, member_of
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return UserFactory()


@pytest.fixture
def signed_in(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_settings_are_saved_and_a_new_consent_text_is_a_new_version(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner, consent="First.")
    save(signed_in, study, "task", title="Round 2")
    save(signed_in, study, "texts", consent="Second.")
    save(signed_in, study, "pay", reward="0.75")
    study.refresh_from_db()
    assert (study.title, str(study.reward)) == ("Round 2", "0.7500")
    assert [consent.text for consent in study.consents.all()] == ["First.", "Second."]
    save(signed_in, study, "texts")
    assert study.consents.count() == 2


@pytest.mark.nightly
def test_a_pilot_begins_with_its_hits_only(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    save(signed_in, study, "pilot")
    study.refresh_from_db()
    assert not study.piloting
    save(signed_in, study, "pilot", pilot_hits="3")
    study.refresh_from_db()
    assert (study.pilot_hits, study.piloting) == (3, True)
    change_settings(study.pk, piloting=False, user=owner)
    save(signed_in, study, "pilot")
    study.refresh_from_db()
    assert (study.pilot_hits, study.piloting) == (3, False), "the page does not begin a pilot again"
    save(signed_in, study, "pilot", pilot_hits="0")
    study.refresh_from_db()
    assert (study.pilot_hits, study.piloting) == (0, False)


def shown(study: Study) -> set[str]:
    """Return the names of the settings that the pages show at rest."""
    task = tasktypes.get(study.task_type)
    forms = [StudyForm(task=task, study=study, step=step) for step in STEPS]
    rows = [row for form in forms for group in (*form.groups(), form.locked()) for row in group.rows]
    return {row.field.name for row in rows if not row.is_hidden}


@pytest.mark.nightly
def test_a_setting_is_shown_once_it_is_in_use_or_has_another_value(owner: User) -> None:
    study = create_team_study(title="New", task_type="bws", user=owner, practice=False)
    at_rest = shown(study)
    of_others = {
        "reward": (3, {"payment_terms", "currency", "planned_hourly_wage", "budget_cap"}),
        "gold_block": (5, {"rule_threshold", "rule_minimum"}),
        "practice": (True, {"qualification_mark"}),
        "annotator_limit": (9, {"waiting_list"}),
        "pilot_hits": (2, {"pilot_counts"}),
        "put_aside_allowed": (7, {"put_aside_allowed"}),
        "minimum_hourly_wage": (4, {"minimum_hourly_wage"}),
    }
    for name, (value, others) in of_others.items():
        assert not others & at_rest
        setattr(study, name, value)
        at_rest |= others
        assert shown(study) == at_rest
    study.options["target"] = 0.9
    assert shown(study) == at_rest | {"option_target"}
    write_consent(study.pk, "We store your answers.", user=owner)
    assert shown(study) - at_rest >= {"consent_pays_stopped", "pay_stopped", "activity_summaries"}


def test_a_page_hides_what_is_not_in_use_and_keeps_its_value(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    place = at("settings-step", study, "task")
    assert "data-all-settings" in markup(signed_in.get(place))
    stale = form_values(study, step="task")
    change_settings(study.pk, put_aside_allowed=7, user=owner)
    assert signed_in.post(place, stale).status_code == 422, "another member has changed the settings"
    study.refresh_from_db()
    save(signed_in, study, "task", judgements="4")
    study.refresh_from_db()
    assert (study.put_aside_allowed, study.judgements) == (7, 4)


def test_the_minimum_of_the_quality_rule_names_its_hidden_unit(signed_in: Client, owner: User) -> None:
    for task, unit in {"bws": "gold answers", "paraphrase": "submitted HITs"}.items():
        study = create_study(title="New", task_type=task, user=owner)
        assert "rule_unit" not in shown(study)
        assert f"Minimum {unit} before the rule applies" in markup(signed_in.get(at("settings-step", study, "quality")))


@pytest.mark.parametrize("task", ["bws", "paraphrase", "words", "chunks", "layout"])
@pytest.mark.parametrize("create", [create_team_study, create_study])
def test_a_new_study_shows_few_settings(owner: User, create: Callable[..., Study], task: str) -> None:
    study = create(title="New", task_type=task, user=owner)

    assert len(shown(study)) <= 33


def test_a_stale_form_replaces_nothing_and_loses_nothing(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    stale = form_values(study, step="task", title="Mine")
    save(signed_in, study, "pay", reward="2")
    save(signed_in, study, "task", judgements="5")
    response = signed_in.post(at("settings", study), stale)
    assert response.status_code == 422
    page = markup(response)
    assert "Another member has changed the settings" in page
    assert 'value="Mine"' in page
    study.refresh_from_db()
    assert (study.title, study.reward, study.judgements) == ("Relatedness", 2, 5)
    again = stale | {"seen": response.context["form"].data["seen"]}
    signed_in.post(at("settings", study), again)
    study.refresh_from_db()
    assert study.title == "Mine"


def test_a_reviewer_reads_only_what_a_reviewer_can_do(client: Client) -> None:
    study = make_study(items=8)
    client.force_login(member_of(study, "reviewer"))
    page = markup(client.get(at("settings", study)))
    assert "Only owners and managers can change settings." in page
    assert "You can add judgements" not in page
    assert "Copy and close" not in page
    client.force_login(member_of(study, "manager"))
    assert "Copy and close" in markup(client.get(at("settings", study)))
    assert "Remove the personal data of one annotator" in markup(client.get(at("states", study)))


def test_a_number_that_means_no_value_is_shown_in_words() -> None:
    for value, shown in ((-1, "not set"), (0, "0")):
        form = Form({"double": value})
        [option] = [each for each in tasktypes.get("words").options if each.name == "double"]
        form.fields["double"] = option_field(option)
        assert in_words(form["double"]) == shown


def test_what_answers_depend_on_is_locked_once_open(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, user=owner)
    shown = at("settings", study)
    assert "Locked since" not in markup(signed_in.get(at("settings", make_study(items=8, state="draft", user=owner))))
    locked = markup(signed_in.get(shown)).partition("Locked since")[2]
    assert "<td>5</td>" in locked
    assert "You can add judgements on Overview, under ⋯ (More actions)." in locked
    assert 'name="questions_per_hit"' not in locked
    save(signed_in, study, "task", questions_per_hit="50", option_size="3", judgements="9")
    save(signed_in, study, "pay", reward="3")
    study.refresh_from_db()
    assert (study.questions_per_hit, study.options["size"], study.judgements, study.reward) == (5, 4, 1, 3)


def test_a_study_is_paused_closed_and_archived(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, user=owner)
    for deed, state in (("pause", "paused"), ("open", "open"), ("close", "closed"), ("archive", "archived")):
        signed_in.post(at("change-state", study, deed))
        study.refresh_from_db()
        assert study.state == state
    refused = signed_in.post(at("change-state", study, "open"), follow=True)
    assert "This study is archived, so it cannot be changed." in markup(refused)
    assert signed_in.post(at("change-state", study, "delete")).status_code == 404


# ── history, tokens ──────────────────────────────────────────────────────────────────────────────────
def test_history_tells_who_did_what_and_can_be_narrowed(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    open_study(study.pk, user=owner)
    save(signed_in, study, "pay", reward="4")
    page = signed_in.get(at("history", study))
    assert [line.verb for line in page.context["lines"]][:2] == ["changed settings", "open"]
    assert ("reward", "0.5000", "4") in page.context["lines"][0].details
    narrowed = signed_in.get(at("history", study), {"verb": "open", "who": owner.name})
    assert [line.verb for line in narrowed.context["lines"]] == ["open"]
    assert not signed_in.get(at("history", study), {"who": "nobody"}).context["lines"]
    assert Event.objects.filter(study=study).count() == page.context["page"].paginator.count


def test_history_describes_decisions_in_words(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, user=owner)
    first = study.questions.filter(kind="regular")[0]
    decisions.decide(first.pk, {"best": 1, "worst": 4}, user=owner)
    decisions.decide(first.pk, {"best": 4, "worst": 1}, user=owner)
    record(study, decisions.DECIDED, user=owner, question=first.ref, value=None, keep_both=True)
    kept, changed, decided = signed_in.get(at("history", study)).context["lines"][:3]
    assert set(decided.details) == {
        ("question", first.ref, None),
        ("value", "best 1, worst 4", None),
        ("keep both", "no", None),
    }
    assert ("before", "best 1, worst 4", None) in changed.details
    assert ("value", "best 4, worst 1", None) in changed.details
    assert "earlier" not in {name for name, _, _ in changed.details}
    assert ("keep both", "yes", None) in kept.details


def test_a_token_is_shown_once_and_works(signed_in: Client) -> None:
    signed_in.post("/accounts/reauthenticate/", {"password": PASSWORD})
    made = signed_in.post(reverse("console:tokens"), {"name": "export", "scope": "read", "days": "30"})
    key = made.context["key"]
    assert made.status_code == 201
    assert key in markup(made)
    assert key not in markup(signed_in.get(reverse("console:tokens")))
    assert signed_in.post(reverse("console:tokens"), {"name": "  ", "scope": "read", "days": "30"}).status_code == 422


@pytest.mark.nightly
def test_every_page_carries_the_strict_policy(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, gold=4, user=owner)
    for name in ("items", "design", "gold", "settings", "members", "history"):
        response = signed_in.get(at(name, study))
        policy = response["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "style=" not in markup(response), name
        for part in markup(response).split("<script")[1:]:
            tag = part.split(">")[0]
            assert "src=" in tag or "application/json" in tag, name


def test_settings_say_what_the_form_cannot_take(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    response = save(signed_in, study, "task", option_factor="-1", lease_minutes="0")
    assert set(response.context["form"].errors) == {"option_factor", "lease_minutes"}
    assert json.loads(json.dumps(study.options))["factor"] == 2.0


@pytest.mark.nightly
def test_each_setting_is_on_the_page_that_links_lead_to(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    make_study(items=0, state="draft", user=owner)  # a study that can be excluded
    pages = {step.slug: markup(signed_in.get(at("settings-step", study, step.slug))) for step in STEPS}
    of_task = ("title", "option_size")
    names = [*of_task, *(name for step in STEPS for name in step.names if name not in step.hidden)]
    for name in names:
        page, _, anchor = setting_place(name).removeprefix("settings/").partition("/#")
        assert f'id="{anchor}"' in pages[page], name
    assert len(names) == len(set(names))
    assert signed_in.get(at("settings-step", study, "unknown")).status_code == 404
    links = [
        (path.name, *link)
        for path in Path(settings.BASE_DIR).glob("**/templates/**/*.html")
        for link in re.findall(r"'console:settings-step' study.public_id '(\w+)' %}#id_(\w+)", path.read_text())
    ]
    assert len(links) >= 2
    assert [link for link in links if step_of(link[2]).slug != link[1]] == []
