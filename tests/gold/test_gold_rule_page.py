"""Tests of whom the quality rule stops, on *Settings* → *Quality* and in the API, with the study's own answers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.data.selectors.design import gold_cover
from annotate.gold.selectors.annotators import gold_models
from annotate.gold.selectors.rule import advised_number, current_rule, operating_figures, rule_obstacle
from annotate.models import Answer, Participation, Study, User
from tests.factories import UserFactory, do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(share: Callable[[Callable[[], Any]], Any]) -> tuple[int, int]:
    """A study with 12 gold questions of which three annotators have answered four, and its owner."""

    def make() -> tuple[int, int]:
        user = UserFactory()
        study = make_study(items=12, judgements=4, gold=12, user=user, rule_minimum=4, gold_block=5)
        for _ in range(2):
            annotator = make_annotator(study)
            for _ in range(4):
                do_hit(annotator)
        careless = make_annotator(study)
        for _ in range(3):
            do_hit(careless, right=False)
        stop(careless.pk, reason="Careless answers.", user=SYSTEM)
        return study.pk, user.pk

    return share(make)


@pytest.fixture
def study(made: tuple[int, int]) -> Study:
    return Study.objects.get(pk=made[0])


@pytest.fixture
def client(made: tuple[int, int]) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made[1]))
    return client


def page(client: Client, study: Study, **query: Any) -> Any:
    return client.get(reverse("console:settings-step", args=[study.public_id, "quality"]), query)


@pytest.mark.nightly
def test_the_careful_annotator_is_estimated_from_annotators_who_are_not_stopped(study: Study) -> None:
    assert study.participations.filter(standing=Participation.Standing.STOPPED).count() == 1
    graded = Answer.objects.filter(participation__study=study, tally__isnull=False)
    good = graded.exclude(participation__standing=Participation.Standing.STOPPED)
    models = gold_models(study)
    assert models.estimated == good.count() < graded.count()
    assert models.careful.accuracy == pytest.approx((good.count() + 9) / (good.count() + 10))
    assert models.guesser.accuracy == pytest.approx(1 / 12)
    assert gold_models(study, 0.7).careful.accuracy == pytest.approx(0.7)


def test_the_page_shows_the_figures_of_the_studys_rule(client: Client, study: Study) -> None:
    response = page(client, study)
    figures = response.context["rule"]
    assert figures["rule"] == {"threshold": 0.7, "minimum": 4, "window": 0}
    assert (figures["gold_questions"], figures["gold_answers"], figures["simulated_annotators"]) == (12, 5, 0)
    careful, half, guesser = (each["stopped"] for each in figures["annotators"])
    assert careful < half < guesser
    assert not response.context["rule_is_sent"]
    assert [chart.id for chart in response.context["rule_charts"]] == ["operating-curve", "stops-by-gold-answers"]
    text = markup(response)
    assert re.search(r"Within 5 gold answers, the rule stops [\d.]+% of careful annotators \(gold accuracy \d", text)
    assert " of annotators who guess half of their answers, and " in text
    assert "Half-careless" in text
    assert figures["advice"] in text


@pytest.mark.nightly
def test_another_rule_can_be_tried_without_changing_the_study(client: Client, study: Study) -> None:
    before = current_rule(study)
    response = page(client, study, threshold=0.5, minimum=2, hits=4, window="", false_stops=0.2, survivors=0.3)
    figures = response.context["rule"]
    assert figures["rule"] == {"threshold": 0.5, "minimum": 2, "window": 0}
    assert figures["gold_answers"] == 4
    assert response.context["rule_is_sent"]
    assert "Show the study’s rule" in markup(response)
    assert current_rule(Study.objects.get(pk=study.pk)) == before
    assert "estimated from" in markup(response)
    entered = page(client, study, accuracy=0.8)
    assert entered.context["rule"]["annotators"][0]["accuracy"] == pytest.approx(0.8)
    assert "has the accuracy that you entered" in markup(entered)
    with_window = page(client, study, window=2)
    assert with_window.context["rule"]["rule"] == {"threshold": 0.7, "minimum": 4, "window": 2}


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"minimum": 50}, "The quality rule never applies: it needs 50 gold answers"),
        ({"threshold": 0}, "A pass mark of 0 turns the quality rule off"),
        ({"threshold": 2}, "less than or equal to 1"),
        ({"minimum": "x"}, "Enter a whole number"),
        ({"false_stops": 0}, "greater than or equal to 0.001"),
    ],
)
def test_impossible_rules_are_explained(client: Client, study: Study, query: dict[str, Any], text: str) -> None:
    response = page(client, study, **query)
    assert response.status_code == 200
    assert text in markup(response)
    assert "Careful and careless annotators" not in markup(response)


def test_a_study_without_gold_has_a_reason_instead_of_curves() -> None:
    study = make_study(items=8, design=False, state="draft", gold_block=5, rule_threshold="0.7")
    client = Client()
    client.force_login(study.memberships.get().user)
    assert "Effect of the rule" not in markup(page(client, study))
    assert operating_figures(study, current_rule(study)) == {
        "reason": "The study has no gold questions yet, so Accord cannot calculate operating curves."
    }
    study.gold_block = 0
    assert "“Questions per gold question” is 0" in operating_figures(study, current_rule(study))["reason"]


def test_a_rule_that_counts_hits_has_a_minimum_in_gold_answers(study: Study) -> None:
    study.rule_unit, study.gold_block, study.rule_minimum = Study.RuleUnit.HITS, 2, 2
    assert current_rule(study).minimum == 6


def test_only_a_smaller_minimum_helps_a_rule_that_counts_more_hits_than_an_annotator_can_submit(study: Study) -> None:
    most = gold_cover(study).hits_wanted
    assert most is not None
    reason = f"it needs {most + 1} submitted HITs, but an annotator gets at most {most} HITs. Enter a smaller minimum."
    study.rule_unit, study.rule_minimum = Study.RuleUnit.HITS, most + 1
    for gold_block in (study.gold_block, 1):  # more gold questions in each HIT do not help
        study.gold_block = gold_block
        assert rule_obstacle(study) == advised_number(study) == f"The quality rule never applies: {reason}"
        assert operating_figures(study, current_rule(study)) == {"reason": rule_obstacle(study)}
    study.rule_minimum = most
    assert reason not in rule_obstacle(study)


def test_the_figures_are_cached_until_an_answer_arrives(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    first = operating_figures(study, current_rule(study))

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("the figures were calculated again")

    monkeypatch.setattr("annotate.gold.selectors.rule.rule_report", fail)
    assert operating_figures(study, current_rule(study)) == first
    do_hit(make_annotator(study))
    with pytest.raises(AssertionError, match="calculated again"):
        operating_figures(study, current_rule(study))


def test_the_api_returns_the_same_figures(client: Client, study: Study) -> None:
    place = f"/api/v1/studies/{study.public_id}/gold-rule"
    body = client.get(place).json()
    shown = page(client, study).context["rule"]
    assert body["reason"] == ""
    assert body["rule_test"]["annotators"] == shown["annotators"]
    assert body["rule_test"]["choices"] == shown["choices"]
    other = client.get(place, {"minimum": 50}).json()
    assert other["rule_test"] is None
    assert other["reason"].startswith("The quality rule never applies")
    assert client.get(place, {"threshold": 2}).status_code == 400
