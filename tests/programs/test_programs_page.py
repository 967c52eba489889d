"""Tests of the page Programs and of the comparison of programs with people in the API."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from accord_core.exchange.program_tables import program_names
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.core.services.jobs import request_job, run
from annotate.core.services.standing import stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.models import Participation, Study
from annotate.programs.services.comparison import compare_programs
from annotate.programs.services.joining import add_program
from annotate.server.refusals import Refused
from tests.api.conftest import Api, refused
from tests.console_study import browser_of, collected, page_of
from tests.factories import make_study, raw_answer, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


def join_program(study: Study, name: str, *, hits: int = 100, right: bool = True) -> Participation:
    """Add a program that submits up to `hits` HITs."""
    program = add_program(study.pk, platform="system", name=name, user=SYSTEM)
    for _ in range(min(hits, study.hits.count())):
        assignment = take(program)
        answers = assignment.answers.select_related("question", "participation__study")
        submit(program.pk, assignment.public_id, [AnswerSent(a.position, raw_answer(a, right=right)) for a in answers])
    return program


@pytest.fixture(scope="module")
def shared(share: Callable[..., Study]) -> Study:
    """Return a study with three simulated people and two programs, of which one has submitted one HIT."""

    def build() -> Study:
        study = collected(items=8, gold=4)
        join_program(study, "model 1.0")
        join_program(study, "model 2.0", hits=1, right=False)
        compare_programs(study.pk, epsilon=0.1, fewest_questions=5, user=SYSTEM, progress=lambda share, text: None)
        return study

    return share(build)


@pytest.fixture
def study(shared: Study) -> Study:
    return Study.objects.get(pk=shared.pk)


def text_of(client: Client, study: Study, place: str = "programs/") -> str:
    return " ".join(markup(client.get(page_of(study, place))).split())


def test_the_page_lists_programs_and_compares_them_with_people(study: Study) -> None:
    page = text_of(browser_of(study, "viewer"), study)
    assert "2 programs" in page
    for cell in ("model 1.0", "People with other people", "People with “model 1.0”", "“model 1.0” with “model 2.0”"):
        assert f">{cell}<" in page
    for cell in ("4 of 4", "0 of 1", "The program has not answered all questions", "does not pass"):
        assert cell in page
    assert "“model 2.0” has no result. The test needs at least 3 annotators with 5 or more questions" in page
    assert "Compare programs with people</button>" not in page  # a viewer cannot calculate reports


def test_a_study_without_programs_explains_how_to_add_one() -> None:
    study = make_study()
    page = text_of(browser_of(study), study)
    assert "No programs yet" in page
    assert 'href="/help/programs/"' in page
    assert "Compare programs with people</button>" not in page


def test_a_program_without_submitted_hits_cannot_be_compared() -> None:
    study = make_study()
    add_program(study.pk, platform="system", name="model 1.0", user=SYSTEM)
    browser = browser_of(study)
    assert "after the program has submitted its first HIT" in text_of(browser, study)
    response = browser.post(page_of(study, "programs/compare/"), {"annotators": "crowd", "fewest_questions": 30})
    assert response.status_code == 302
    assert "No program has submitted a HIT in this study yet." in text_of(browser, study)
    assert not study.jobs.exists()
    with pytest.raises(Refused, match="No program has submitted"):
        compare_programs(study.pk, epsilon=0.1, user=SYSTEM, progress=lambda share, text: None)


@pytest.mark.parametrize(
    ("sent", "epsilon"),
    [
        ({"annotators": "experts"}, 0.2),
        ({"annotators": "trained", "epsilon": "0.5"}, 0.15),
        ({"annotators": "other", "epsilon": "0.05"}, 0.05),
    ],
)
def test_the_form_requests_a_job_with_the_chosen_epsilon(study: Study, sent: dict[str, str], epsilon: float) -> None:
    body = {"fewest_questions": "20", **sent}
    assert browser_of(study).post(page_of(study, "programs/compare/"), body).status_code == 302
    job = study.jobs.get(kind="programs")
    assert job.parameters == {"work": "programs", "epsilon": epsilon, "fewest_questions": 20}
    assert "Comparison of programs" in text_of(browser_of(study), study)


def test_the_list_of_jobs_and_the_job_link_to_the_comparison(study: Study) -> None:
    job = request_job(study, "programs", parameters={"epsilon": 0.2, "fewest_questions": 5}, user=SYSTEM)
    run(job.pk)
    for page in ("jobs/", f"jobs/{job.public_id}/"):
        panel = markup(browser_of(study).get(page_of(study, page))).partition('class="panel job"')[2]
        assert f'<a class="b b-main" href="{page_of(study, "programs/")}">' in panel


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"annotators": "other"}, "Enter a value of ε, or choose another kind of annotator."),
        ({"annotators": "other", "epsilon": "1"}, "less than or equal to 0.99"),
        ({"annotators": "crowd", "fewest_questions": "1"}, "greater than or equal to 2"),
        ({"annotators": "all"}, "Select a valid choice"),
    ],
)
def test_a_wrong_form_shows_its_errors(study: Study, sent: dict[str, str], message: str) -> None:
    response = browser_of(study).post(page_of(study, "programs/compare/"), {"fewest_questions": "30", **sent})
    assert response.status_code == 400
    assert message in markup(response)
    assert not study.jobs.exists()


def test_the_job_stores_a_report(study: Study) -> None:
    job = request_job(study, "programs", parameters={"epsilon": 0.2, "fewest_questions": 30}, user=SYSTEM)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    report = study.reports.get(kind="programs", number=2)
    assert report.parameters == {"epsilon": 0.2, "fewest_questions": 30}
    first = study.reports.get(kind="programs", number=1)
    assert report.result["agreement"] == first.result["agreement"]  # the same seed gives the same intervals
    assert all(
        "at least 3 annotators with 30 or more questions" in each["reason"] for each in report.result["alt_test"]
    )


def test_comparisons_can_be_downloaded(study: Study) -> None:
    browser = browser_of(study, "viewer")
    body = json.loads(browser.get(page_of(study, "programs/1/comparison.json")).content)
    assert body["result"]["answered"].keys() == {each["pseudonym"] for each in body["result"]["programs"]}
    for name, header, rows in (
        ("agreement", "one,other,figure,questions,value,low,high", 4 * 2),
        ("scores", "program,figure,items,value,low,high", 2),
        ("gold", "program,correct_gold_answers,gold_answers", 2),
        ("alt-test", "program,annotator,questions,system_advantage,own_advantage,p,p_corrected,p_published", 3),
    ):
        response = browser.get(page_of(study, f"programs/1/{name}.csv"))
        lines = b"".join(response.streaming_content).decode().splitlines()
        assert lines[0].startswith(header)
        assert len(lines) == 1 + rows
    for place in ("programs/1/else.csv", "programs/9/agreement.csv", "programs/9/comparison.json"):
        assert browser.get(page_of(study, place)).status_code == 404


def test_the_page_of_annotators_names_the_number_of_programs(study: Study) -> None:
    assert "Programs that joined through the API: 2." in text_of(browser_of(study), study, "annotators/")


def test_stopped_people_and_unsubmitted_hits_are_not_compared(study: Study) -> None:
    stopped = study.participations.annotators().order_by("pk").first()
    assert stopped is not None
    stop(stopped.pk, reason="careless", user=SYSTEM)
    take(add_program(study.pk, platform="system", name="model 3.0", user=SYSTEM))
    compare_programs(study.pk, epsilon=0.1, user=SYSTEM, progress=lambda share, text: None)
    result = study.reports.get(kind="programs", number=2).result
    assert result["people"] == 2
    assert sorted(result["answered"].values()) == [0, 5, 16]


def test_the_api_compares_programs(study: Study) -> None:
    user = study.memberships.get(role="owner").user
    owner = Api(f"Token {new_api_token(user, 'script')[1]}")
    path = f"studies/{study.public_id}/programs"
    listed = owner.get(path).json()
    assert [(each["name"], each["submitted_hits"]) for each in listed] == [
        ("model 1.0", study.hits.count()),
        ("model 2.0", 1),
    ]
    assert owner.get(f"{path}/comparison").json()["report"]["result"]["people"] == 3
    assert owner.post(f"{path}/comparison", {"epsilon": 0.15}).status_code == 202
    assert study.jobs.get(kind="programs").parameters["fewest_questions"] == 30
    refused(owner.post(f"{path}/comparison", {"epsilon": 1}), 400, "invalid", "epsilon")
    other = make_study(user=user)
    refused(owner.post(f"studies/{other.public_id}/programs/comparison", {"epsilon": 0.1}), 409, "no-programs")
    assert owner.get(f"studies/{other.public_id}/programs/comparison").json() == {"report": None}


def test_programs_with_the_same_name_stay_distinct() -> None:
    names = {"calm-owl": "model", "wise-fox": "model", "red-ant": "people", "old-bee": ""}
    programs = [{"pseudonym": who, "name": name} for who, name in names.items()]
    assert program_names({"programs": programs}) == {
        "calm-owl": "model (calm-owl)",
        "wise-fox": "model (wise-fox)",
        "red-ant": "people (red-ant)",
        "old-bee": "old-bee",
    }


def copied(annotator: str, p: float, **changes: object) -> dict[str, object]:
    figures = {"units": 200, "same": 150, "expected_same": 141.4, "program_errors": 41.0, "share": 0.3, "low": 0.125}
    further = {"high": 0.45, "noticeable": 0.2, "unusual": p <= 0.01, "can_tell": True}
    return {"annotator": annotator, "p": p, **figures, **further, **changes}


def test_the_page_leads_with_annotators_who_may_have_copied_answers(study: Study) -> None:
    stored = study.reports.get(kind="programs").result
    one, other = (each["pseudonym"] for each in stored["programs"])
    tests = [copied("wise-fox", 0.003), *(copied(f"calm-owl-{n}", 0.5) for n in range(9))]
    tests += [copied("red-ant", 0.5, can_tell=False)]
    by_program = [{"program": one, "annotators": tests}, {"program": other, "annotators": []}]
    study.reports.create(number=2, kind="programs", seed=1, result={**stored, "copying": by_program})
    browser = browser_of(study, "viewer")
    page = text_of(browser, study)
    section = page.partition('id="copied"')[2].partition("</section>")[0]
    assert section.index("wise-fox") < section.index("calm-owl-0")
    for text in (
        "150 of 200",
        ">141<",
        "30% (12% to 45%)",
        "p = .003",
        ">20%<",
        "worth a look",
        "no sign",
        "above .15",
    ):
        assert text in section, text
    assert "people who honestly read a text as the program does look the same" in section
    assert "The table lists the first 5 tests." in section
    assert "red-ant" not in section
    assert "The test of “model 2.0” needs at least 200 answers" in section
    lines = b"".join(browser.get(page_of(study, "programs/2/copying.csv")).streaming_content).decode().splitlines()
    assert lines[0].startswith("program,annotator,units,same,expected_same,program_errors,share,low,high,p,noticeable")
    assert lines[-1].endswith("inconclusive")
    assert len(lines) == 12


def test_comparisons_from_before_the_test_show_no_copied_answers(study: Study) -> None:
    result = {name: value for name, value in study.reports.get(kind="programs").result.items() if name != "copying"}
    study.reports.create(number=2, kind="programs", seed=1, result=result)
    assert 'id="copied"' not in text_of(browser_of(study, "viewer"), study)
