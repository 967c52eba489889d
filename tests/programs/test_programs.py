"""Tests of programs that join as annotators through the API. Their answers never count."""

from collections.abc import Callable

import pytest

from annotate.core.selectors.counts import gold_totals
from annotate.core.selectors.progress import progress_of
from annotate.models import Answer, HourCount, Study, User
from annotate.pay.selectors.balances import pay_rows
from annotate.people.selectors.annotators import annotator_rows
from annotate.people.services import exclude_answer
from annotate.questions.selectors.data import study_data
from annotate.recruiting.services.join import join
from annotate.results.selectors.reports import people
from tests.api.conftest import Api, refused
from tests.console_study import browser_of, page_of
from tests.factories import answers_to, assert_slots_add_up, do_hit, make_annotator, make_study
from tests.markup import markup
from tests.recounts import recounted, stored_counts

pytestmark = pytest.mark.django_db
SYSTEM = {"platform": "system", "name": "baseline 1.0"}


def work(program: Api, study: Study, *, right: bool = False) -> int:
    """Submit all HITs of the study as the program, and return their number."""
    hits, claimed = 0, program.post("claims").json()
    while claimed["assignment"]:
        assignment = study.assignments.get(public_id=claimed["assignment"]["id"])
        body = {"answers": [vars(answer) for answer in answers_to(assignment, right=right)], "next": True}
        submitted = program.post(f"assignments/{assignment.public_id}/submission", body).json()
        assert (submitted["receipt"]["state"], submitted["receipt"]["credited"]) == ("done", False)
        hits, claimed = hits + 1, submitted["next"]
    assert claimed["why"] == "nothing"
    return hits


@pytest.mark.parametrize("platform", ["system", "simulated"])
def test_a_program_answers_every_hit_and_counts_nowhere(user: User, owner: Api, platform: str) -> None:
    study = make_study(user=user, gold=3, rule_minimum=1, hits_per_annotator=1, consent="Do you agree?", budget_cap=1)
    do_hit(make_annotator(study))
    judgement = Answer.objects.counting().filter(assignment__study=study).first()
    exclude_answer(judgement.pk, reason="test", user=user)  # the question is asked again, in another HIT
    figures, rows, data = progress_of(study), list(pay_rows(study)), study_data(study)
    counts = stored_counts(study)

    joined = owner.post(f"studies/{study.public_id}/programs", {"platform": platform, "name": "baseline 1.0"})
    assert joined.status_code == 201
    assert (joined.json()["platform"], joined.json()["name"]) == (platform, "baseline 1.0")
    program = Api(f"Participation {joined.json()['token']}")
    assert work(program, study) == study.hits.count() - 1

    assert progress_of(study) == figures
    assert list(pay_rows(study)) == rows
    assert stored_counts(study) == recounted(study) == counts
    assert sum(gold.given for gold in gold_totals(study).values()) == sum(row.kind == "gold" for row in data.answers)
    assert not HourCount.objects.filter(participation__annotator__is_program=True).exists()
    after = study_data(study)
    assert (after.answers, after.skipped, after.messages) == (data.answers, data.skipped, data.messages)
    assert [row.participation.annotator.platform for row in annotator_rows(study, people(study))] == ["web"]
    assert_slots_add_up(study)

    page = markup(browser_of(study).get(page_of(study, "annotators/")))
    assert joined.json()["pseudonym"] not in page

    listed = owner.get(f"studies/{study.public_id}/answers?programs=true&page_size=1000").json()["results"]
    assert {answer["annotator"] for answer in listed} == {joined.json()["pseudonym"]}
    by_people = owner.get(f"studies/{study.public_id}/answers?page_size=1000").json()["results"]
    assert len(by_people) == len(data.answers)
    programs = owner.get(f"studies/{study.public_id}/annotators").json()["results"]
    assert {annotator["platform"]: annotator["is_program"] for annotator in programs} == {"web": False, platform: True}


def test_the_same_name_continues_the_same_annotator(user: User, owner: Api) -> None:
    study = make_study(user=user)
    path = f"studies/{study.public_id}/programs"
    first, again = (owner.post(path, SYSTEM).json() for _ in range(2))
    other = owner.post(path, {**SYSTEM, "name": "baseline 2.0"}).json()
    assert first["pseudonym"] == again["pseudonym"] != other["pseudonym"]
    assert list(study.events.filter(verb="added program").order_by("pk").values_list("user", "detail__name")) == [
        (user.pk, "baseline 1.0"),
        (user.pk, "baseline 2.0"),
    ]


def test_a_program_never_continues_the_work_of_another_kind_of_annotator(user: User, owner: Api) -> None:
    study = make_study(user=user)
    join(study, platform="simulated", external_id="baseline 1.0")
    body = {"platform": "simulated", "name": "baseline 1.0"}
    refused(owner.post(f"studies/{study.public_id}/programs", body), 409, "known-id")


def test_programs_join_only_open_studies_and_only_with_their_own_platforms(user: User, owner: Api) -> None:
    study = make_study(user=user, state="paused")
    path = f"studies/{study.public_id}/programs"
    refused(owner.post(path, SYSTEM), 409, "state")
    for platform in ("web", "mturk", "account", "try", ""):
        refused(owner.post(path, {**SYSTEM, "platform": platform}), 400, "invalid", "platform")
    refused(owner.post(path, {**SYSTEM, "name": "  "}), 400, "invalid", "name")
    assert not study.annotators.exists()


def test_a_reviewer_cannot_add_a_program(member: Callable[[Study, str], Api]) -> None:
    study = make_study()
    refused(member(study, "reviewer").post(f"studies/{study.public_id}/programs", SYSTEM), 404, "not_found")
