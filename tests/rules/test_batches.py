"""Tests of batches of annotators: their members never change, and a change to a member's judgements removes them from
figures by group for ever.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from accord_core.exchange.arrays import unpack
from accord_core.numerics.suppression import SMALLEST_SHOWN
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.batches import whole_batches
from annotate.core.services.batches import make_batches
from annotate.core.services.returns import withdraw
from annotate.core.services.standing import stop
from annotate.models import AnnotatorBatch, AnnotatorGroup, Answer, Participation, Study
from annotate.people.services import exclude_answer, include_answer, remove_personal_data
from annotate.recruiting.services.groups import set_population
from annotate.results.selectors.by_group import shown_by_group, tables_by_group
from annotate.results.services import make_report
from annotate.server import clock
from annotate.studies.services.study import close_study
from tests.factories import UserFactory, do_hit, make_annotator, take
from tests.rules.test_quotas import quota_study, work

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def finished_in(study: Study, group: AnnotatorGroup, number: int) -> list[Participation]:
    """Return new annotators of the group who have submitted the one HIT that the study allows."""
    people = [make_annotator(study, group=group) for _ in range(number)]
    for person in people:
        do_hit(person)
    return people


def finished_with_all(study: Study, group: AnnotatorGroup, number: int) -> list[Participation]:
    """Return new annotators of the group who have submitted all HITs."""
    people = [make_annotator(study, group=group) for _ in range(number)]
    for person in people:
        assert work(person) == study.hits.count()
    return people


def study_of_one_hit() -> tuple[Study, AnnotatorGroup, AnnotatorGroup]:
    study, (first, second) = quota_study({"A": 6, "B": 2}, hits_per_annotator=1)
    return study, first, second


def members(study: Study) -> list[set[str]]:
    """Return the members of each whole batch."""
    return [set(names) for group in whole_batches(study) for names in group.batches.values()]


def pseudonyms(people: list[Participation]) -> set[str]:
    return {person.pseudonym for person in people}


def report(study: Study) -> Any:
    return make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)


def test_a_batch_needs_five_finished_annotators_of_one_group() -> None:
    study, first, second = study_of_one_hit()
    people = finished_in(study, first, SMALLEST_SHOWN - 1)
    finished_in(study, second, SMALLEST_SHOWN - 1)
    take(make_annotator(study, group=first))
    make_batches(study.pk)
    assert members(study) == []
    people += finished_in(study, first, 1)
    make_batches(study.pk)
    make_batches(study.pk)
    assert members(study) == [pseudonyms(people)]


def test_annotators_with_hits_left_are_finished_when_the_study_closes() -> None:
    study, groups = quota_study({"A": 5})
    people = finished_in(study, groups[0], 5)
    make_batches(study.pk)
    assert members(study) == []
    close_study(study.pk, user=SYSTEM)
    make_batches(study.pk)
    assert members(study) == [pseudonyms(people)]


def test_new_annotators_join_new_batches() -> None:
    study, first, _second = study_of_one_hit()
    earlier = finished_in(study, first, 7)
    make_batches(study.pk)
    later = finished_in(study, first, 11)
    make_batches(study.pk)
    assert members(study)[0] == pseudonyms(earlier)
    assert sorted(map(len, members(study)[1:])) == [5, 6]
    assert set.union(*members(study)[1:]) == pseudonyms(later)


@pytest.mark.parametrize("keep_answers", [True, False])
def test_a_withdrawal_removes_the_batch_and_the_others_join_no_other(keep_answers: bool) -> None:
    study, first, _second = study_of_one_hit()
    people = finished_in(study, first, 6)
    make_batches(study.pk)
    withdraw(people[2].pk, keep_answers=keep_answers)
    assert members(study) == []
    later = finished_in(study, first, 5)
    make_batches(study.pk)
    assert members(study) == [pseudonyms(later)]


def test_removing_personal_data_removes_the_batch() -> None:
    study, first, _second = study_of_one_hit()
    people = finished_in(study, first, 5)
    make_batches(study.pk)
    administrator = UserFactory(is_staff=True)
    remove_personal_data(people[0].annotator_id, user=administrator, reason="request")
    assert members(study) == []


@pytest.mark.parametrize("change", ["excluded", "stopped"])
def test_a_batch_with_changed_judgements_stays_removed(change: str) -> None:
    study, first, _second = study_of_one_hit()
    people = finished_in(study, first, 5)
    make_batches(study.pk)
    answer = Answer.objects.counting().filter(participation=people[0]).first()
    assert answer is not None
    if change == "excluded":
        exclude_answer(answer.pk, reason="test", user=SYSTEM)
    else:
        stop(people[0].pk, reason="test", user=SYSTEM)
    assert members(study) == [], "a report that started before the change was stored contains no changed batch either"
    make_batches(study.pk)
    if change == "excluded":
        include_answer(answer.pk, reason="test", user=SYSTEM)
        make_batches(study.pk)
    assert members(study) == []
    assert AnnotatorBatch.objects.exclude(removed_at=None).count() == 1


def test_the_database_keeps_batches(refuses: Any) -> None:
    study, first, second = study_of_one_hit()
    people = finished_in(study, first, 5)
    make_batches(study.pk)
    batch = AnnotatorBatch.objects.get()
    other = AnnotatorBatch.objects.create(group=second, number=1)
    person, newcomer = Participation.objects.filter(pk=people[0].pk), make_annotator(study, group=first)
    for changed in (None, other):
        with refuses("never moves to a batch of others"):
            person.update(batch=changed)
    with refuses("never moves to a batch of others"):
        Participation.objects.filter(pk=newcomer.pk).update(batch=other)
    for fields in ({"number": 9}, {"group": second}, {"answers_sha256": "0"}):
        with refuses("a batch never changes"):
            AnnotatorBatch.objects.filter(pk=batch.pk).update(**fields)
    AnnotatorBatch.objects.filter(pk=batch.pk).update(removed_at=clock.now())
    with refuses("a removed batch stays removed"):
        AnnotatorBatch.objects.filter(pk=batch.pk).update(removed_at=None)
    with refuses("a batch never changes"):
        AnnotatorBatch.objects.filter(pk=other.pk).delete()


@pytest.mark.django_db(transaction=True)
def test_two_jobs_at_once_put_each_annotator_into_one_batch(at_once: Any) -> None:
    study, first, second = study_of_one_hit()
    people = finished_in(study, first, 12) + finished_in(study, second, 5)
    at_once([lambda: make_batches(study.pk)] * 4)
    batches = members(study)
    assert Counter(name for batch in batches for name in batch) == Counter(pseudonyms(people))
    assert sorted(map(len, batches)) == [5, 6, 6]


@pytest.mark.django_db(transaction=True)
def test_a_withdrawal_at_the_same_time_leaves_no_batch_with_the_annotator(at_once: Any) -> None:
    study, first, _second = study_of_one_hit()
    for _ in range(3):
        people = finished_in(study, first, 5)
        at_once([lambda: make_batches(study.pk), lambda: withdraw(people[0].pk, keep_answers=False)])  # noqa: B023
        make_batches(study.pk)
        assert all(people[0].pseudonym not in batch for batch in members(study))


def test_a_report_contains_whole_batches_and_hides_its_figures_after_a_withdrawal() -> None:
    study, (first,) = quota_study({"A": 9}, hits_per_annotator=4)
    people = finished_with_all(study, first, 5)
    stored = report(study)
    assert stored.by_group["groups"] == [{"name": "A", "population": None}]
    best, worst = stored.by_group["sets"]
    assert (best["name"], worst["name"]) == ("Best item", "Worst item")
    assert best["groups"][0]["annotators"] == 5
    assert set(best["groups"][0]) == {
        "annotators",
        "raw_agreement",
        "fleiss_kappa",
        "krippendorff_alpha_nominal",
        "gwet_ac1",
    }
    assert shown_by_group(stored) == stored.by_group
    finished_with_all(study, first, 4)
    assert report(study).by_group == stored.by_group, "four further annotators change nothing"
    withdraw(people[0].pk, keep_answers=False)
    assert shown_by_group(stored) is None
    assert report(study).by_group is None


def test_a_report_weights_the_figures_over_all_groups_by_their_shares_of_the_population() -> None:
    study, groups = quota_study({"A": 5, "B": 6}, hits_per_annotator=4)
    for group, number in zip(groups, (5, 6), strict=True):
        finished_with_all(study, group, number)
    assert "overall" not in report(study).by_group["sets"][0], "no population is assumed"
    for group, population in zip(groups, (70, 30), strict=True):
        set_population(study.pk, group.public_id, population, user=SYSTEM)
    stored = report(study)
    assert [group["population"] for group in stored.by_group["groups"]] == [70, 30]
    for figures in stored.by_group["sets"]:
        within, overall = figures["groups"], figures["overall"]["raw_agreement"]
        weighted = 0.7 * within[0]["raw_agreement"]["value"] + 0.3 * within[1]["raw_agreement"]["value"]
        assert overall["value"] == pytest.approx(weighted, abs=0.01), "apart from the rounding"
        assert overall["low"] < overall["value"] < overall["high"]
    table, _worst = tables_by_group(stored)
    assert [row[:2] for row in table.rows] == [("A", "5"), ("B", "6"), ("All groups, weighted", "11")]
    columns = unpack(bytes(stored.input))
    again = tasktypes.get(study.task_type).reports.by_group(columns, study.seed)
    assert again == stored.by_group, "the stored input leads to the same figures"
