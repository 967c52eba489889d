"""Tests of rule 9: every operation answers alike for gold and other questions, also after an answer has been stored,
unless the annotator sees feedback on the answer.
"""

import json
import re

import pytest
from django.core import signing
from django.test import Client
from django.utils.html import strip_tags

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.services.answer import acknowledge, give_answer
from annotate.core.services.credentials import participation_token
from annotate.core.services.standing import stop
from annotate.core.services.submit import submit
from annotate.models import Participation, Question, Study
from tests.factories import answers_to, do_hit, gold_in, make_annotator, make_study, raw_answer, take
from tests.paraphrasing import paraphrase_study
from tests.rules.test_no_oracle import chunk_study, possible, right_values
from tests.word_study import word_study

pytestmark = pytest.mark.django_db  # replies do not depend on the database, so PostgreSQL is enough

STUDIES = {
    "bws": lambda: make_study(items=40, gold=12, gold_block=2, questions_per_hit=4),
    "paraphrase": paraphrase_study,
    "words": word_study,
    "chunks": lambda: chunk_study("words"),
}
REASONS = {"skip": "Too hard.", "skip again": "Unclear."}


@pytest.fixture(scope="module", params=STUDIES)
def shared_study(request, share):
    return share(STUDIES[request.param])


@pytest.fixture
def study(shared_study, db):
    Study.objects.update(skips_allowed=True, gold_skips_allowed=0, rule_threshold="0.7", rule_minimum=1)
    return Study.objects.get(pk=shared_study.pk)


class Visitor:
    """An annotator with an assignment who sends requests about one of its questions, and sees the responses."""

    def __init__(self, study, *, gold):
        self.participation = make_annotator(study)
        self.assignment = take(self.participation)
        answers = self.assignment.answers.select_related("question", "participation__study")
        kind = Question.Kind.GOLD if gold else Question.Kind.REGULAR
        self.answer = answers.filter(question__kind=kind).order_by("position").first()
        self.position = self.answer.position
        self.values = right_values(self.assignment)
        right = self.values[self.position]
        self.sent = {"right": right, "other": another(tasktypes.get(study.task_type), self.answer, right)}
        self.latest, self.earlier = None, 0  # the latest answer that was stored, and the number of earlier answers
        self.client = Client(headers={"Authorization": f"Participation {participation_token(self.participation)}"})
        name = f"accord-{study.public_id}"
        self.client.cookies[name] = signing.get_cookie_signer(salt=name + "participation").sign(
            self.participation.public_id
        )
        self.root = f"/api/v1/assignments/{self.assignment.public_id}"

    def do(self, step):
        """Return everything about the response that the annotator can see, without random IDs and texts."""
        own = f"/answers/{self.position}"
        if step in self.sent or step in REASONS:
            sent = self.sent.get(step) or REASONS[step]
            body = {"skipped": sent} if step in REASONS else {"value": sent, "seconds": 3.5}
            reply = self.send("PUT", own, body)
            if reply[0] == 200:
                self.note(sent)
            return reply
        if step == "draft":
            revision = self.question()["revision"] + 1
            return self.send("PUT", f"{own}/draft", {"draft": {"any": 1}, "revision": revision})
        if step == "acknowledge":
            return self.send("POST", f"{own}/acknowledgement", {})
        if step == "dispute":
            return self.send("POST", f"{own}/acknowledgement", {"disputed": True, "note": "?"})
        if step == "remark":
            return self.send("POST", f"{own}/remarks", {"kind": "comment", "text": "A remark."})
        if step == "submit":
            rest = [{"position": place, "value": value} for place, value in self.values.items()]
            rest = [each for each in rest if each["position"] != self.position]
            return self.send("POST", "/submission", {"answers": rest, "feedback_first": True})
        if step == "submit again":
            return self.send("POST", "/submission", {"answers": []})
        if step == "return":
            return self.send("POST", "/return", {})
        if step == "stop":
            return stop(self.participation.pk, reason="random clicks", user=SYSTEM)
        return getattr(self, step)()

    def note(self, sent):
        """Remember an answer that the server has stored."""
        if self.latest == sent:
            return
        self.earlier += isinstance(self.latest, dict)
        self.latest = sent

    def send(self, method, path, body):
        reply = self.client.generic(method, self.root + path, json.dumps(body), content_type="application/json")
        assert reply.status_code < 500
        headers = {name: value for name, value in reply.headers.items() if name != "X-Request-ID"}  # a random one
        body = reply.content.decode().replace(self.assignment.public_id, "…")
        return reply.status_code, re.sub(r"\b([Qq]uestion )\d+", r"\1#", body), sorted(headers.items())

    def question(self):
        page = self.client.get(self.root).json()
        return next(each for each in page["questions"] if each["position"] == self.position)

    def page(self):
        question = self.question() | {"content": None, "position": None}
        return question | {"value": self.is_latest(question["value"])}

    def data(self):
        data = self.client.get(f"/s/{self.assignment.study.public_id}/data").json()
        mine = next(each for each in data["assignments"] if each["id"] == self.assignment.public_id)
        entry = next(each for each in mine["answers"] if each["position"] == self.position)
        times = {name: bool(entry[name]) for name in ("answered_at", "skipped_at")}
        earlier = [sorted(each) for each in entry["earlier_answers"]]
        assert len(earlier) == self.earlier
        shown = {"answer": self.is_latest(entry["answer"]), "earlier_answers": earlier}
        assignment = {name: mine[name] for name in ("state", "reason", "reward", "credited")}
        return entry | times | shown | {"question": None, "position": None} | assignment

    def hub(self):
        return self.text(f"/s/{self.assignment.study.public_id}")

    def work(self):
        reply = self.client.get(f"/a/{self.assignment.public_id}")
        return reply.status_code, reply.headers.get("Location")

    def text(self, path):
        body = self.client.get(path).content.decode().replace(self.participation.pseudonym, "…")
        body = re.sub(r"\b(\w{4}-){2}\w{4}\b", "…", body)  # the payment code
        # Some HITs have more gold questions than others. All answers in these tests are as expected.
        return re.sub(r"(\d+) of \1 check", "all check", re.sub(r"\s+", " ", strip_tags(body)))

    def is_latest(self, value):
        """Compare a value in a response with the latest value sent, without the log of an editor."""
        if value is None or isinstance(self.latest, str):
            return value, self.latest
        return {name: value[name] for name in value if name in self.latest and name != "log"} == {
            name: part for name, part in self.latest.items() if name != "log" and name in value
        }


