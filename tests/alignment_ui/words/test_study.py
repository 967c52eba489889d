"""Tests of a complete word-alignment study, from its files to its report, through the services that a browser uses."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from accord_core.pairs.formats.corpus import notation
from accord_core.pairs.formats.registry import read_alignments
from accord_core.words.numerics.aggregation import majority
from accord_core.words.numerics.phrases import atomic_phrase_pairs
from alignment_ui.words import columns, exports
from alignment_ui.words.answer import as_alignment
from alignment_ui.words.console.disagreements import shared_ranking
from alignment_ui.words.console.report import summary
from annotate.console.services import todo_of
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.answer import give_answer
from annotate.core.services.submit import AnswerSent, submit
from annotate.models import Report, Study
from annotate.questions.selectors.adjudication import Queue
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide, keep_both
from annotate.questions.services.more_judgements import add_where_needed
from annotate.results.selectors.downloads import exports_of
from annotate.results.selectors.files import report_files
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from reporting.selectors.methods import current_methods
from tests.annotator.test_annotator_pages import come_in
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, take
from tests.markup import markup
from tests.word_study import collected, rows, truth, word_study

pytestmark = pytest.mark.django_db

CONFIRMED = [[1_200, "confirm", "button", []]]


def report_on(study, kind="results"):
    parameters = {"resamples": 30, "samples": 3}
    return make_report(study.pk, kind=kind, parameters=parameters, user=SYSTEM, progress=lambda share, text: None)


def written(study, name):
    (export,) = [export for export in exports_of(study) if export.filename == name]
    return b"".join(export.write(study_data(study), None))


def give_all(person, assignment, value):
    sent = [AnswerSent(answer.position, value, seconds=9.0) for answer in assignment.answers.all()]
    submit(person.pk, assignment.public_id, sent)


@pytest.fixture(scope="module")
def shared_answered(share):
    return share(make_answered)


@pytest.fixture
def answered(shared_answered, db):
    return Study.objects.get(pk=shared_answered.pk)


def make_answered():
    """Let three annotators work on twelve pairs with two annotations and six pairs with one annotation, a quarter of
    which start without links.
    """
    return collected(annotators=3, options={"sample": 6, "double": 4, "blank": 0.25})


def test_an_annotator_is_told_words_and_start_and_never_gold_keys_or_what_is_withheld():
    study = word_study(options={"sample": 4, "blank": 0.5})
    page = present(take(make_annotator(study)))
    assert page["study"]["module"].endswith("words/dist/words.js")
    assert len(page["questions"]) == 4
    for question in page["questions"]:
        assert set(question["content"]) == {"source", "target", "prealignment", "f1", "ignore_identical", "offers"}
    assert not any(word in json.dumps(page, default=str) for word in ("withheld", "known-", "gold", "go-0", "nw-0"))


@pytest.mark.nightly
@pytest.mark.parametrize("right", [True, False])
def test_gold_is_graded_when_it_is_given_and_told_with_both_alignments_when_it_was_missed(right):
    study = word_study(rule_minimum=1, rule_threshold="0.5", options={"sample": 2})
    person = make_annotator(study)
    assignment = take(person)
    (gold,) = assignment.answers.filter(question__kind="gold").select_related("question")
    expected = gold.question.gold
    sent = expected | {"log": CONFIRMED} if right else {"sure": [[0, 0]], "possible": [], "log": CONFIRMED}
    given = give_answer(person.pk, assignment.public_id, gold.position, sent)
    gold.refresh_from_db()
    assert (given.final, given.stopped, gold.passed) == (not right, not right, right)
    if right:
        assert (given.feedback, gold.tally) == ([], {"right": 1, "wrong": 0, "f1": 1})
        return
    (feedback,) = given.feedback
    assert feedback.expected == expected
    assert feedback.given["sure"] == [[0, 0]]
    assert feedback.explanation == gold.question.explanation != ""
    assert re.fullmatch(
        r"Agreement between your links and the expected links: \d+%\. The pass mark for this question is \d+%\..*",
        feedback.message,
    )


@pytest.mark.nightly
def test_a_stop_that_rests_on_a_partial_score_shows_the_score_and_the_answer_that_lowered_it(client):
    study = word_study(
        rule_minimum=1,
        rule_measure="f1",
        rule_threshold="0.99",
        options={"sample": 2, "f1": 0.01, "ignore_identical": False},
    )
    person = come_in(client, study)
    assignment = take(person)
    (gold,) = assignment.answers.filter(question__kind="gold").select_related("question")
    sent = gold.question.gold | {"sure": gold.question.gold["sure"][1:], "log": CONFIRMED}
    others = assignment.answers.exclude(pk=gold.pk).values_list("position", flat=True)
    answers = [AnswerSent(position, {"sure": [[0, 0]], "possible": [], "log": CONFIRMED}) for position in others]
    receipt = submit(person.pk, assignment.public_id, [AnswerSent(gold.position, sent), *answers])
    assert receipt.stopped
    gold.refresh_from_db()
    assert gold.passed
    percent = int(gold.tally["f1"] * 100)
    assert 0 < percent < 99
    html = " ".join(markup(client.get(f"/s/{study.public_id}")).split())
    assert re.search(rf"{percent}%\s*<small>\s*result of 1 check question", html)
    assert f"Your result is {percent}%, and the pass mark is 99%." in html
    assert "answered as expected</small>" not in re.sub(r"\s+<", "<", html)
    assert "1 answer that differed" in html
    assert f"Score of your answer: {percent}%" in html
    assert "Expected links that you did not draw" in html


@pytest.mark.nightly
def test_an_answer_that_cannot_be_is_named_by_its_place_and_nothing_is_taken():
    person = make_annotator(word_study(gold=False, options={"sample": 2, "prealign": "none"}))
    assignment = take(person)
    sent = [AnswerSent(1, {"sure": [[0, 0]], "log": CONFIRMED}), AnswerSent(2, {"sure": [[99, 0]]}), AnswerSent(3, {})]
    with pytest.raises(Refused, match="Token 99 does not exist") as refused:
        submit(person.pk, assignment.public_id, sent)
    assert list(refused.value.fields) == ["answers.2.sure.0"]
    assert not assignment.answers.filter(given_at__isnull=False).exists()


@pytest.mark.nightly
def test_giving_an_answer_again_replaces_it_and_keeps_its_log():
    person = make_annotator(word_study(gold=False, options={"sample": 2, "prealign": "none"}))
    assignment = take(person)
    first = {"sure": [[0, 0]], "possible": [], "log": [[10, "sure", "tap", [[0, 0]]]]}
    second = {"sure": [], "possible": [[0, 0]], "log": [*first["log"], [20, "possible", "key", [[0, 0]]]]}
    for value in (first, second, second):
        give_answer(person.pk, assignment.public_id, 1, value)
    answer = assignment.answers.get(position=1)
    assert answer.value == second
    assert [before["value"] for before in answer.trace] == [first]
    assert present(assignment)["questions"][0]["value"] == second


@pytest.mark.nightly
def test_two_annotators_align_the_doubly_annotated_part_both_and_share_the_rest_evenly():
    """If HITs are assigned in order with the limit in the design report, every annotator has work up to the limit."""
    study = collected(
        annotators=2, gold=False, options={"double": 6, "sample": 12, "prealign": "none"}, hits_per_annotator=9
    )
    assert study.design.result["judgements"] == 54
    by_person = [person.answers.filter(given_at__isnull=False).count() for person in study.participations.all()]
    assert by_person == [27, 27]
    assert not study.slots.filter(open=1).exists()


def test_a_whole_study_gives_the_same_digits_again(answered):
    made = report_on(answered)
    assert made.result["judgements"] == 30
    counts = {"asked": 18, "aligned": 18, "aligned_twice": 12, "decided": 0, "kept": 0, "comparisons": 12}
    assert made.result["pairs"] == counts
    assert [row["subcorpus"] for row in made.result["words"]] == ["guides", "news", "stories", None]
    assert made.result["words"][-1]["och_ney"]["f1"]["value"] > 0.75
    assert made.result["anchoring"]["empty"]["answers"] > 0
    assert recompute(Report.objects.get(pk=made.pk)) == made.result
    assert report_on(answered, "progress").result["headline"]["name"] == made.result["headline"]["name"]


@pytest.mark.nightly
def test_final_alignments_come_back_from_every_format_that_holds_them(answered):
    final = columns.collected(columns.columns(study_data(answered)))
    jacana = read_alignments(written(answered, "alignments.json"), name="a.json")
    assert len(jacana.pairs) == 18
    assert {pair.id: pair.alignment for pair in jacana.pairs} == {
        final.pairs[place].ref: alignment for place, alignment in final.final.items()
    }
    known = {pair.id for pair in jacana.pairs}
    assert [pair.id for pair in jacana.pairs] == [item.key for item in study_data(answered).items if item.key in known]
    wpt = read_alignments(written(answered, "alignments.wa"), name="a.wa", sentences=jacana)
    assert [pair.alignment for pair in wpt.pairs] == [pair.alignment for pair in jacana.pairs]
    pharaoh = read_alignments(written(answered, "alignments.pharaoh"), name="a.pharaoh")
    assert [pair.alignment.sure for pair in pharaoh.pairs] == [pair.alignment.sure for pair in jacana.pairs]
    table = list(csv.DictReader(io.StringIO(written(answered, "pairs.tsv").decode()), delimiter="\t", quoting=3))
    assert [row["id"] for row in table] == [pair.id for pair in jacana.pairs]
    assert [row["alignment"] for row in table] == [notation(pair.alignment) for pair in jacana.pairs]


def test_pairs_are_exported_with_the_further_columns_of_their_file(answered):
    data = study_data(answered)
    items = [replace(item, metadata={**item.metadata, "year": item.key}) for item in data.items]
    exported = b"".join(exports.pairs(replace(data, items=items), None)).decode()
    table = list(csv.DictReader(io.StringIO(exported), delimiter="\t", quoting=3))
    assert list(table[0])[-2:] == ["alignment", "year"], "the subcorpus has a column of its own"
    assert [row["year"] for row in table] == [row["id"] for row in table]


@pytest.mark.nightly
def test_a_report_contains_its_alignments_which_later_decisions_do_not_change(answered):
    report = report_on(answered)
    files = {file.name: file for file in report_files(answered, report)}
    assert next(iter(files)) == "alignments.json"
    before = b"".join(files["alignments.json"].write())
    assert before == written(answered, "alignments.json")
    first = read_alignments(before, name="a.json").pairs[0].id
    question = answered.questions.get(ref=first)
    decide(question.pk, {"sure": [[0, 0]], "log": CONFIRMED}, user=answered.memberships.get().user)
    assert written(answered, "alignments.json") != before
    assert b"".join(files["alignments.json"].write()) == before
    page = markup(browser_of(answered).get(page_of(answered, "results/1/")))
    assert "Download alignments.json" in page


@pytest.mark.nightly
def test_every_annotation_is_exported_with_its_log(answered):
    lines = [json.loads(line) for line in written(answered, "annotations.jsonl").splitlines()]
    counted = [row for row in study_data(answered).answers if row.counts]
    assert [(line["pair"], line["annotator"], line["sure"], line["log"]) for line in lines] == [
        (row.ref, row.pseudonym, row.value["sure"], row.value["log"]) for row in counted
    ]
    assert {line["prealignment"] is None for line in lines} == {True, False}
    log = list(csv.DictReader(io.StringIO(written(answered, "edits.csv").decode())))
    assert len(log) == sum(len(row.value["log"]) for row in counted)
    assert log[0]["operation"] in ("sure", "possible", "remove", "confirm")


def test_phrase_pairs_are_exported_with_what_they_are(answered):
    table = list(csv.DictReader(io.StringIO(written(answered, "phrases.tsv").decode()), delimiter="\t", quoting=3))
    for pair in read_alignments(written(answered, "alignments.json"), name="a.json").pairs:
        for links, chosen in (("sure", pair.alignment.sure), ("all", pair.alignment.links)):
            atoms = atomic_phrase_pairs(chosen, len(pair.source), len(pair.target))
            told = [row for row in table if (row["pair"], row["links"], row["kind"]) == (pair.id, links, "atomic")]
            assert [(row["source_tokens"], row["target_tokens"]) for row in told] == [
                (f"{atom[0]}-{atom[1] - 1}", f"{atom[2]}-{atom[3] - 1}") for atom in atoms
            ]
    assert {row["identical"] for row in table if row["source"].lower() == row["target"].lower()} == {"yes"}


@pytest.mark.nightly
def test_what_a_researcher_decides_is_final_and_leaves_annotators_agreement_as_it_was(answered):
    before = report_on(answered).result
    question = answered.questions.get(ref=before["disagreements"][0]["ref"])
    decide(question.pk, {"sure": [[0, 0]], "log": CONFIRMED}, user=answered.memberships.get().user)
    after = report_on(Study.objects.get(pk=answered.pk)).result
    assert (after["words"], after["people"]) == (before["words"], before["people"])
    assert after["pairs"]["decided"] == 1
    assert after["disagreements"][0]["decided"]
    jacana = read_alignments(written(answered, "alignments.json"), name="a.json")
    (decided,) = [pair for pair in jacana.pairs if pair.id == question.ref]
    assert decided.alignment == as_alignment({"sure": [[0, 0]], "possible": []})


@pytest.mark.nightly
def test_keeping_all_answers_counts_as_decided_and_leaves_the_links_of_the_majority_final(answered):
    before = report_on(answered).result["disagreements"][0]
    question = answered.questions.get(ref=before["ref"])
    drawn = [as_alignment(answer.value) for answer in question.answers.filter(value__isnull=False)]
    queue = markup(browser_of(answered).get(page_of(answered, "adjudicate/?order=agreement")))
    assert "Links between identical words do not count." in queue
    assert "Otherwise, different answers have an agreement of 0." in queue
    keep_both(question.pk, user=answered.memberships.get().user)
    after = report_on(Study.objects.get(pk=answered.pk)).result
    assert (after["pairs"]["decided"], after["pairs"]["kept"]) == (1, 1)
    assert after["disagreements"][0] == before | {"decided": True, "kept": True}
    table = csv.DictReader(io.StringIO(written(answered, "pairs.tsv").decode()), delimiter="\t")
    (row,) = [row for row in table if row["id"] == question.ref]
    assert row["decided"] == "kept"
    assert row["alignment"] == notation(majority(drawn))
    client = browser_of(answered)
    assert "all answers kept" in markup(client.get(page_of(answered, "results/2/disagreements/")))
    shown = markup(client.get(page_of(answered, f"adjudicate/{question.public_id}/")))
    assert "will contain the links that more than half of the annotators drew" in shown


@pytest.mark.nightly
def test_answers_that_differ_only_in_sure_and_possible_links_are_to_be_decided():
    study = word_study(gold=False, judgements=2, options={"sample": 1, "prealign": "none"}, questions_per_hit=1)
    for sure, possible in (([[0, 0], [1, 1]], []), ([[0, 0]], [[1, 1]])):
        person = make_annotator(study)
        give_all(person, take(person), {"sure": sure, "possible": possible, "log": CONFIRMED})
    assert [todo.title for todo in todo_of(study)] == ["1 question waits for a decision"]
    (row,) = Queue(study).entries(0, 5)
    assert f"{row.agreement:.6f}" == "1.000000"
    overview = markup(browser_of(study).get(page_of(study)))
    assert "1 question waits for a decision" in overview


@pytest.mark.nightly
def test_a_third_annotator_is_asked_where_two_disagree_and_asked_once():
    study = collected(
        annotators=2, gold=False, judgements=2, options={"third_below": 0.99, "prealign": "none", "sample": 2}
    )
    added = add_where_needed(study.pk, user=SYSTEM)
    assert 0 < added <= 6
    assert add_where_needed(study.pk, user=SYSTEM) == 0


@pytest.mark.nightly
def test_without_initial_links_a_report_says_nothing_about_them():
    study = collected(annotators=3, gold=False, judgements=3, options={"prealign": "none", "sample": 2})
    report_on(study)
    report = markup(browser_of(study).get(page_of(study, "results/1/")))
    assert ">Agreement on words</h2>" in report
    assert "comparisons</span>" in report
    for corrected in ("re-alignment</h2>", "C (sure)", "coefficient C", ">C</th>"):
        assert corrected not in report


@pytest.mark.nightly
def test_the_console_shows_the_report_and_the_phrase_pairs_of_any_pair(answered):
    report_on(answered)
    client = browser_of(answered)

    def page(place):
        response = client.get(page_of(answered, place))
        assert response.status_code == 200, place
        return markup(response)

    report = page("results/1/")
    for heading in (
        "Agreement on words",
        "Agreement on phrase pairs",
        "Agreement with the pre-alignment",
        "Influence of the pre-alignment",
        "Largest disagreements",
        "Agreement by annotator pair",
    ):
        assert f">{heading}</h2>" in report
    between, _, against = report.partition(">Agreement with the pre-alignment</h2>")
    assert ">Precision</th>" in against
    assert ">Precision</th>" not in between, "neither annotator is the reference"
    note = shared_ranking(answered, answered.reports.get(kind="results")).note
    assert note.endswith("differ only in possible links or in links between identical words.")
    first = answered.reports.get(kind="results").result["disagreements"][0]
    worst = first["ref"]
    listed = [{**first, "f1": f1} for f1 in (0.4, 1.0)]
    made = answered.reports.get(kind="results")
    made.result = {**made.result, "disagreements": listed}
    largest = summary(answered, made, {}).context["worst"]
    assert [row["f1"] for row in largest] == [0.4], "possible links alone are no large disagreement"
    one = answered.participations.get(pseudonym=first["annotators"][0])
    answered.named_annotators.create(name="Ada Byron", participation=one)
    assert worst in page("results/1/disagreements/")
    assert ">Ada Byron</a>" in page("results/1/disagreements/"), "by name, as in the rest of the report"
    text = current_methods(answered).markdown()
    assert "We asked for two annotations of 4 pairs from each subcorpus, and for one annotation" in text
    assert "judgements per question" not in text
    phrases = page(f"results/1/phrases/?ref={worst}&links=sure")
    assert "atomic" in phrases
    assert "in common" in phrases
    assert ">Ada Byron</th>" in phrases
    assert "Pair not found" in page("results/1/phrases/?ref=unheard-of")
    assert "atomic" in page("results/1/phrases/")
    places = ("items/", "design/", "questions/", "gold/", "annotators/", "results/all/", "downloads/", "settings/")
    for place in ("", *places):
        page(place)
    files = page("downloads/")
    assert "from the current answers and decisions" in files, "decisions after the report change the files"
    assert ">report 1</a>, " not in files
    assert client.get(page_of(answered, "results/1/elsewhere/")).status_code == 404
    question = answered.questions.get(ref=worst)
    assert "sure, " in page(f"questions/{question.public_id}/")


@pytest.mark.nightly
def test_a_report_before_anything_was_aligned_twice_says_so():
    study = collected(annotators=1, gold=False, hits=1, options={"prealign": "none", "sample": 2})
    report_on(study)
    page = markup(browser_of(study).get(page_of(study, "results/1/")))
    assert "no pair has been aligned by two annotators" in page
    assert "Agreement with the pre-alignment" not in page


@pytest.mark.nightly
def test_simulated_annotators_know_the_truth_of_gold_too():
    study = collected(annotators=2, rule_threshold="0.5", rule_minimum=3, options={"sample": 6})
    assert set(truth()) == {row["id"] for row in rows("items.csv")}
    assert {person.standing for person in study.participations.all()} == {"active"}
    person = study.participations.first()
    assert person.tallies["right"] / person.graded > 0.7
