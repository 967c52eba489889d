"""Tests of annotators in the console: the list, a single annotator, stops, restorations and the removal of personal
data.
"""

import csv
import io
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_core.numerics.printed import coefficient
from annotate.core.permissions import SYSTEM
from annotate.core.services import standing
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.core.services.remarks import object_to_stop, reply_to
from annotate.core.services.returns import withdraw
from annotate.models import Annotator, Answer, Participation, Study
from annotate.people.selectors.annotators import annotator_rows, chosen, needing_a_look
from annotate.people.selectors.annotators_file import annotators_csv
from annotate.people.services import mark_reviewed
from annotate.recruiting.services.named import add_named, join_by_link
from annotate.results.selectors.reports import people
from annotate.studies.services.study import open_study
from annotate.tasktypes import PersonFigure
from tests.console_study import browser_of, collected, page_of, report_on, somebody
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.mark.nightly
def test_the_table_has_everybody_with_gold_and_credit(study: Study) -> None:
    page = markup(browser_of(study).get(page_of(study, "annotators/")))
    for row in annotator_rows(study, people(study)):
        assert row.participation.pseudonym in page
        assert row.gold_given < 10  # so the share is shown as counts
        assert f"<span>{row.gold_right} of {row.gold_given}</span>" in page
        assert row.credit == row.assignments * study.reward
    assert "Calculate results to see more annotator statistics" in page
    report_on(study)
    page = markup(browser_of(study).get(page_of(study, "annotators/")))
    assert "Agreement, median time: " in page
    assert "No annotators need a look." in page


@pytest.mark.nightly
def test_figures_of_the_task_type_are_on_the_annotators_page(study: Study) -> None:
    report_on(study)
    client, key = browser_of(study), "maxdiff_reliability"
    rows = annotator_rows(study, people(study))
    assert len(rows) < 8  # too few for intervals of reliability
    for row in rows:
        assert row.figures[f"{key}_low"] is row.figures[f"{key}_high"] is None
        own = markup(client.get(page_of(study, f"annotators/{row.participation.pseudonym}/")))
        assert f'Reliability</dt><dd><span class="big">{coefficient(row.figures[key], 2)}</span>' in own


def test_the_lower_end_of_the_gold_interval_ranks_annotators_and_stopped_ones_come_last(study: Study) -> None:
    rows = annotator_rows(study, people(study))
    standing.stop(rows[0].participation.pk, reason="haste", user=SYSTEM)
    ranked = chosen(annotator_rows(study, people(study)), sort="look")
    assert ranked[-1].participation == rows[0].participation
    lows = [row.low for row in ranked[:-1]]
    assert lows == sorted(lows)


def test_intervals_of_figures_follow_from_ends_or_standard_errors() -> None:
    figure = PersonFigure("share", "Share", "a share.", low="low", high="high", error="error")
    assert figure.interval({"share": 0.5, "low": 0.4, "high": 0.7}) == (0.4, 0.7)
    assert figure.interval({"share": 0.5, "error": 0.1}) == pytest.approx((0.304, 0.696), abs=1e-4)
    assert figure.interval({"share": 0.95, "error": 0.1}) == pytest.approx((0.754, 1.0), abs=1e-4)
    assert figure.interval({"share": 0.5}) is None
    assert figure.interval({"share": None, "error": 0.1}) is None
    assert figure.interval({"share": 0.999, "error": 0.0004}) is None, "few answers without an error"


def test_try_outs_of_researchers_are_not_among_them(study: Study) -> None:
    trying = make_annotator(study, platform="try")
    client = browser_of(study)
    assert trying.pseudonym not in markup(client.get(page_of(study, "annotators/")))
    assert client.get(page_of(study, f"annotators/{trying.pseudonym}/")).status_code == 404


def test_filters_search_and_sorting(study: Study) -> None:
    rows = annotator_rows(study, people(study))
    stopped, other = rows[0].participation, rows[1].participation
    standing.stop(stopped.pk, reason="haste", user=SYSTEM)
    rows = annotator_rows(study, people(study))
    assert [row.participation for row in chosen(rows, show="stopped")] == [stopped]
    assert [row.participation for row in chosen(rows, search=other.pseudonym.upper())] == [other]
    Annotator.objects.filter(pk=other.annotator_id).update(platform="prolific")
    rows = annotator_rows(study, people(study))
    assert [row.participation for row in chosen(rows, search="prolif")] == [other]
    assert chosen(rows, show="look") == []
    assignments = [row.assignments for row in chosen(rows, sort="-assignments")]
    assert assignments == sorted(assignments, reverse=True)
    rows[0].low = None
    assert chosen(rows, sort="share")[-1] is rows[0]
    assert chosen(rows, sort="-share")[-1] is rows[0]


