"""Tests of rule 9: before an answer is stored, no response depends on whether its question is a gold question."""

import json
import re
from pathlib import Path

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.test import Client

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.answer import give_answer, save_draft
from annotate.core.services.credentials import participation_token
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.models import Answer, Assignment, Participation, Question, Study
from annotate.server.refusals import Refused
from annotate.studies.services.study import create_study, open_study
from tests.factories import UserFactory, make_annotator, make_study, take
from tests.paraphrasing import paraphrase_study
from tests.word_study import bring, word_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db]

CHUNKS = Path(__file__).parents[2] / "examples" / "chunks"
# Pairs with chunks and links; the built-in aligner, which suggests links for gold, adds no flags.
WHOLE = re.sub("_(POL|FACT)", "", (CHUNKS / "gold.wa").read_text(encoding="utf-8"))
IMPOSSIBLE = [None, "nonsense", {}, [], {"unknown": 1}]


def chunk_study(begin):
    """Half of the example's gold pairs are the pairs of the study, and the other half are its gold questions."""
    pairs = re.findall(r"<sentence id=.*?</sentence>\n", WHOLE, re.DOTALL)
    study = create_study(
        user=UserFactory(),
        title="Chunks",
        task_type="chunks",
        options={"begin": begin},
        questions_per_hit=3,
        gold_block=1,
        seed=1,
        rule_threshold=0,
        practice=False,
    )
    bring(study, "items", "\n\n".join(pairs[::2]).encode(), "pairs.wa")
    bring(study, "gold", "\n\n".join(pairs[1::2]).encode(), "gold.wa")
    build_design(study.pk, user=SYSTEM)
    return open_study(study.pk, user=SYSTEM)


STUDIES = {
    "bws": lambda: make_study(gold=12, gold_block=2, questions_per_hit=4),
    "paraphrase": paraphrase_study,
    "words from the built-in aligner": word_study,
    "words from links of the file, which has none": lambda: word_study(options={"prealign": "given"}),
    "words without links": lambda: word_study(options={"prealign": "none"}),
    "chunks from words": lambda: chunk_study("words"),
    "chunks from chunks": lambda: chunk_study("chunks"),
    "chunks from links": lambda: chunk_study("links"),
}


@pytest.fixture(scope="module", params=STUDIES)
def shared_study(request, share):
    return share(STUDIES[request.param])


@pytest.fixture
def study(shared_study, db):
    return Study.objects.get(pk=shared_study.pk)


def kinds_of(assignment):
    return dict(assignment.answers.values_list("position", "question__kind"))


