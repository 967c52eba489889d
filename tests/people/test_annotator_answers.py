"""The answers on an annotator's page: figures beside each answer, filters, and a constant number of queries."""

from collections.abc import Callable
from statistics import median

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.core.permissions import SYSTEM
from annotate.core.services import standing
from annotate.core.services.remarks import send_remark
from annotate.models import Answer, Participation, Study
from annotate.people.selectors.answers import answer_counts, answer_rows, answers_of
from annotate.people.services import exclude_answer
from tests.console_study import browser_of, collected, page_of, somebody
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.fixture
def who(study: Study) -> Participation:
    return somebody(study)


def test_each_answer_has_its_agreement_and_the_time_of_others(study: Study, who: Participation) -> None:
    rows = answer_rows(study, who, list(answers_of(who)))
    assert len(rows) == who.answers.count()
    shared = 0
    for row in rows:
        others = Answer.objects.filter(question=row.answer.question).exclude(participation=who)
        if row.graded:
            others = others.none()
        values = list(others.values_list("value", flat=True))
        shared += bool(values)
        assert row.others == len(values)
        if not values:
            assert (row.agreement, row.usual_seconds) == (None, None)
            continue
        own = row.answer.value
        alike = [(own["best"] == value["best"]) / 2 + (own["worst"] == value["worst"]) / 2 for value in values]
        assert row.agreement == pytest.approx(sum(alike) / len(alike))
        assert row.usual_seconds == median(others.values_list("seconds", flat=True))
    assert shared
    times = [row.answer.given_at for row in rows]
    assert times == sorted(times, reverse=True)


def test_the_picture_shows_the_items_as_the_annotator_saw_them(study: Study, who: Participation) -> None:
    row = answer_rows(study, who, list(answers_of(who)[:1]))[0]
    assert row.picture is not None
    answer, content = row.answer, row.picture["content"]
    keys = [answer.question.payload["items"][place] for place in answer.shown]
    texts = dict(study.items.values_list("key", "content"))
    assert [item["sentences"] for item in content["items"]] == [[texts[key]["text"]] for key in keys]
    assert keys[row.picture["value"]["best"] - 1] == answer.value["best"]


def test_filters(study: Study, who: Participation) -> None:
    gold = who.answers.filter(question__kind="gold")
    missed = gold.filter(passed=False).count()
    regular = who.answers.filter(question__kind="regular").first()
    exclude_answer(regular.pk, reason="Upside down.", user=SYSTEM)
    everything = who.answers.count()
    expected = {"": everything, "gold": gold.count(), "missed": missed}
    expected |= {"skipped": 0, "excluded": 1, "repeated": 0, "void": 0}
    assert answer_counts(who) == expected
    for show, number in expected.items():
        assert answers_of(who, show).count() == number
    standing.stop(who.pk, reason="haste", user=SYSTEM)
    assert answer_counts(who)["void"] == everything - gold.count()
    assert answer_counts(who)["excluded"] == 1


@pytest.mark.nightly
def test_practice_is_not_gold() -> None:
    study = make_study(gold=4, practice=2)
    who = make_annotator(study)
    do_hit(who, right=False)
    do_hit(who, right=False)
    gold = who.answers.filter(question__kind="gold").count()
    assert who.answers.filter(question__kind="practice").exists()
    assert (answer_counts(who)["gold"], answer_counts(who)["missed"]) == (gold, gold)


@pytest.mark.nightly
def test_the_page_shows_reasons_comments_and_what_the_role_can_do(study: Study, who: Participation) -> None:
    answer = who.answers.filter(question__kind="regular").select_related("assignment").first()
    send_remark(who.pk, answer.assignment.public_id, answer.position, kind="comment", text="Items 1 and 2 are <equal>.")
    place = page_of(study, f"annotators/{who.pseudonym}/")
    action = f"{place}answers/{answer.assignment.public_id}/{answer.position}/"
    reviewer = browser_of(study, "reviewer")
    page = markup(reviewer.post(f"{action}exclude/", {"reason": "Upside down.", "back": "show=excluded"}, follow=True))
    assert "Another annotator will get the question." in page
    assert "Reason for excluding the answer: “Upside down.”" in page
    assert "Comment: “Items 1 and 2 are &lt;equal&gt;.”" in page
    assert "Enter a reason" in markup(reviewer.post(f"{action}include/", {"reason": " "}, follow=True))
    page = markup(reviewer.post(f"{action}include/", {"reason": "A mistake."}, follow=True))
    assert "is included again. The additional slot for the question is closed." in page
    assert "exclude-dialog" not in markup(browser_of(study, "viewer").get(place))
    assert markup(browser_of(study).get(f"{place}?show=nonsense&page=99")).count('id="answer-') > 0


@pytest.mark.nightly
def test_a_link_to_an_answer_opens_its_page_of_the_list(study: Study, who: Participation) -> None:
    place = page_of(study, f"annotators/{who.pseudonym}/")
    everything = list(answers_of(who))
    last = everything[-1]
    assert len(everything) > 10
    page = markup(browser_of(study).get(f"{place}?answer={last.pk}"))
    opened = page.index("<details open>", page.index('id="answers"'))
    assert opened < page.index(f'id="answer-{last.pk}"') < page.index("</details>", opened)
    assert f'id="answer-{last.pk}"' in markup(browser_of(study).get(f"{place}?show=excluded&answer={last.pk}"))
    for unknown in ("0", "x"):
        assert f'id="answer-{everything[0].pk}"' in markup(browser_of(study).get(f"{place}?answer={unknown}"))
    regular = next(each for each in reversed(everything) if each.question.kind == "regular")
    act = f"{place}answers/{regular.assignment.public_id}/{regular.position}/exclude/"
    done = browser_of(study).post(act, {"reason": "Upside down.", "back": "show=&page=1"})
    assert done["Location"].endswith(f"answer={regular.pk}#answer-{regular.pk}")


@pytest.mark.nightly
def test_the_number_of_queries_does_not_depend_on_the_number_of_answers(study: Study) -> None:
    larger = collected(items=20, annotators=3, gold=12)
    counts = []
    for each in (study, larger):
        client, place = browser_of(each), page_of(each, f"annotators/{somebody(each).pseudonym}/")
        with CaptureQueriesContext(connection) as queries:
            page = markup(client.get(place))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 30
    assert page.count('id="answer-') == 10