@pytest.mark.nightly
def test_annotators_who_need_a_look_are_ranked_by_evidence_until_they_are_reviewed_or_stopped(study: Study) -> None:
    owner = study.memberships.get(role="owner").user
    report = report_on(study)
    (first, second, third), people_of = report.result["people"], report.result["people"]
    weak = {"title": "Accepts suggested links", "detail": "Left 12 of 12 unchanged.", "p": 0.004}
    strong = {"title": "Agreement at chance", "detail": "The agreement is .26.", "p": 1e-9}
    first |= {"flag": weak, "flags": [weak]}
    second |= {"flag": strong, "flags": [strong, weak]}
    third |= {"flags": [{"title": "Skips the warm-up", "detail": "No probability."}]}
    study.reports.create(number=9, kind="results", seed=1, result={"people": people_of})

    def listed() -> list[str]:
        return [row.participation.pseudonym for row in needing_a_look(study, people(study))]

    assert listed() == [second["pseudonym"], first["pseudonym"], third["pseudonym"]]
    page = markup(browser_of(study).get(page_of(study, "annotators/")))
    assert f"{second['pseudonym']}, {first['pseudonym']} and {third['pseudonym']} need a look." in page
    page = page[page.index("<tbody") :]
    assert page.index(second["pseudonym"]) < page.index(first["pseudonym"]) < page.index(third["pseudonym"])
    assert "The agreement is .26. Left 12 of 12 unchanged." in page
    assert f"Agreement at chance, Accepts suggested links: {second['pseudonym']}" in markup(
        browser_of(study).get(page_of(study))
    )

    who = {row.pseudonym: row for row in study.participations.all()}
    mark_reviewed(who[second["pseudonym"]].pk, text="Read 40 answers, all fine.", user=owner)
    standing.stop(who[first["pseudonym"]].pk, reason="haste", user=SYSTEM)
    assert listed() == [third["pseudonym"]]
    for person, sentence in ((first, "Left 12 of 12 unchanged."), (second, "has reviewed the answers")):
        page = markup(browser_of(study).get(page_of(study, f"annotators/{person['pseudonym']}/")))
        assert sentence in page, "the evidence stays after a stop and after a review"
    study.reports.create(number=10, kind="results", seed=1, result={"people": people_of})
    assert listed() == [second["pseudonym"], third["pseudonym"]], "a later report shows the sign again"


def test_an_annotator_who_objects_to_being_stopped_leads_the_list_until_the_reply(study: Study) -> None:
    who = study.participations.people().order_by("pseudonym").last()
    standing.stop(who.pk, reason="haste", user=SYSTEM)
    objection = object_to_stop(who.pk, text="I read each sentence twice.")
    page = markup(browser_of(study).get(page_of(study, "annotators/")))
    decision = f'href="{page_of(study, "messages/")}?show=objection#message-{objection.public_id}"'
    head, table = page.split("<tbody", 1)
    assert decision in head
    assert f"{who.pseudonym} objects to being stopped.</a> No other annotators need a look." in head
    assert "Needs a look 1" in head
    first = table[: table.index("</tr>")]
    assert who.pseudonym in first
    assert f"<a {decision}>Objects to being stopped</a>: “I read each sentence twice.”" in first
    assert needing_a_look(study, people(study)) == []
    reply_to(study.pk, objection.public_id, text="You remain stopped.", user=study.memberships.get(role="owner").user)
    page = markup(browser_of(study).get(page_of(study, "annotators/")))
    assert "No annotators need a look." in page
    assert "Objects to being stopped" not in page


@pytest.mark.parametrize(("seconds", "judgements", "needs_a_look"), [(4.9, 20, True), (5, 20, False), (1, 19, False)])
def test_a_median_time_under_a_quarter_of_the_usual_one_needs_a_look(
    study: Study, seconds: float, judgements: int, needs_a_look: bool
) -> None:
    fast, *others = (each.pseudonym for each in study.participations.order_by("pk"))
    rows = [{"pseudonym": name, "judgements": 40, "median_seconds": 20 + 10 * at} for at, name in enumerate(others)]
    rows.append({"pseudonym": fast, "judgements": judgements, "median_seconds": seconds})
    study.reports.create(number=9, kind="results", seed=1, result={"people": rows})
    found = [(row.participation.pseudonym, row.reasons) for row in needing_a_look(study, people(study))]
    reason = "The median time per question is 4.9 s, less than a quarter of the median of all annotators (20.0 s)."
    assert found == ([(fast, reason)] if needs_a_look else [])


