"""Tests that the answers of programs change no page, API response, report or export about the answers of people."""

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse

from annotate import tasktypes
from annotate.core.services.credentials import new_api_token, participation_token
from annotate.models import Participation, Study, User
from annotate.programs.services.joining import add_program
from annotate.questions.services.figures import calculate_figures
from tests.api.conftest import Api
from tests.api.operations import LOOK, MANAGE, REVIEW, text_of
from tests.console_study import browser_of, collected, report_on
from tests.factories import raw_answer
from tests.web.test_console_access import OF_A_STUDY

pytestmark = pytest.mark.django_db
# These pages and lists also show programs, or the log entry of a new program.
SHOW_PROGRAMS = {"history", "annotators", "events", "programs", "recruit"}
# Values that differ between any two responses. The overview's `seen` also depends on the log.
CHANGING = re.compile(r'nonce="[^"]*"|csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"|seen=\w+')


@pytest.mark.nightly
@pytest.mark.parametrize("every", [4, 1])  # how many pages stand for one
def test_the_answers_of_programs_change_no_page_report_or_download(every: int, user: User) -> None:
    study = collected(gold=4, user=user, skips_allowed=True, rule_threshold="0.01")
    report = report_on(study)
    calculate_figures(study.pk, progress=lambda share, text: None)  # the number of disagreements, which all pages show
    before = dict(everything(study, user, every))
    for name, right in (("careful 1.0", True), ("careless 1.0", False)):
        work(study, add_program(study.pk, platform="system", name=name, user=user), right=right)
    after = dict(everything(study, user, every))
    assert len(before) > 80 / every
    assert [path for path in before if before[path] != after[path]] == []
    again = report_on(study)
    assert (again.input_sha256, again.result) == (report.input_sha256, report.result)


def everything(study: Study, user: User, every: int) -> Iterator[tuple[str, str]]:
    """Yield pages of the study, the responses of its API and its exports."""
    browser = browser_of(study)
    for route in OF_A_STUDY[::every]:
        if route.parts == {"study"} and route.name not in SHOW_PROGRAMS:
            path = reverse(f"console:{route.name}", args=[study.public_id])
            yield path, steady(browser.get(path))
    for question in [study.questions.filter(kind="gold").first(), study.questions.filter(kind="regular").first()]:
        path = reverse("console:question", args=[study.public_id, question.public_id])
        yield path, steady(browser.get(path))
    owner = Api(f"Token {new_api_token(user, 'script')[1]}")
    exports = [f"studies/{{study}}/exports/{each.filename}" for each in tasktypes.get(study.task_type).exports]
    lists = [path for method, path in LOOK + REVIEW + MANAGE if method == "GET"]
    for path in [*lists, *exports]:
        if path.rpartition("/")[2] not in SHOW_PROGRAMS:
            yield path, steady(owner.get(path.format(study=study.public_id, pseudonym="x", assignment="x")))


def steady(response: HttpResponse | StreamingHttpResponse) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return CHANGING.sub("", text_of(content))


def work(study: Study, program: Participation, *, right: bool) -> None:
    """Answer all HITs of the study as a program, which skips some questions and reports problems."""
    api = Api(f"Participation {participation_token(program)}")
    claimed = api.post("claims").json()["assignment"]
    while claimed:
        path = f"assignments/{claimed['id']}"
        answers = study.assignments.get(public_id=claimed["id"]).answers
        sent = [
            {"position": one.position, "value": raw_answer(one, right=right), "seconds": 2.0}
            for one in answers.select_related("question", "participation__study")
        ]
        sent[1] = {"position": sent[1]["position"], "skipped": "unclear"}
        api.post(f"{path}/answers/1/remarks", {"kind": "problem", "text": "The text is empty."})
        claimed = api.post(f"{path}/submission", {"answers": sent, "next": True}).json()["next"]["assignment"]