def another(task, answer, right):
    """Return another valid answer to the same question."""
    if task.slug == "bws":
        return {"best": right["worst"], "worst": right["best"]}
    if task.slug == "paraphrase":
        return {"votes": [not vote for vote in right["votes"]]}
    value = possible(task, answer)
    if task.slug == "words":
        value = {"sure": [], "possible": [[0, 0]]}
    else:
        value["links"][0]["score"] = 2
    return {**value, "log": [[1, "confirm", "button", []]]}


SEQUENCES = {
    "changed": "right page right other page acknowledge right other data dispute draft page other page remark data",
    "skipped after the answer": "right skip page data skip_again acknowledge right page skip data submit data hub",
    "answered after the skip": "skip right page data submit page data hub",
    "skipped": "skip page skip_again data acknowledge draft page submit page data hub work submit_again",
    "submitted": "right other submit page data hub work submit_again other right acknowledge dispute draft remark",
    "submitted and skipped": "right skip submit page data hub work right other skip skip_again return",
    "returned": "right other return page data hub work right other skip acknowledge draft submit",
    "stopped": "right stop page other page skip data acknowledge submit page data hub other skip",
    "stopped with a skipped question": "skip stop page skip_again data submit page data hub",
}


@pytest.mark.nightly
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_every_operation_answers_alike_for_gold_and_other_questions(study, sequence):
    if sequence == "skipped":  # a stop states its reason
        Study.objects.update(rule_threshold=0)
        study.refresh_from_db()
    steps = [step.replace("_", " ") for step in SEQUENCES[sequence].split()]
    gold, regular = (Visitor(study, gold=kind) for kind in (True, False))
    for number, step in enumerate(steps):
        seen = [visitor.do(step) for visitor in (gold, regular)]
        assert seen[0] == seen[1], f"step {number}: {step}"


@pytest.mark.nightly
def test_the_figures_do_not_change_with_skipped_gold_questions():
    study = make_study(items=60, gold=20, gold_block=2, questions_per_hit=4, skips_allowed=True, gold_skips_allowed=0)
    texts = []
    for gold in (True, False):
        visitor = Visitor(study, gold=gold)
        visitor.do("skip")
        visitor.do("submit")
        texts.append((visitor.hub(), visitor.do("data")))
    assert texts[0] == texts[1]


def test_feedback_does_not_count_the_answers_of_the_open_set():
    study = make_study(items=60, gold=20, gold_block=2, questions_per_hit=4, rule_threshold=0)
    ann = make_annotator(study)
    do_hit(ann)
    mine = take(ann)
    right, wrong = gold_in(mine)
    submitted = Participation.objects.get(pk=ann.pk).graded
    give_answer(ann.pk, mine.public_id, right.position, raw_answer(right))
    (feedback,) = give_answer(ann.pk, mine.public_id, wrong.position, raw_answer(wrong, right=False)).feedback
    assert (feedback.graded, feedback.right) == (submitted, submitted)


def test_a_stop_follows_feedback_or_the_submission():
    study = make_study(items=60, gold=20, gold_block=2, questions_per_hit=4, rule_minimum=2, rule_threshold="0.7")
    ann = make_annotator(study)
    mine = take(ann)
    wrong, right = gold_in(mine)
    assert not give_answer(ann.pk, mine.public_id, wrong.position, raw_answer(wrong, right=False)).stopped
    assert not give_answer(ann.pk, mine.public_id, right.position, raw_answer(right)).stopped, "one of two is too few"
    acknowledge(ann.pk, mine.public_id, wrong.position)
    receipt = submit(ann.pk, mine.public_id, answers_to(mine, but=[wrong.position]))
    assert (receipt.stopped, receipt.credited) == (True, True)