def forms(value, path=""):
    """Return every path in a JSON value with the type of its value. One entry of a list represents all entries."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    yield path, "number" if number else type(value).__name__
    if isinstance(value, dict):
        for name, part in value.items():
            yield from forms(part, f"{path}.{name}")
    elif isinstance(value, list):
        for part in value:
            yield from forms(part, f"{path}[]")


def assert_same_forms(gold, others):
    assert gold
    assert others
    alike = [{form for one in group for form in forms(one)} for group in (gold, others)]
    assert alike[0] == alike[1]


def test_the_page_shows_gold_and_other_questions_in_the_same_form(study):
    shown = {True: [], False: []}
    for _ in range(4):
        mine = take(make_annotator(study))
        page = json.loads(json.dumps(present(mine), cls=DjangoJSONEncoder))
        kinds = kinds_of(mine)
        for question in page["questions"]:
            shown[kinds[question["position"]] == Question.Kind.GOLD].append(question)
    assert_same_forms(shown[True], shown[False])


def right_values(assignment):
    """Return a valid answer for each position: the expected answer to a gold question, and a simulated answer to any
    other question.
    """
    study, values = assignment.study, {}
    task = tasktypes.get(study.task_type)
    for answer in assignment.answers.select_related("question"):
        question = answer.question
        if question.gold is not None:
            values[answer.position] = task.reveal(question.payload, answer.shown, question.gold)
        else:
            values[answer.position] = possible(task, answer)
        if study.task_type in ("words", "chunks"):
            values[answer.position] = {**values[answer.position], "log": [[1, "confirm", "button", []]]}
    return values


def possible(task, answer):
    payload = answer.question.payload
    if task.slug == "bws":
        return {"best": 1, "worst": 2}
    if task.slug == "paraphrase":
        return {"votes": [True] * len(payload["paraphrases"])}
    if task.slug == "words":
        return {"sure": [[0, 0]], "possible": []}
    tokens = {side: list(range(len(payload[side]))) for side in ("source", "target")}
    link = {"source": 0, "target": 0, "type": "SIMI", "flags": [], "score": 3}
    return {"chunks": {side: [tokens[side]] for side in tokens}, "links": [link], "left": []}


class Page:
    """The actions of a client on an assignment, and everything that the client can observe in the responses."""

    def __init__(self, participation, assignment):
        self.client = Client(headers={"Authorization": f"Participation {participation_token(participation)}"})
        self.root = f"/api/v1/assignments/{assignment.public_id}"

    def observe(self, method, path, body):
        data = json.dumps(body).encode()
        reply = self.client.generic(method, self.root + path, data, content_type="application/json")
        headers = {name: value for name, value in reply.headers.items() if name != "X-Request-ID"}  # a random one
        return reply.status_code, re.sub(r"\d+", "#", reply.content.decode()), sorted(headers.items())


def probes(position, values):
    """Send requests about one question that do not store an answer."""
    sent = [{"position": place, "value": value} for place, value in sorted(values.items())]
    own = next(one for one in sent if one["position"] == position)
    for raw in IMPOSSIBLE:
        yield "PUT", f"/answers/{position}", {"value": raw}
        yield "POST", "/submission", {"answers": [one | {"value": raw} if one is own else one for one in sent]}
    yield "PUT", f"/answers/{position}", {}
    yield "PUT", f"/answers/{position}", {"value": "x" * 300_000}
    yield "POST", f"/answers/{position}/acknowledgement", {"disputed": True, "note": "?"}
    yield "POST", "/submission", {"answers": [own]}
    yield "POST", "/submission", {"answers": [own, own]}
    yield "POST", "/submission", {"answers": [*sent, own]}
    yield "POST", "/submission", {"answers": [own, {"position": 99, "value": own["value"]}]}
    yield "POST", "/submission", {"answers": [one for one in sent if one is not own]}
    yield "PUT", f"/answers/{position}/draft", {"draft": own["value"], "revision": 1}
    yield "PUT", f"/answers/{position}/draft", {"draft": "x" * 300_000, "revision": 2}
    yield "PUT", f"/answers/{position}/draft", {"draft": own["value"], "revision": 0}
    yield "PUT", f"/answers/{position}/draft", {"draft": None, "revision": 1}
    yield "GET", "", None


def test_no_request_that_stores_no_answer_tells_gold_from_other_questions(study):
    ann = make_annotator(study)
    mine = take(ann)
    page, kinds, values = Page(ann, mine), kinds_of(mine), right_values(mine)
    one_of_each = {kind: position for position, kind in kinds.items()}
    observed = {at: [page.observe(*probe) for probe in probes(at, values)] for at in one_of_each.values()}
    assert one_of_each.keys() == {Question.Kind.GOLD, Question.Kind.REGULAR}
    assert not any(reply[0] >= 500 for replies in observed.values() for reply in replies)
    # Except the last, the whole page, which has the drafts of earlier probes.
    assert len({json.dumps(replies[:-1]) for replies in observed.values()}) == 1
    assert not mine.answers.exclude(given_at=None).exists()
    assert Participation.objects.get(pk=ann.pk).graded == 0


def test_an_answer_to_gold_costs_the_same_statements_as_any_other(study):
    ann = make_annotator(study)
    mine = take(ann)
    kinds, values = kinds_of(mine), right_values(mine)
    save_draft(ann.pk, mine.public_id, 1, None, 1)  # the first of a HIT extends its lease
    statements = {}
    for position, value in values.items():
        with Statements() as made:
            assert give_answer(ann.pk, mine.public_id, position, value).feedback == []
        statements[position] = made.sql
    assert {kinds[position] for position in statements} == {Question.Kind.GOLD, Question.Kind.REGULAR}
    assert len({json.dumps(sql) for sql in statements.values()}) == 1
    assert any("annotate_participation" in sql for sql in statements[1] if sql.startswith("UPDATE"))


class Statements:
    """The SQL of all statements without their values."""

    def __enter__(self):
        self.sql = []
        self._wrapper = connection.execute_wrapper(self._keep)
        self._wrapper.__enter__()
        return self

    def __exit__(self, *error):
        self._wrapper.__exit__(*error)

    def _keep(self, execute, sql, params, many, context):
        self.sql.append(re.sub(r'"_?s\d+_x\d+"|\bs\d+_x\d+\b', "savepoint", sql))
        return execute(sql, params, many, context)


def test_a_position_that_is_sent_twice_is_refused_before_anything_is_read(django_assert_num_queries):
    ann = make_annotator(make_study(gold=4))
    mine = take(ann)
    twice = [AnswerSent(1, {"best": 1, "worst": 2}), AnswerSent(1, {"best": 1, "worst": 2})]
    with django_assert_num_queries(0), pytest.raises(Refused, match="Question 1 is answered twice") as refused:
        submit(ann.pk, mine.public_id, twice)
    assert (refused.value.code, refused.value.status, list(refused.value.fields)) == ("repeated", 400, ["answers.1"])


@pytest.mark.parametrize("positions", [lambda number: number + 1, lambda number: 1], ids=["different", "the same"])
def test_twenty_thousand_answers_in_one_submission_are_refused_before_they_are_read(positions):
    ann = make_annotator(make_study(gold=4))
    mine = take(ann)
    sent = [{"position": positions(number), "value": {"best": 1, "worst": 2}} for number in range(20_000)]
    with Statements() as made:
        status, body, _ = Page(ann, mine).observe("POST", "/submission", {"answers": sent})
    assert (status, '"answers' in body) == (400, True)
    assert made.sql == []


def test_a_whole_submission_is_checked_before_any_gold_is_graded():
    ann = make_annotator(make_study(gold=4))
    mine = take(ann)
    values = right_values(mine)
    for wrong in values:
        sent = [AnswerSent(place, {} if place == wrong else value) for place, value in values.items()]
        with pytest.raises(Refused) as refused:
            submit(ann.pk, mine.public_id, sent)
        assert refused.value.code == "invalid"
    assert Participation.objects.get(pk=ann.pk).graded == 0
    assert not Answer.objects.exclude(given_at=None).exists()
    assert Assignment.objects.get(pk=mine.pk).state == "leased"