@pytest.mark.nightly
def test_low_gold_accuracy_needs_a_look_before_the_rule_applies() -> None:
    study = collected(gold=8, rule_threshold="0.9", rule_minimum=50, careless=1.0, annotators=2)
    rows = needing_a_look(study, people(study))
    assert {row.signs[0]["title"] for row in rows} == {"Low gold accuracy"}
    Study.objects.update(rule_threshold=0)
    assert needing_a_look(Study.objects.get(pk=study.pk), people(study)) == []


@pytest.mark.nightly
def test_the_number_of_queries_does_not_grow_with_the_annotators(study: Study) -> None:
    larger = collected(items=20, annotators=8, gold=12)
    counts = []
    for one in (study, larger):
        standing.stop(somebody(one).pk, reason="haste", user=SYSTEM)
        report_on(one)
        client = browser_of(one)
        with CaptureQueriesContext(connection) as queries:
            client.get(page_of(one, "annotators/"))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 21  # one of them tells whether the study repeats a released one


def test_the_csv_has_pseudonyms_and_no_platform_ids(study: Study) -> None:
    for number, annotator in enumerate(Annotator.objects.filter(participations__study=study)):
        Annotator.objects.filter(pk=annotator.pk).update(external_id=f"worker-{number}")
    response = browser_of(study).get(page_of(study, "annotators/annotators.csv"))
    text = b"".join(response.streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["pseudonym"] for row in rows} == set(study.participations.values_list("pseudonym", flat=True))
    for row, known in zip(rows, annotator_rows(study, people(study)), strict=True):
        assert int(row["gold_given"]) == known.gold_given
        assert float(row["accuracy"]) == pytest.approx(known.share, abs=1e-4)
        assert row["credit"] == f"{known.credit:.2f}"
    assert all(len(cell.partition(".")[2]) <= 4 for row in rows for cell in row.values() if cell.count(".") == 1)
    assert "worker-" not in text


def test_the_csv_has_no_gold_results_of_excluded_answers() -> None:
    study = make_study(judgements=2, gold=8, gold_block=5)
    keeps, excludes = make_annotator(study), make_annotator(study)
    for person in (keeps, excludes):
        do_hit(person)
        withdraw(person.pk, keep_answers=person == keeps)
    rows = csv.DictReader(io.StringIO(b"".join(annotators_csv(study)).decode()))
    gold = {row["pseudonym"]: [row[name] for name in ("gold_given", "gold_right", "accuracy")] for row in rows}
    assert gold == {keeps.pseudonym: ["1", "1", "1.0"], excludes.pseudonym: ["", "", ""]}


def test_stopping_a_named_annotator_without_pay_mentions_the_name_and_no_pay() -> None:
    study = make_study(reward=0)
    who = make_annotator(study)
    study.named_annotators.create(name="Ada Byron", participation=who)
    client, place = browser_of(study), page_of(study, f"annotators/{who.pseudonym}/")
    dialogs = markup(client.get(place)).partition('id="stop-dialog"')[2]
    assert "paid" not in dialogs
    page = markup(client.post(f"{place}stop/", {"reason": "left the team"}, follow=True))
    assert "Ada Byron is stopped. The answers of this annotator no longer count." in page
    assert "Amount credited" not in page
    assert "Ada Byron is active again." in markup(client.post(f"{place}restore/", {"reason": "back"}, follow=True))


@pytest.mark.nightly
def test_stopping_and_restoring_say_what_they_did(study: Study) -> None:
    who = somebody(study)
    client = browser_of(study, "reviewer")
    place = page_of(study, f"annotators/{who.pseudonym}/")
    done = who.assignments.filter(state="done", kind="regular").count()
    page = markup(client.post(f"{place}stop/", {"reason": "four seconds a question"}, follow=True))
    assert "four seconds a question" in page
    assert f"<p>HITs that no longer count: {done}</p>" in page
    who.refresh_from_db()
    assert who.standing == Participation.Standing.STOPPED
    listed = markup(client.get(page_of(study, "annotators/")))
    assert "four seconds a question" in listed
    page = markup(client.post(f"{place}restore/", {"reason": "they were fast, and right"}, follow=True))
    assert f"is active again. {done} HITs count again. 0 remain surplus" in page
    who.refresh_from_db()
    assert who.standing == Participation.Standing.ACTIVE
    assert [event.reason for event in who.events.filter(verb__in=["stopped", "restored"]).order_by("pk")] == [
        "four seconds a question",
        "they were fast, and right",
    ]


def test_a_reason_is_asked_for(study: Study) -> None:
    who = somebody(study)
    page = browser_of(study).post(page_of(study, f"annotators/{who.pseudonym}/stop/"), {"reason": " "}, follow=True)
    assert "Enter a reason" in markup(page)
    who.refresh_from_db()
    assert who.standing == Participation.Standing.ACTIVE


