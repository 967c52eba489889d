"""Tests of complete paraphrase studies, from their files to labels and downloads, through the services."""

from __future__ import annotations

import csv
import io

import pytest

from accord_core.numerics.em import one_coin
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.console.services import todo_of
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.answer import give_answer
from annotate.models import Question, Study
from annotate.people.selectors.annotators_file import annotators_csv
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide, keep_both
from annotate.questions.services.more_judgements import add_where_needed
from annotate.results.services import recompute
from annotate.server.refusals import Refused
from annotate.studies.services.study import create_study
from paraphrase.columns import collected as unpacked
from paraphrase.columns import columns
from paraphrase.console.labels import labels
from paraphrase.report import with_quality_control
from tests.factories import UserFactory, make_annotator, member_of, take
from tests.paraphrasing import hand_in, item_rows, paraphrase_study, results_of, work_through

pytestmark = pytest.mark.django_db

BRANCH = {f"shop-{phrase}": [f"{phrase} branch", f"{phrase} lender"] for phrase in ("bank", "post", "mill")}
SLOPE = {f"farm-{phrase}": [f"{phrase} slope"] for phrase in ("bank", "post", "mill")}


def by_candidate(report, data, name="majority"):
    """Return the labels of a report as {(item, paraphrase): label}."""
    questions = {question.ref: question.payload for question in data.questions}
    texts = [
        (questions[ref]["item"], text)
        for ref in report.result["sentences"]["ref"]
        for text in questions[ref]["paraphrases"]
    ]
    return dict(zip(texts, report.result["labels"][name], strict=True))


def file_of(study, report, filename):
    export = next(each for each in tasktypes.get("paraphrase").exports if each.filename == filename)
    data = b"".join(export.write(study_data(study), report.result if report else None))
    return list(csv.DictReader(io.StringIO(data.decode())))


@pytest.fixture(scope="module")
def shared_collected(share):
    return share(make_collected)


@pytest.fixture
def collected(shared_collected, db):
    return Study.objects.get(pk=shared_collected.pk)


def make_collected():
    """All three annotators accept “branch” and “lender” in the domain “shops”, and two of three accept “slope” in the
    domain “farms”.
    """
    study = paraphrase_study()
    for yes in (BRANCH | SLOPE, BRANCH | SLOPE, BRANCH):
        work_through(make_annotator(study), yes)
    return study


def test_a_disagreement_lists_only_the_candidates_with_different_votes():
    payload = {"item": "shop-bank", "paraphrases": ["branch", "slope", "lender"]}
    given, expected = {"votes": [True, True, False]}, {"votes": [True, False, True]}
    own, right = tasktypes.get("paraphrase").differing_parts(payload, given, expected, {}, {})
    assert [(part.label, part.texts) for part in own] == [("Yes", ["slope"]), ("No", ["lender"])]
    assert [(part.label, part.texts) for part in right] == [("Yes", ["lender"]), ("No", ["slope"])]


def test_a_new_study_begins_with_the_papers_rule():
    study = create_study(user=UserFactory(), title="Paraphrases", task_type="paraphrase")
    assert (study.judgements, study.rule_unit, study.rule_minimum, study.rule_threshold) == (5, "hits", 10, 0.5)
    assert study.gold_block <= study.questions_per_hit  # a quality-control question in every HIT
    assert "in place of the marked words" in study.instructions


@pytest.mark.nightly
def test_quality_control_looks_like_every_other_question():
    page = present(take(make_annotator(paraphrase_study())))
    assert len(page["questions"]) == 3
    shapes = {tuple(question["content"]) for question in page["questions"]}
    assert shapes == {("before", "phrase", "after", "candidates")}
    for question in page["questions"]:
        content = question["content"]
        assert content["before"] + content["phrase"] + content["after"] != ""
        assert "gold" not in str(question)
        assert "synonym" not in str(question)


@pytest.mark.nightly
def test_practice_questions_contain_their_own_sentences_and_need_no_items():
    page = present(take(make_annotator(paraphrase_study(practice=2), standing="practising")))
    assert [page["kind"], len(page["questions"])] == ["practice", 2]
    assert all(question["content"]["phrase"] == "happy" for question in page["questions"])


