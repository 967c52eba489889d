"""Tests that set up a study in the console: create the study, import files, build the design, open the study, and
change its settings.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate import tasktypes
from annotate.forms.study import StudyForm, fingerprint
from annotate.models import Assignment, Event, Job, Participation, Study, Upload, User
from annotate.refusals import Refused
from annotate.services import decisions
from annotate.services.jobs import run
from annotate.services.log import record
from annotate.services.study import open_study
from annotate.services.uploads import cell_limit
from annotate.setting_steps import BY_SLUG, STEPS, setting_place, step_of
from tests.factories import PASSWORD, UserFactory, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return UserFactory()


@pytest.fixture
def signed_in(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def at(name: str, study: Study, *more: str) -> str:
    return reverse(f"console:{name}", args=[study.public_id, *more])


def form_values(study: Study | None = None, slug: str = "bws", step: str = "", **changes: Any) -> dict[str, Any]:
    """Return the data that a browser would submit for the form as shown, with these changes."""
    task, page = tasktypes.get(slug), BY_SLUG.get(step)
    form = StudyForm(task=task, study=study, step=page)
    values = {name: form[name].value() for name in form.fields if not form.fields[name].disabled}
    values = {name: value for name, value in values.items() if value is not None and value is not False}
    if study:
        values["seen"] = fingerprint(study, task, page)
    return {**values, "task_type": slug, **changes}


def save(client: Client, study: Study, step: str, **changes: Any) -> HttpResponse:
    return client.post(at("settings-step", study, step), form_values(study, step=step, **changes))


def bring(
    client: Client, study: Study, text: str | bytes, purpose: str = "items", name: str = "file.csv"
) -> HttpResponse:
    data = text.encode() if isinstance(text, str) else text
    file = SimpleUploadedFile(name, data, "text/csv")
    return client.post(at("upload", study, purpose), {"file": file}, follow=True)


def brought() -> Upload:
    return Upload.objects.get(filename="file.csv")


def pairs(count: int) -> str:
    return "id,sentence1,sentence2\n" + "".join(f"p{n},One {n}.,Two {n}.\n" for n in range(count))


# ── a new study ───────────────────────────────────────────────────────────────────────────────────────────────
def test_a_title_is_all_that_a_new_study_needs(signed_in: Client, owner: User) -> None:
    response = signed_in.post(reverse("console:new"), form_values(title="Round 1"))
    study = Study.objects.get()
    assert response.url == at("items", study)
    assert study.options["size"] == 4
    assert study.memberships.get().user == owner
    assert study.rule_minimum == 10


@pytest.mark.parametrize("slug", [task.slug for task in tasktypes.installed()])
def test_so_it_is_for_every_type_of_task(signed_in: Client, slug: str) -> None:
    response = signed_in.post(reverse("console:new"), form_values(slug=slug, title="Round 1"))
    assert response.status_code == 302, response.context["form"].errors
    assert Study.objects.get().task_type == slug


@pytest.mark.parametrize("slug", ["bws", "words"])
def test_default_texts_come_in_the_language_of_the_study_unless_they_are_changed(signed_in: Client, slug: str) -> None:
    assert "available in English and German" in markup(signed_in.get(f"/console/new/?type={slug}"))
    values = form_values(slug=slug, language="de", title="Auf Deutsch")
    values = {name: str(value).replace("\n", "\r\n") for name, value in values.items()}
    signed_in.post("/console/new/", values | {"task_type": slug, "examples": "Mein Beispiel."})
    study = Study.objects.get(title="Auf Deutsch")
    assert study.examples == "Mein Beispiel."
    if slug == "bws":
        assert (study.options["noun"], study.options["most"]) == ("Paar", "am engsten verwandt")
    else:
        assert study.instructions.startswith("Sie sehen zwei Sätze")
    signed_in.post("/console/new/", values | {"task_type": slug, "title": "In English", "language": "en"})
    english = Study.objects.get(title="In English")
    assert english.options.get("noun", "pair") == "pair"
    assert "Sie sehen" not in english.instructions


def test_what_was_typed_stays_when_something_is_wrong(signed_in: Client) -> None:
    wrong = form_values(title="Round 1", option_size="9", currency="Dollar", consent="We keep answers.")
    response = signed_in.post(reverse("console:new"), wrong)
    page = markup(response)
    assert response.status_code == 422
    assert not Study.objects.exists()
    assert 'value="Round 1"' in page
    assert "We keep answers." in page
    assert set(response.context["form"].errors) == {"option_size", "currency"}
    assert 'aria-invalid="true"' in page


def test_a_service_that_refuses_is_heard_at_the_field(signed_in: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**settings: Any) -> Study:
        raise Refused("invalid", "No.", fields={"options.factor": ["is not for these items"], "elsewhere": ["is odd"]})

    monkeypatch.setattr("annotate.views.console.new_study.create_study", refuse)
    response = signed_in.post(reverse("console:new"), form_values(title="Round 1"))
    assert response.status_code == 422
    assert response.context["form"].errors == {
        "option_factor": ["This is not for these items."],
        "__all__": ["elsewhere: is odd"],
    }


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────
def test_items_come_in_after_a_preview(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    response = bring(signed_in, study, pairs(12))
    upload = brought()
    assert "Ready to import 12 items" in markup(response)
    assert study.items.count() == 0
    done = signed_in.post(at("import", study, upload.public_id), follow=True)
    assert "Accord imported 12 items from file.csv" in markup(done)
    assert study.items.filter(upload__revealed_at__isnull=False).count() == 12


def test_faults_name_line_and_column_and_nothing_comes_in(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    response = bring(signed_in, study, "id,sentence1,sentence2\na,One.,Two.\na,Three.,Four.\nb,,Six.\n")
    page = markup(response)
    assert "Nothing was imported: 2 errors" in page
    assert [(fault.line, fault.column) for fault in response.context["faults"]] == [(3, "id"), (4, "sentence1")]
    upload = brought()
    refused = signed_in.post(at("import", study, upload.public_id))
    assert refused.status_code == 400
    assert "Nothing was imported" in markup(refused)
    assert study.items.count() == 0


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"", "The file is empty."), (b"id,text\na,caf\xe9\n", "UTF-8"), (b"name,thing\na,b\n", "id")],
    ids=["empty", "encoding", "columns"],
)
def test_a_file_that_cannot_be_read_says_why(signed_in: Client, owner: User, data: bytes, says: str) -> None:
    study = make_study(items=0, state="draft", user=owner)
    assert says in markup(bring(signed_in, study, data))
    assert study.items.count() == 0


def test_the_limits_of_a_file_are_said_for_every_kind_of_cell(signed_in: Client, owner: User, settings: Any) -> None:
    settings.LIMIT_CELL = 1_234
    study = make_study(items=0, state="draft", user=owner)
    assert "1,234 characters per cell." in markup(signed_in.get(at("items", study)))
    assert cell_limit(Study(task_type="layout")) > 1_234, "batches of layouts contain whole documents"


def test_a_file_over_the_limit_is_not_kept(signed_in: Client, owner: User, settings: Any) -> None:
    settings.LIMIT_UPLOAD_BYTES = 100
    study = make_study(items=0, state="draft", user=owner)
    response = bring(signed_in, study, pairs(50))
    assert response.status_code == 422
    assert "A file can have at most 100 bytes." in markup(response)
    assert not Upload.objects.filter(filename="file.csv").exists()


def test_a_large_file_becomes_a_job(
    signed_in: Client, owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.services.jobs.notify_worker", lambda job_id: None)
    settings.ROWS_AT_ONCE = 2
    study = make_study(items=0, state="draft", user=owner)
    bring(signed_in, study, pairs(40))
    upload = brought()
    run(Job.objects.get(kind=f"preview-{upload.public_id}").pk)
    assert "Ready to import 40 items" in markup(signed_in.get(at("upload-preview", study, upload.public_id)))
    page = markup(signed_in.post(at("import", study, upload.public_id), follow=True))
    job = Job.objects.get(kind="import-items")
    assert job.parameters["upload"] == upload.public_id
    assert "The job is waiting for a free worker" in page
    assert study.items.count() == 0


def test_another_studys_upload_is_not_there(signed_in: Client, owner: User) -> None:
    study, other = (make_study(items=0, state="draft", user=each) for each in (owner, UserFactory()))
    upload = Upload.objects.create(study=other, purpose="items", filename="x", content=b"", size=0, sha256="")
    assert signed_in.get(at("upload-preview", study, upload.public_id)).status_code == 404
    assert signed_in.post(at("import", study, upload.public_id)).status_code == 404


def test_the_help_and_the_preview_speak_of_items_for_gold_only(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    assert "<code>gold_only</code>" in markup(signed_in.get(at("items", study)))
    rows = "".join(f"{n},Text {n}.,{'yes' if n == 2 else ''}\n" for n in range(9))
    preview = markup(bring(signed_in, study, "id,text,gold_only\n" + rows))
    assert '<th scope="col">gold only</th>' in preview
    assert '<td data-name="gold only" dir="auto">yes</td>' in preview
    assert "held" not in preview
    signed_in.post(at("import", study, brought().public_id))
    assert study.items.get(held_out=True).key == "2"


def test_items_are_found_by_id_and_by_text_in_any_script(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    bring(signed_in, study, "id,text\na,Kedi uyuyor\nb,猫が寝ている\nc,The dog barks\nd,Chien\n")
    signed_in.post(at("import", study, brought().public_id))
    for term, key in (("猫が", "b"), ("DOG", "c"), ("d", "d")):
        page = signed_in.get(at("items", study), {"q": term}, headers={"HX-Target": "rows"})
        assert key in [item.key for item in page.context["page"]], term
        assert "<html" not in markup(page)


# ── design and opening ────────────────────────────────────────────────────────────────────────────────────────
def test_the_design_shows_checks_cost_and_the_rule(signed_in: Client, owner: User) -> None:
    study = make_study(items=12, gold=6, judgements=2, state="draft", user=owner, design=False)
    assert "Build the design" in markup(signed_in.get(at("design", study)))
    response = signed_in.post(at("build-design", study), follow=True)
    page = markup(response)
    assert "Ready to open" in page
    cost = response.context["cost"]
    assert (cost.questions, cost.judgements, cost.hits, cost.assignments) == (24, 48, 5, 10)
    assert "$5.00" in page
    assert "The last HIT has only 4 of 5 regular questions" in page
    assert "See how often the rule stops careful and careless" in page


def test_too_few_items_are_refused_with_what_would_help(signed_in: Client, owner: User) -> None:
    study = make_study(items=3, state="draft", user=owner, design=False)
    response = signed_in.post(at("build-design", study))
    assert response.status_code == 400
    assert "4" in response.context["refusal"].message
    study.refresh_from_db()
    assert study.design is None


def test_opening_names_everything_that_is_missing(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner, gold_block=5, rule_threshold="0.7", instructions="")
    Study.objects.filter(pk=study.pk).update(contact="")
    response = signed_in.post(at("open", study))
    page = markup(response)
    assert response.status_code == 409
    assert "Not ready to open: 3 problems" in page
    assert f'href="{at("settings-step", study, "texts")}#id_contact"' in page
    assert "Annotators need guidelines." in page
    assert "The quality rule needs gold questions" in page
    study.refresh_from_db()
    assert study.state == "draft"


def test_a_study_opens(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    signed_in.post(at("open", study))
    study.refresh_from_db()
    assert study.is_open


def test_a_design_that_settings_have_left_behind_wants_to_be_built_anew(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    save(signed_in, study, "task", questions_per_hit=4)
    page = markup(signed_in.get(at("design", study)))
    assert "Build the design again" in page
    assert "Ready to open" not in page


def test_a_researcher_tries_the_study_and_nothing_of_it_counts(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    response = signed_in.post(at("try", study))
    assert response.url == reverse("annotator:hub", args=[study.public_id])
    assert Participation.objects.get().annotator.platform == "try"
    hub = markup(signed_in.get(response.url))
    assert "You are trying out this study." in hub
    assert f'href="{at("overview", study)}"' in hub
    signed_in.post(reverse("annotator:start", args=[study.public_id]))
    assert Assignment.objects.get().kind == "try"
    assert study.slots.filter(open=0).count() == 0


def test_a_try_out_shows_the_consent_text_as_annotators_see_it(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner, consent="We keep your answers for **ten** years.")
    hub = signed_in.post(at("try", study)).url
    assert "We keep your answers for <strong>ten</strong> years." in markup(signed_in.get(hub))
    open_study(study.pk, user=owner)
    annotator, join = Client(), reverse("annotator:join", args=[study.join_token])
    assert "We keep your answers for <strong>ten</strong> years." in markup(annotator.get(join))
    page = markup(annotator.post(join, {"consent": study.consents.get().version, "agree": "yes"}, follow=True))
    assert "Instructions" in page
    assert "for <strong>ten</strong> years" not in page
    assert "You are trying out" not in page


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────
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


def test_a_pilot_begins_with_its_hits_only(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    save(signed_in, study, "pilot")
    study.refresh_from_db()
    assert not study.piloting
    save(signed_in, study, "pilot", pilot_hits="3")
    study.refresh_from_db()
    assert (study.pilot_hits, study.piloting) == (3, True)
    without_box = {name: value for name, value in form_values(study, step="pilot").items() if name != "piloting"}
    signed_in.post(at("settings-step", study, "pilot"), without_box)
    study.refresh_from_db()
    assert (study.pilot_hits, study.piloting) == (3, False)


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


def test_what_answers_depend_on_is_locked_once_open(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, user=owner)
    page = markup(signed_in.get(at("settings", study)))
    assert "This setting is locked because the study has been opened" in page
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


def test_each_setting_is_on_the_page_that_links_lead_to(signed_in: Client, owner: User) -> None:
    study = make_study(items=0, state="draft", user=owner)
    make_study(items=0, state="draft", user=owner)  # a study that can be excluded
    pages = {step.slug: markup(signed_in.get(at("settings-step", study, step.slug))) for step in STEPS}
    names = ["title", "option_size", *(name for step in STEPS for name in step.names)]
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