def test_restoring_somebody_who_is_not_stopped_is_refused_in_words(study: Study) -> None:
    who = somebody(study)
    page = browser_of(study).post(page_of(study, f"annotators/{who.pseudonym}/restore/"), {"reason": "x"}, follow=True)
    assert f"{who.pseudonym} is not stopped." in markup(page)


@pytest.mark.parametrize(
    ("role", "deed", "status"),
    [("viewer", "stop", 404), ("viewer", "restore", 404), ("reviewer", "erase", 404)],
)
def test_who_may_not_is_told_nothing(study: Study, role: str, deed: str, status: int) -> None:
    who = somebody(study)
    client = browser_of(study, role)
    response = client.post(page_of(study, f"annotators/{who.pseudonym}/{deed}/"), {"reason": "x"})
    assert response.status_code == status
    assert f"{deed}-dialog" not in markup(client.get(page_of(study, f"annotators/{who.pseudonym}/")))
    who.refresh_from_db()
    assert who.standing == Participation.Standing.ACTIVE
    assert not who.events.filter(verb="removed personal data").exists()


@pytest.mark.nightly
def test_erasing_forgets_who_it_is_and_keeps_the_answers(study: Study) -> None:
    who = somebody(study)
    Annotator.objects.filter(pk=who.annotator_id).update(contact="ann@example.org")
    answers = who.answers.count()
    client = browser_of(study)
    place = page_of(study, f"annotators/{who.pseudonym}/erase/")
    assert "Enter a reason" in markup(client.post(place, {"reason": ""}, follow=True))
    client.post(place, {"reason": "they asked"})
    who.annotator.refresh_from_db()
    assert who.annotator.contact == ""
    assert who.answers.count() == answers


def test_one_annotator_with_gold_disputes_hits_and_history(study: Study) -> None:
    who = somebody(study)
    answer = who.answers.filter(question__kind="gold").order_by("-given_at", "-pk").first()
    Answer.objects.filter(pk=answer.pk).update(disputed=True, dispute_note="Both speak of <boats>.")
    page = markup(browser_of(study).get(page_of(study, f"annotators/{who.pseudonym}/")))
    assert "Both speak of &lt;boats&gt;." in page
    assert answer.question.ref in page
    assert "1 dispute</span>" in page
    for number in who.assignments.values_list("hit__number", flat=True):
        assert re.search(rf'<td data-name="HIT">\s*{number}\s*</td>', page)
    assert "Started" in page, "the study has no consent text"


@pytest.mark.nightly
def test_another_studys_annotator_is_not_found(study: Study) -> None:
    other = somebody(collected())
    assert browser_of(study).get(page_of(study, f"annotators/{other.pseudonym}x/")).status_code == 404


@pytest.mark.nightly
def test_managers_see_named_annotators_by_name_and_others_by_pseudonym() -> None:
    study = make_study(state="draft", admission="named")
    [ada] = add_named(study.pk, ["Ada Lovelace"], user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    who = join_by_link(ada.pk)
    for role, name, hidden in (("manager", "Ada Lovelace", ""), ("reviewer", who.pseudonym, "Ada Lovelace")):
        client = browser_of(study, role)
        for place in ("annotators/", f"annotators/{who.pseudonym}/", "pay/"):
            page = markup(client.get(page_of(study, place)))
            assert name in page, (role, place)
            assert who.pseudonym in page, (role, place)
            assert not hidden or hidden not in page, (role, place)
        found = markup(client.get(page_of(study, "annotators/?search=lovelace")))
        assert (who.pseudonym in found) == (role == "manager")
        quick = markup(client.get(page_of(study, "find/?q=lovelace")))
        assert ("Ada Lovelace" in quick) == (role == "manager")


@pytest.mark.nightly
def test_managers_see_the_links_of_named_annotators_who_have_not_joined() -> None:
    study = make_study(state="draft", admission="named")
    ada, bea = add_named(study.pk, ["Ada Lovelace", "Bea"], user=SYSTEM)
    link = PERSONAL_LINKS.path(bea.public_id)
    assert link in markup(browser_of(study, "manager").get(page_of(study, "annotators/")))
    open_study(study.pk, user=SYSTEM)
    join_by_link(ada.pk)
    page = markup(browser_of(study, "manager").get(page_of(study, "annotators/")))
    assert link in page
    assert page.count("not joined yet") == 1
    assert "Bea" not in markup(browser_of(study, "manager").get(page_of(study, "annotators/?search=ada")))
    assert link not in markup(browser_of(study, "reviewer").get(page_of(study, "annotators/")))
