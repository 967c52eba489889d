"""Tests of rule 9: people who are not members see nothing, and annotators see no gold marks, no answers of others and
no consecutive IDs.
"""

import json
import re

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404

from annotate.core.permissions import PERMISSIONS
from annotate.core.selectors.assignments import present
from annotate.core.selectors.studies import studies_of, study_for
from annotate.core.services.answer import give_answer
from annotate.core.services.credentials import participation_token, read_participation_token
from annotate.models import Assignment, Membership, Question, Study
from annotate.server.refusals import Refused
from tests.factories import (
    MembershipFactory,
    UserFactory,
    do_hit,
    gold_in,
    make_annotator,
    make_study,
    raw_answer,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def page_of(assignment):
    found = Assignment.objects.select_related("participation__study").get(pk=assignment.pk)
    return json.loads(json.dumps(present(found), cls=DjangoJSONEncoder))


def test_a_study_of_others_is_as_unknown_as_one_that_never_was():
    study = make_study()
    stranger = UserFactory()
    assert list(studies_of(stranger)) == []
    with pytest.raises(Http404) as others:
        study_for(stranger, study.public_id)
    with pytest.raises(Http404) as nobodys:
        study_for(stranger, "AAAAAAAAAAAAAAAAAAAAAA")
    assert str(others.value) == str(nobodys.value)


@pytest.mark.parametrize("role", Membership.Role.values)
def test_each_role_may_do_its_part_and_no_more(role):
    study = make_study()
    member = MembershipFactory(study=study, role=role).user
    assert study_for(member, study.public_id) == study
    for action, permission in PERMISSIONS.items():
        if role in permission.roles:
            assert study_for(member, study.public_id, may=action) == study
        else:
            with pytest.raises(Http404):
                study_for(member, study.public_id, may=action)


def test_who_has_left_a_study_sees_it_no_more():
    study = make_study()
    membership = MembershipFactory(study=study)
    membership.delete()
    assert list(studies_of(membership.user)) == []
    with pytest.raises(Http404):
        study_for(membership.user, study.public_id)


def test_the_page_tells_neither_gold_nor_keys_nor_countable_ids():
    study = make_study(gold=4)
    mine = take(make_annotator(study))
    text = json.dumps(page_of(mine))
    for question in study.questions.all():
        assert question.ref not in text
        assert question.public_id not in text
        if question.explanation:
            assert question.explanation not in text
    for key in study.items.values_list("key", flat=True):
        assert f'"{key}"' not in text
    assert "gold" not in text.lower()
    assert re.fullmatch(r"[\w-]{22}", page_of(mine)["id"])
    assert str(mine.participation.pseudonym) not in text


def test_gold_looks_like_every_other_question():
    mine = take(make_annotator(make_study(gold=4)))
    questions = page_of(mine)["questions"]
    kinds = {a.position: a.question.kind for a in mine.answers.select_related("question")}
    assert set(kinds.values()) == {Question.Kind.GOLD, Question.Kind.REGULAR}

    def form(value):
        if isinstance(value, dict):
            return {name: form(part) for name, part in value.items()}
        return [form(part) for part in value] if isinstance(value, list) else type(value).__name__

    assert len({json.dumps(form(question)) for question in questions}) == 1


def test_nobody_is_shown_anothers_answers():
    study = make_study(gold=4, judgements=2, order=Study.Order.HITS)
    first = make_annotator(study)
    do_hit(first, right=False)
    page = page_of(take(make_annotator(study)))
    assert {question["value"] for question in page["questions"]} == {None}
    assert {question["draft"] for question in page["questions"]} == {None}
    assert {question["feedback"] for question in page["questions"]} == {None}


def test_what_was_expected_is_told_only_after_giving_and_only_of_that_question():
    study = make_study(gold=8, questions_per_hit=4, gold_block=2)
    ann = make_annotator(study)
    mine = take(ann)
    first, second = gold_in(mine)
    give_answer(ann.pk, mine.public_id, first.position, raw_answer(first, right=False))
    text = json.dumps(page_of(mine))
    assert first.question.explanation in text
    assert second.question.explanation not in text


def test_ids_for_the_outside_are_random():
    study = make_study(gold=2)
    outside = [study.public_id, study.join_token, *study.questions.values_list("public_id", flat=True)]
    outside += [take(make_annotator(study)).public_id for _ in range(3)]
    assert len(set(outside)) == len(outside)
    assert all(re.fullmatch(r"[\w-]{22}", one) for one in outside)


def test_a_participation_token_cannot_be_made_up():
    ann, other = make_annotator(study := make_study()), make_annotator(study)
    token = participation_token(ann)
    assert read_participation_token(token) == ann.public_id
    head, _, tail = token.partition(":")
    forged = participation_token(other).partition(":")[0] + ":" + tail
    for wrong in (forged, head, "", f"{ann.pk}", token[:-1]):
        with pytest.raises(Refused) as refused:
            read_participation_token(wrong)
        assert refused.value.status == 401
