"""Annotators' messages and choices in the console: the list, its filters, replies, and the page of one annotator."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.stop_figures import rule_figures
from annotate.core.services.answer import acknowledge
from annotate.core.services.grading import AnswerSent
from annotate.core.services.remarks import object_to_stop, reply_to, send_remark
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.messages.selectors import Kind, message_counts, message_keys, message_table, messages
from annotate.models import Remark, Study
from annotate.results.selectors.downloads import write_export
from tests.console_study import browser_of, page_of
from tests.factories import answers_to, do_hit, gold_in, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


def busy_study(annotators: int = 1) -> Study:
    """A study in which each annotator has caused an entry of each kind, and one more annotator has caused none."""
    study = make_study(items=20, gold=12, judgements=3, skips_allowed=True, rule_threshold="0.7", rule_minimum=10)
    for _ in range(annotators):
        ann = make_annotator(study)
        assignment = take(ann)
        gold = gold_in(assignment)[0]
        others = [answer.position for answer in assignment.answers.exclude(pk=gold.pk).order_by("position")]
        send_remark(ann.pk, assignment.public_id, others[0], kind="comment", text="Nice question <b>")
        send_remark(ann.pk, assignment.public_id, others[1], kind="problem", text="The sentence is cut off.")
        skipped = AnswerSent(others[2], skipped="I do not know the word")
        wrong = answers_to(assignment, right=False, but=[others[2]])
        submit(ann.pk, assignment.public_id, [skipped, *wrong])
        acknowledge(ann.pk, assignment.public_id, gold.position, disputed=True, note="Both fit.")
        return_hit(ann.pk, take(ann).public_id)
        stop(ann.pk, reason="accuracy too low", user=SYSTEM)
        object_to_stop(ann.pk, text="I answered carefully.")
        leaver = make_annotator(study)
        withdraw(leaver.pk, keep_answers=True)
    make_annotator(study)
    return study


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(busy_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def entries(study: Study, **filters):
    return messages(list(message_keys(study, **filters)))


class TestTheList:
    def test_has_an_entry_of_each_kind_newest_first(self, study):
        rows = entries(study)
        assert sorted(row.kind for row in rows) == sorted(Kind)
        assert [row.at for row in rows] == sorted((row.at for row in rows), reverse=True)
        by_kind = {row.kind: row for row in rows}
        assert by_kind["skip"].text == "I do not know the word"
        assert by_kind["dispute"].text == "Both fit."
        assert {kind: row.state for kind, row in by_kind.items()} == {
            "objection": "unanswered",
            "problem": "unanswered",
            "comment": "unanswered",
            "skip": "asked again",
            "dispute": "question in use",
            "return": "not paid",
            "withdrawal": "answers kept",
        }
        assert all(by_kind[kind].question for kind in ("problem", "comment", "skip", "dispute"))
        assert by_kind["return"].hit

    @pytest.mark.nightly
    def test_filters_agree_with_the_counts(self):
        study = busy_study(2)
        counts = message_counts(study)
        for kind in Kind:
            assert {row.kind for row in entries(study, kind=kind)} == {kind}
            assert len(entries(study, kind=kind)) == counts.kinds[kind] == 2
        assert len(entries(study, unanswered=True)) == counts.unanswered == 6
        assert len(entries(study, kind="nonsense")) == counts.matching("nonsense", unanswered=False) == 14
        first = study.participations.order_by("pk").first()
        assert {row.participation.pk for row in entries(study, annotator=first)} == {first.pk}
        assert message_counts(study, first).kinds["withdrawal"] == 0

    def test_leaves_out_try_outs_of_researchers(self):
        study = make_study(items=8, skips_allowed=True)
        trying = make_annotator(study, platform="try")
        assignment = take(trying)
        send_remark(trying.pk, assignment.public_id, 1, kind="comment", text="Only a try")
        assert entries(study) == []
        assert sum(message_counts(study).kinds.values()) == 0

    def test_leaves_out_answers_that_the_annotator_has_excluded_but_not_the_messages(self, study):
        ann = study.participations.order_by("pk").first()
        restore(ann.pk, reason="test", user=SYSTEM)
        withdraw(ann.pk, keep_answers=False)
        kinds = [row.kind for row in entries(study, annotator=ann)]
        assert sorted(kinds) == ["comment", "objection", "problem", "return", "withdrawal"]
        assert message_counts(study, ann).kinds["skip"] == 0
        assert ann.pseudonym not in {row.pseudonym for row in message_table(study)}, "exports leave the annotator out"

    def test_a_skipped_gold_question_beyond_the_limit_counts_as_missed(self):
        study = make_study(items=20, gold=12, skips_allowed=True, gold_skips_allowed=0)
        ann = make_annotator(study)
        assignment = take(ann)
        position = gold_in(assignment)[0].position
        rest = answers_to(assignment, but=[position])
        submit(ann.pk, assignment.public_id, [AnswerSent(position, skipped="hard"), *rest])
        assert [row.state for row in entries(study, kind="skip")] == ["counts as missed"]

    @pytest.mark.nightly
    def test_needs_the_same_number_of_queries_for_any_number_of_entries(self):
        numbers = []
        for study in (busy_study(1), busy_study(4)):
            client = browser_of(study)
            with CaptureQueriesContext(connection) as queries:
                client.get(page_of(study, "messages/"))
            numbers.append(len(queries))
        assert numbers[0] == numbers[1]


class TestThePage:
    def test_shows_the_figures_of_the_rule_and_offers_to_restore(self, study):
        page = markup(browser_of(study, "reviewer").get(page_of(study, "messages/?show=objection")))
        assert "Gold questions answered correctly: 0 of 1" in page
        assert "0 of 1 (0%, pass mark: 70%)" in page
        assert "Minimum number of gold answers: 10" in page
        assert "Reason for stopping the annotator: accuracy too low" in page
        who = study.participations.order_by("pk").first()
        assert f'data-action="/console/{study.public_id}/annotators/{who.pseudonym}/restore/"' in page
        assert "The sentence is cut off." not in page
        restore(who.pk, reason="right", user=SYSTEM)
        page = markup(browser_of(study, "reviewer").get(page_of(study, "messages/?show=objection")))
        assert "The annotator is no longer stopped." in page
        assert "data-action=" not in page

    def test_a_restored_annotator_starts_again_at_zero(self, study):
        ann = study.participations.order_by("pk").first()
        restore(ann.pk, reason="test", user=SYSTEM)
        ann.refresh_from_db()
        assert (rule_figures(study, [ann])[ann.pk].right, rule_figures(study, [ann])[ann.pk].given) == (0, 0)
        do_hit(ann)
        ann.refresh_from_db()
        figures = rule_figures(study, [ann])[ann.pk]
        assert (figures.right, figures.given, figures.accuracy) == (1, 1, 1.0)

    def test_escapes_text_and_links_annotators_and_questions(self, study):
        page = markup(browser_of(study).get(page_of(study, "messages/")))
        assert "Nice question &lt;b&gt;" in page
        who = study.participations.order_by("pk").first()
        remark = study.remarks.get(kind="problem")
        assert f"/annotators/{who.pseudonym}/" in page
        assert f"/questions/{remark.answer.question.public_id}/" in page
        item = study.items.get(key=remark.answer.question.payload["items"][0])
        assert item.content["text"] in page, "a message shows the text of its question"

    def test_a_disputed_question_leads_to_its_review(self, study):
        client, question = browser_of(study), study.questions.get(answers__disputed=True)
        review = page_of(study, f"gold/disputes/{question.public_id}/")
        assert f'<a href="{review}">Question in use</a>' in markup(client.get(page_of(study, "messages/")))
        assert client.get(review).status_code == 200

    def test_offers_only_filters_that_match_something(self, study):
        study.remarks.filter(kind="comment").delete()
        page = markup(browser_of(study).get(page_of(study, "messages/")))
        assert "?show=problem" in page
        assert "?show=comment" not in page

    @pytest.mark.nightly
    def test_has_its_empty_states(self):
        study = make_study()
        client = browser_of(study)
        assert "No messages yet" in markup(client.get(page_of(study, "messages/")))
        busy = busy_study()
        Remark.objects.all().delete()
        assert "No matching messages" in markup(browser_of(busy).get(page_of(busy, "messages/?show=objection")))
        assert client.get(page_of(study, "messages/?annotator=nobody")).status_code == 404

    @pytest.mark.nightly
    def test_pages_keep_the_filter(self, monkeypatch):
        monkeypatch.setattr("annotate.messages.pages.PAGE", 3)
        study = busy_study(2)
        page = markup(browser_of(study).get(page_of(study, "messages/?show=unanswered&page=2")))
        assert "4–6 of 6" in page
        assert "?show=unanswered&amp;page=1" in page

    def test_the_navigation_counts_unanswered_messages_and_the_overview_names_objections(self, study):
        page = markup(browser_of(study).get(page_of(study)))
        who = study.participations.order_by("pk").first()
        assert f"{who.pseudonym} objects to being stopped" in page
        assert "“I answered carefully.”" in page
        assert 'People <span class="work">2' in page
        assert 'Review <span class="work">2' in page, "a reported problem and a disputed gold question wait"

    def test_the_page_of_an_annotator_shows_the_same_entries(self, study):
        who = study.participations.order_by("pk").first()
        page = markup(browser_of(study).get(page_of(study, f"annotators/{who.pseudonym}/")))
        for text in ("The sentence is cut off.", "I do not know the word", "I answered carefully.", "Returned HIT"):
            assert text in page
        quiet = study.participations.order_by("-pk").first()
        page = markup(browser_of(study).get(page_of(study, f"annotators/{quiet.pseudonym}/")))
        assert "This annotator has sent no messages" in page


class TestReplies:
    def reply(self, study, role, text, **more):
        remark = study.remarks.get(kind="objection")
        client = browser_of(study, role)
        return client.post(page_of(study, f"messages/{remark.public_id}/reply/"), {"text": text, **more}, follow=True)

    def test_a_reviewer_replies_and_returns_to_the_same_list(self, study):
        response = self.reply(study, "reviewer", "We have looked again.", back="show=objection")
        page = markup(response)
        assert response.redirect_chain[-1][0].startswith(page_of(study, "messages/?show=objection#message-"))
        assert "We have looked again." in page
        assert "Answered" in page
        assert "objects to being stopped" not in markup(browser_of(study).get(page_of(study)))
        who = study.remarks.get(kind="objection").participation
        study.named_annotators.create(name="Ada Byron", participation=who)
        response = self.reply(study, "owner", "You are restored.", page="annotator")
        assert "Ada Byron sees your reply on the overview page of the study." in markup(response)
        assert f"/annotators/{study.remarks.get(kind='objection').participation.pseudonym}/" in str(
            response.redirect_chain
        )
        assert study.remarks.get(kind="objection").reply == "You are restored."

    def test_a_viewer_cannot_reply(self, study):
        assert self.reply(study, "viewer", "No.").status_code == 404
        assert "Send the reply" not in markup(browser_of(study, "viewer").get(page_of(study, "messages/")))
        assert study.remarks.get(kind="objection").reply == ""

    def test_an_empty_reply_is_refused(self, study):
        assert "Write a message first." in markup(self.reply(study, "owner", "  "))
        assert study.remarks.get(kind="objection").reply == ""

    @pytest.mark.nightly
    def test_a_reply_can_only_be_sent_within_its_study(self):
        study, other = busy_study(), make_study()
        remark = study.remarks.first()
        client = browser_of(other)
        response = client.post(page_of(other, f"messages/{remark.public_id}/reply/"), {"text": "x"}, follow=True)
        assert "This message does not exist." in markup(response)
        remark.refresh_from_db()
        assert remark.reply == ""


class TestExports:
    def test_messages_csv_has_every_entry_with_its_reply_and_no_formulas(self, study):
        remark = study.remarks.get(kind="objection")
        owner = study.memberships.get().user
        reply_to(study.pk, remark.public_id, text="=1+1", user=owner)
        rows = list(csv.DictReader(io.StringIO(b"".join(write_export(study, "messages.csv")[1]).decode())))
        assert [(row["kind"], row["state"]) for row in rows] == [(one.kind, one.state) for one in entries(study)]
        objection = next(row for row in rows if row["kind"] == "objection")
        assert (objection["reply"], objection["replied_by"]) == ("'=1+1", str(owner))
        assert objection["id"].removeprefix("'") == remark.public_id  # an ID can begin like a formula
        skip = next(row for row in rows if row["kind"] == "skip")
        assert (skip["text"], skip["reply"], skip["question"][:6]) == ("I do not know the word", "", "tuple-")

    def test_answers_jsonl_has_skipped_questions_that_never_count(self, study):
        lines = [json.loads(line) for line in b"".join(write_export(study, "answers.jsonl")[1]).splitlines()]
        skipped = [line for line in lines if line["skipped"]]
        assert [(line["value"], line["answered_at"], line["counts"], line["reason"]) for line in skipped] == [
            (None, None, False, "skipped")
        ]
        assert skipped[0]["skipped"] == "I do not know the word"
        assert skipped[0]["skipped_at"].endswith("Z")
        assert {frozenset(line) for line in lines} == {frozenset(skipped[0])}, "all lines have the same fields"
        ann = study.participations.order_by("pk").first()
        restore(ann.pk, reason="test", user=SYSTEM)
        withdraw(ann.pk, keep_answers=False)
        assert b"".join(write_export(study, "answers.jsonl")[1]) == b""
        assert ann.pseudonym.encode() not in b"".join(write_export(study, "messages.csv")[1])
