"""Tests that set up a study in the console: create the study, import files, build the design and open the study."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotate import tasktypes
from annotate.core.services.jobs import run
from annotate.data.services.uploads import cell_limit
from annotate.models import Assignment, Job, Participation, Study, Upload, User
from annotate.server.refusals import Refused
from annotate.studies.services.study import open_study
from tests.console_setup import at, bring, brought, pairs, save
from tests.factories import UserFactory, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return UserFactory()


@pytest.fixture
def signed_in(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


# ── a new study ───────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("slug", [task.slug for task in tasktypes.installed()])
def test_a_new_study_needs_a_title_a_task_and_who_answers(signed_in: Client, owner: User, slug: str) -> None:
    new = {"title": "Round 1", "task_type": slug}
    for who, admission in (("team", "named"), ("crowd", "anonymous")):
        response = signed_in.post(reverse("console:new"), new | {"who_answers": who})
        study = Study.objects.latest("pk")
        assert response.url == at("overview", study)
        assert (study.title, study.task_type, study.admission) == ("Round 1", slug, admission)
        assert study.memberships.get().user == owner
    for name in (*new, "who_answers"):
        answers = new | {"who_answers": "team"}
        del answers[name]
        assert signed_in.post(reverse("console:new"), answers).context["form"].errors.keys() == {name}
    assert Study.objects.count() == 2


@pytest.mark.nightly
@pytest.mark.parametrize("slug", ["bws", "words"])
def test_default_texts_follow_the_language_of_a_draft_unless_they_are_changed(signed_in: Client, slug: str) -> None:
    signed_in.post(reverse("console:new"), {"title": "Round 1", "task_type": slug, "who_answers": "team"})
    study = Study.objects.get()
    assert "in English, German, Spanish and Arabic." in markup(signed_in.get(at("settings-step", study, "texts")))
    windows = {"instructions": study.instructions.replace("\n", "\r\n"), "examples": "My example."}
    for language, noun, start in (
        ("de", "Paar", "Sie sehen"),
        ("es", "par", "Verá"),
        ("ar", "زوج", "تظهر"),
        ("en", "pair", ""),
    ):
        save(signed_in, study, "texts", language=language, **windows)
        study.refresh_from_db()
        assert study.examples == "My example."
        if slug == "bws":
            assert study.options.get("noun") == noun
        assert study.instructions.startswith(start)
        windows = {}
    assert "Sie sehen" not in study.instructions
    save(signed_in, study, "texts", instructions="Read both.", language="de")
    study.refresh_from_db()
    assert study.instructions == "Read both."


def test_a_service_that_refuses_is_heard_at_the_field(signed_in: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**settings: Any) -> Study:
        raise Refused("invalid", "No.", fields={"title": ["is taken"], "elsewhere": ["is odd"]})

    monkeypatch.setattr("annotate.studies.pages.new_study.create_team_study", refuse)
    new = {"title": "Round 1", "task_type": "bws", "who_answers": "team"}
    response = signed_in.post(reverse("console:new"), new)
    assert response.status_code == 422
    assert response.context["form"].errors == {"title": ["This is taken."], "__all__": ["elsewhere: is odd"]}


def test_texts_that_a_crowd_needs_are_called_required(signed_in: Client, owner: User) -> None:
    crowd = make_study(items=0, state="draft", user=owner)
    team = make_study(items=0, state="draft", user=owner, admission="named")
    page, other = (markup(signed_in.get(at("settings-step", study, "texts"))) for study in (crowd, team))
    assert page.count("required to open the study") == 3
    assert other.count("required to open the study") == 1, "the instructions"
    refused = save(signed_in, crowd, "texts", contact="Ada")
    assert refused.status_code == 422
    assert "a name and an e-mail address" in refused.context["form"].errors["contact"][0]


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
    assert "2 errors in the file" in page
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


def test_the_limits_of_a_file_are_said(signed_in: Client, owner: User, settings: Any) -> None:
    settings.LIMIT_ROWS = 1_234
    study = make_study(items=0, state="draft", user=owner)
    assert "1,234 rows." in markup(signed_in.get(at("items", study)))
    assert cell_limit(Study(task_type="layout")) > 1_234, "batches of layouts contain whole documents"


def test_a_file_over_the_limit_is_not_kept(signed_in: Client, owner: User, settings: Any) -> None:
    settings.LIMIT_UPLOAD_BYTES = 100
    study = make_study(items=0, state="draft", user=owner)
    response = bring(signed_in, study, pairs(50))
    assert response.status_code == 422
    assert "A file can have at most 100 bytes." in markup(response)
    assert not Upload.objects.filter(filename="file.csv").exists()


@pytest.mark.nightly
def test_a_large_file_becomes_a_job(
    signed_in: Client, owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.core.services.jobs.notify_worker", lambda job_id, kind: None)
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
@pytest.mark.nightly
def test_the_design_shows_checks_and_cost(signed_in: Client, owner: User) -> None:
    study = make_study(items=12, gold=6, judgements=2, state="draft", user=owner, design=False)
    assert "Build the design" in markup(signed_in.get(at("design", study)))
    response = signed_in.post(at("build-design", study), follow=True)
    page = markup(response)
    assert "The questions are ready" in page
    cost = response.context["cost"]
    assert (cost.questions, cost.judgements, cost.hits, cost.assignments) == (24, 48, 5, 10)
    assert "$5.00" in page


def test_too_few_items_are_refused_with_what_would_help(signed_in: Client, owner: User) -> None:
    study = make_study(items=3, state="draft", user=owner, design=False)
    response = signed_in.post(at("build-design", study))
    assert response.status_code == 400
    assert "4" in response.context["refusal"].message
    study.refresh_from_db()
    assert study.design is None


@pytest.mark.nightly
def test_opening_names_everything_that_is_missing(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner, gold_block=5, rule_threshold="0.7", instructions="")
    Study.objects.filter(pk=study.pk).update(contact="")
    response = signed_in.post(at("open", study))
    page = markup(response)
    assert response.status_code == 409
    assert response.context["missing"] == 2, "the texts and the gold questions"
    assert f'href="{at("settings-step", study, "texts")}#id_instructions"' in page
    assert "Annotators need guidelines." in page
    assert "Annotators need a contact for questions." in page
    assert "The quality rule needs gold questions" in page
    assert f'href="{at("settings-step", study, "quality")}#id_gold_block"' in page
    study.refresh_from_db()
    assert study.state == "draft"


def test_each_task_says_what_annotators_do(signed_in: Client) -> None:
    page = markup(signed_in.get(reverse("console:new")))
    for task in tasktypes.installed():
        assert task.purpose
        assert f"{task.name}: {task.purpose}" in page


@pytest.mark.nightly
def test_the_settings_of_a_draft_lead_back_to_set_up(signed_in: Client, owner: User) -> None:
    for state in ("draft", "open"):
        study = make_study(items=8, state=state, user=owner)
        leads = f'<a href="{at("overview", study)}">Continue to Set up</a>' in markup(
            signed_in.get(at("settings-step", study, "texts"))
        )
        assert leads == (state == "draft")


def test_opening_a_crowds_study_leads_to_its_link(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    opened = signed_in.post(at("open", study), follow=True)
    study.refresh_from_db()
    assert study.is_open
    assert opened.redirect_chain[-1][0] == f"/console/{study.public_id}/recruit/"
    assert 'id="join-link"' in markup(opened)


@pytest.mark.nightly
def test_a_study_on_prolific_shows_only_the_url_that_works_there(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    place = f"/console/{study.public_id}/settings/prolific/"
    chosen_at = f"/console/{study.public_id}/settings/people/#id_recruitment"
    assert chosen_at in markup(signed_in.get(f"/console/{study.public_id}/recruit/"))
    save(signed_in, study, "people", recruitment="prolific")
    page = markup(signed_in.get(at("overview", study)))
    assert place in page
    assert "Then you get the URL and the codes for Prolific." in page
    assert " an hour at the usual speed." in page
    opened = signed_in.post(at("open", study), follow=True)
    assert opened.redirect_chain[-1][0] == place
    assert "Enter the URL and the codes below on Prolific." in markup(opened)
    recruit = markup(signed_in.get(f"/console/{study.public_id}/recruit/"))
    assert study.join_token not in recruit
    assert recruit.index(place) < recruit.index("Prolific submissions")


def test_a_design_that_settings_have_left_behind_wants_to_be_built_anew(signed_in: Client, owner: User) -> None:
    study = make_study(items=8, state="draft", user=owner)
    save(signed_in, study, "task", questions_per_hit=4)
    page = markup(signed_in.get(at("design", study)))
    assert "since the questions were built" in page
    assert "The questions are ready" not in page


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