def test_every_hit_has_a_question_for_quality_control():
    study = paraphrase_study()
    ann = make_annotator(study)
    for _ in range(3):
        kinds = [answer.question.kind for answer in take(ann).answers.select_related("question")]
        assert kinds.count(Question.Kind.GOLD) == 1
        hand_in(ann)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("answers", "measure", "stopped_after"),
    [
        ("wrong", "accuracy", 10),
        ("all", "accuracy", None),  # half of three synonyms and three random words: the loophole of the paper's rule
        ("none", "accuracy", None),
        ("right", "accuracy", None),
    ],
)
def test_under_half_of_the_candidates_after_ten_hits_stops(answers, measure, stopped_after):
    rows = item_rows([f"p{number}" for number in range(12)])
    study = paraphrase_study(rows=rows, quality=12, rule_measure=measure, judgements=1)
    ann = make_annotator(study)
    receipts = [hand_in(ann, quality=answers) for _ in range(stopped_after or 11)]
    assert [receipt.stopped for receipt in receipts] == [
        number == stopped_after for number in range(1, len(receipts) + 1)
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("answers", ["all", "none"])
def test_balanced_accuracy_over_one_half_closes_the_loophole(answers):
    rows = item_rows([f"p{number}" for number in range(10)])
    study = paraphrase_study(rows=rows, quality=10, rule_measure="balanced", rule_threshold="0.51", judgements=1)
    ann = make_annotator(study)
    assert [hand_in(ann, quality=answers).stopped for _ in range(10)] == [False] * 9 + [True]


@pytest.mark.nightly
def test_who_is_stopped_leaves_no_vote_and_the_slots_open_again():
    rows = item_rows([f"p{number}" for number in range(10)])
    study = paraphrase_study(rows=rows, quality=10, judgements=1)
    ann = make_annotator(study)
    for _ in range(10):
        hand_in(ann, quality="wrong")
    assert study.slots.filter(open__gt=0).count() == study.slots.count()
    assert results_of(study).result["judgements"] == 0


def test_an_answer_without_a_vote_names_the_candidate():
    ann = make_annotator(paraphrase_study())
    assignment = take(ann)
    candidates = present(assignment)["questions"][0]["content"]["candidates"]
    votes = [True] * (len(candidates) - 1) + [None]
    with pytest.raises(Refused, match=f"Choose yes or no for “{candidates[-1]}”") as refused:
        give_answer(ann.pk, assignment.public_id, 1, {"votes": votes})
    assert list(refused.value.fields) == [f"answers.1.votes.{len(candidates) - 1}"]


def test_none_is_right_is_an_answer(collected):
    rows = file_of(collected, None, "votes.csv")
    mills = [row for row in rows if row["sentence"] == "farm-mill"]
    assert {row["label"] for row in mills} == {"yes", "no"}
    assert len(mills) == 9


def test_the_majority_of_the_votes_is_the_label(collected):
    report = results_of(collected)
    labels = by_candidate(report, study_data(collected))
    good = {candidate for candidate, label in labels.items() if label == 1}
    assert good == {(item, text) for item, texts in (BRANCH | SLOPE).items() for text in texts}
    assert report.result["counts"]["undecided"] == 0
    assert report.result["votes"] == 6 * 3 * 3


def test_the_same_report_again_has_the_same_digits(collected):
    report = results_of(collected)
    assert recompute(report) == report.result


def test_pairs_are_good_in_one_domain_and_bad_in_the_other_with_the_sentences(collected):
    report = results_of(collected)
    domains = {
        row["domain"]: row
        for row in file_of(collected, report, "labels-by-domain.csv")
        if row["paraphrase"] == "bank slope"
    }
    assert {name: row["label"] for name, row in domains.items()} == {"shop": "bad", "farm": "good"}
    rows = file_of(collected, report, "domain-against-domain.csv")
    slope = [row for row in rows if row["paraphrase"] == "bank slope"]
    assert [(row["domain"], row["label"], row["item"]) for row in slope] == [
        ("farm", "good", "farm-bank"),
        ("shop", "bad", "shop-bank"),
    ]
    assert slope[0]["sentence"] == "Behind the barn a bank had fallen into the ditch."
    (between,) = report.result["between"]
    names = report.result["domains"]
    ways = {names[between["one"]]: between["good_in_one"], names[between["other"]]: between["good_in_other"]}
    assert ways == {"shop": 6, "farm": 3}


def test_labels_are_in_the_order_of_the_items(collected):
    report = results_of(collected)
    order = list(dict.fromkeys(row["item"] for row in file_of(collected, report, "labels-by-sentence.csv")))
    assert order == [item.key for item in study_data(collected).items]
    shown = labels(collected, report, {})
    assert list(dict.fromkeys(row.key for row in shown.context["rows"])) == order
    assert list(shown.context["page"]) != sorted(shown.context["page"])
    del report.result["sentences"]["item_place"]  # added after the first reports
    page = labels(collected, report, {}).context["page"]
    assert list(page) == sorted(page)


@pytest.mark.nightly
def test_downloads_tell_votes_labels_and_quality_control(collected):
    report = results_of(collected)
    item = collected.items.get(key="farm-post")
    item.metadata |= {"genre": "news", "votes": "7"}
    item.save()
    labels = file_of(collected, report, "labels-by-sentence.csv")
    assert {row["genre"] for row in labels if row["item"] != "farm-post"} == {""}
    row = next(row for row in labels if row["item"] == "farm-post" and row["paraphrase"] == "post slope")
    assert (row["label"], row["yes"], row["votes"], row["domain"]) == ("good", "2", "3", "farm")
    assert row["genre"] == "news"
    assert {"weighted", "one_coin", "dawid_skene"} <= row.keys()
    quality = file_of(collected, None, "quality-control-answers.csv")
    assert len(quality) == 3 * 3 * 6
    assert {(row["kind"], row["label"], row["as_expected"]) for row in quality} == {
        ("synonym", "yes", "yes"),
        ("random word", "no", "yes"),
    }
    votes = file_of(collected, None, "votes.csv")
    assert len({(row["item"], row["annotator"]) for row in votes}) == len(votes) == 54


def test_votes_can_be_read_by_the_commands_on_labels(collected):
    from accord_core.exchange.labels import read_labels
    from accord_core.numerics.agreement import fleiss_kappa

    export = next(each for each in tasktypes.get("paraphrase").exports if each.filename == "votes.csv")
    file = read_labels(b"".join(export.write(study_data(collected), None)), name="votes.csv")
    report = results_of(collected)
    assert fleiss_kappa(file.labels).value == pytest.approx(report.result["agreement"]["fleiss_kappa"]["value"])


@pytest.mark.nightly
def test_annotators_have_their_accuracy_and_whoever_says_yes_to_everything_is_pointed_out():
    rows = item_rows([f"p{number}" for number in range(12)])
    study = paraphrase_study(rows=rows, quality=12, judgements=2)
    everything = {row["id"]: row["paraphrases"] for row in rows}
    work_through(make_annotator(study), everything, "all")
    work_through(make_annotator(study), {row["id"]: row["paraphrases"][:1] for row in rows})
    people = sorted(results_of(study).result["people"], key=lambda person: person["accuracy"])
    assert [person["accuracy"] for person in people] == [0.5, 1.0]
    assert [person["balanced_accuracy"] for person in people] == [0.5, 1.0]
    assert [person["shared"] for person in people] == [person["judgements"] for person in people], "questions"
    assert [(person["gold_right"], person["gold_given"]) for person in people] == [(0, 12), (12, 12)]
    assert people[0]["flag"]["title"] == "Chooses nearly everything"
    assert people[1]["flag"] is None
    columns = next(csv.reader([b"".join(annotators_csv(study)).decode().partition("\n")[0]]))
    assert len(set(columns)) == len(columns), "each column has a name of its own"


@pytest.mark.nightly
@pytest.mark.parametrize(("ties", "label"), [("undecided", -1), ("negative", 0)])
def test_even_votes_follow_the_studys_rule(ties, label):
    study = paraphrase_study(judgements=2, options={"ties": ties})
    for yes in (BRANCH, SLOPE):
        work_through(make_annotator(study), yes)
    labels = by_candidate(results_of(study), study_data(study))
    assert labels["shop-bank", "bank branch"] == label
    assert labels["shop-bank", "bank slope"] == 0


@pytest.mark.nightly
def test_one_more_annotator_is_asked_about_questions_with_a_tie_and_only_once():
    study = paraphrase_study(judgements=2, options={"ties": "one more"})
    for yes in (BRANCH | SLOPE, BRANCH):
        work_through(make_annotator(study), yes)
    assert add_where_needed(study.pk, user=SYSTEM) == 3
    assert add_where_needed(study.pk, user=SYSTEM) == 0
    work_through(make_annotator(study), SLOPE)
    assert add_where_needed(study.pk, user=SYSTEM) == 0
    labels = by_candidate(results_of(study), study_data(study))
    assert labels["farm-bank", "bank slope"] == 1


@pytest.mark.nightly
def test_nothing_more_is_asked_while_a_question_waits_for_its_votes():
    study = paraphrase_study(judgements=3, options={"ties": "one more"})
    for yes in (BRANCH, SLOPE):
        work_through(make_annotator(study), yes)
    assert add_where_needed(study.pk, user=SYSTEM) == 0


@pytest.mark.nightly
def test_a_reviewers_decision_stands_for_the_votes():
    study = paraphrase_study(judgements=2, options={"ties": "adjudicate"})
    for yes in (BRANCH, SLOPE):
        work_through(make_annotator(study), yes)
    waiting = study.questions.filter(kind="regular").count()
    assert f"{waiting} questions wait for a decision" in [entry.title for entry in todo_of(study)]
    question = study.questions.get(payload__item="shop-bank")
    decide(question.pk, {"votes": [True, False, False]}, user=member_of(study))
    report = results_of(study)
    labels = by_candidate(report, study_data(study))
    assert [labels["shop-bank", f"bank {word}"] for word in ("branch", "slope", "lender")] == [1, 0, 0]
    assert labels["shop-post", "post branch"] == -1
    assert report.result["counts"]["decided"] == 3
    by_sentence = file_of(study, report, "labels-by-sentence.csv")
    assert [row["decided_by_reviewer"] for row in by_sentence if row["item"] == "shop-bank"] == ["yes"] * 3


@pytest.mark.nightly
def test_kept_answers_leave_the_label_to_the_votes_and_the_files_say_so():
    study = paraphrase_study(judgements=3)
    for yes in (BRANCH, BRANCH, SLOPE):
        work_through(make_annotator(study), yes)
    kept, decided = (study.questions.get(payload__item=item) for item in ("shop-bank", "shop-post"))
    keep_both(kept.pk, user=member_of(study))
    decide(decided.pk, {"votes": [False, False, False]}, user=member_of(study))
    report = results_of(study)
    counts, labels = report.result["counts"], by_candidate(report, study_data(study))
    assert (counts["decided"], counts["kept"]) == (3, 3)
    assert labels["shop-bank", "bank branch"] == 1
    by_sentence = file_of(study, report, "labels-by-sentence.csv")
    reviewed = {row["item"]: row["decided_by_reviewer"] for row in by_sentence}
    assert {item: said for item, said in reviewed.items() if said} == {"shop-bank": "kept", "shop-post": "yes"}
    votes = sum(2 * int(row["yes"]) > int(row["votes"]) for row in by_sentence)
    by_majority, *others = report.result["methods"]["rows"]
    assert by_majority["good"] == votes == counts["good"] + 2, "the row Majority contains no decisions"
    assert [row["reverses"] for row in others if row["method"] == "dawid_skene"] == [0]


def test_simulated_annotators_go_from_practice_to_a_report():
    study = paraphrase_study(rows=item_rows([f"p{n}" for n in range(8)]), quality=10, practice=2, judgements=5)
    truth = dict.fromkeys(study.items.values_list("key", flat=True), 2 / 3)
    simulate(study, user=SYSTEM, annotators=8, careless=0.2, seed=5, truth=truth)
    report = results_of(study)
    labels = by_candidate(report, study_data(study))
    first_two = [label == (not text.endswith("lender")) for (_, text), label in labels.items()]
    assert sum(first_two) / len(first_two) > 0.9
    assert report.result["worker_accuracy"]["accuracy"] > 0.7
    together, gold = with_quality_control(unpacked(columns(study_data(study))))
    known = one_coin(together, gold=gold).label[: len(labels)]
    rows = {row["method"]: row for row in report.result["methods"]["rows"]}
    assert rows["one_coin_gold"]["good"] == (known == 1).sum()
    assert rows["dawid_skene_gold"]["rounds"] > 0
    assert 0 < report.result["headline"]["ends"][0]["value"] < 1
    assert recompute(report) == report.result


def test_a_report_without_quality_control_leaves_out_the_weights():
    study = paraphrase_study(quality=0)
    work_through(make_annotator(study), BRANCH)
    result = results_of(study).result
    assert [row["method"] for row in result["methods"]["rows"]] == ["majority", "one_coin", "dawid_skene"]
    assert result["agreement"]["fleiss_kappa"]["value"] is None
    assert result["worker_accuracy"]["accuracy"] is None


@pytest.mark.nightly
def test_gold_of_ones_own_comes_from_items_that_are_held_out():
    task = tasktypes.get("paraphrase")
    rows = [*item_rows(["bank"]), *item_rows(["post"], gold_only="yes")]
    study = paraphrase_study(rows=rows, state="draft")
    items = study_data(study).items
    drawn = task.draw_candidates(items, [], 2, study.options, seed=3)
    assert {draft.payload["item"] for draft in drawn} == {"shop-post", "farm-post"}
    with pytest.raises(tasktypes.CannotBuild, match="No more items can be used as gold candidates"):
        task.draw_candidates(items, [draft.payload for draft in drawn], 1, study.options, seed=3)
    assert {q.payload["item"] for q in Study.objects.get(pk=study.pk).questions.filter(kind="regular")} == {
        "shop-bank",
        "farm-bank",
    }
