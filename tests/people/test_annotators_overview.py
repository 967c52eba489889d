"""Tests of the annotator's overview: pay, a stop and an objection, the annotator's results, and withdrawal."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import F
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from annotate.annotator.urls import urlpatterns
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.own_gold import own_gold_standing
from annotate.core.services.answer import give_answer
from annotate.core.services.claim import claim
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.core.services.grading import AnswerSent
from annotate.core.services.regrading import change_expected_answer
from annotate.core.services.remarks import reply_to, send_remark
from annotate.core.services.returns import return_hit
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.models import Assignment, Participation, Remark, Study
from annotate.pay.selectors.own import receipt
from annotate.recruiting.services.named import add_named
from annotate.studies.services.settings import write_consent
from annotate.studies.services.study import open_study
from tests.annotator.test_annotator_pages import come_in
from tests.factories import UserFactory, answers_to, do_hit, gold_in, make_annotator, make_study, take
from tests.markup import markup
from tests.paraphrasing import hand_in, paraphrase_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]

PAY = {"payment_terms": "Bank transfer by 1 June, by Example University.", "contact": "Mara <mara@example.org>"}


def page(study: Study, name: str = "") -> str:
    return f"/s/{study.public_id}{'/' if name else ''}{name}"


def gold_study(**settings: object) -> Study:
    """The study has one gold question per HIT, and its rule applies after two gold answers."""
    usual = {"judgements": 2, "gold": 8, "gold_block": 5, "rule_threshold": "0.7", "rule_minimum": 2}
    return make_study(**usual | settings)


# ── pay ───────────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("joined", [False, True])
def test_pages_state_how_and_by_whom_annotators_are_paid(client: Client, joined: bool) -> None:
    study = make_study(protocol_number="2026-114", **PAY)
    if joined:
        come_in(client, study)
    html = markup(client.get(page(study, "study") if joined else f"/join/{study.join_token}"))
    for text in ("Bank transfer by 1 June, by Example University.", "mailto:mara@example.org", "2026-114"):
        assert text in html


@pytest.mark.parametrize(
    "change", [{"state": "closed"}, {"hits_per_annotator": 1}, {"standing": "done"}, {"standing": "withdrawn"}]
)
def test_the_last_set_ends_with_a_receipt(client: Client, change: dict[str, object]) -> None:
    study = make_study(**PAY)
    participation = come_in(client, study)
    do_hit(participation)
    assert "Total owed to you" not in markup(client.get(page(study)))
    model = Participation if "standing" in change else Study
    model.objects.update(**change)
    html = markup(client.get(page(study)))
    assert "Total owed to you" in html
    assert page(study, "pay.csv") in html
    assert html.count('<th scope="row">1</th>') == 1


def test_the_receipt_lists_every_set_with_the_reason_if_a_set_is_not_paid(client: Client) -> None:
    study = make_study(judgements=2, reward=Decimal("0.0125"), skips_allowed=True)
    participation = come_in(client, study)
    assignment = take(participation)
    submit(
        participation.pk,
        assignment.public_id,
        [AnswerSent(1, skipped="too hard"), *answers_to(assignment, but=[1])],
    )
    returned = take(participation)
    return_hit(participation.pk, returned.public_id, put_aside=True)
    do_hit(participation)
    rows = list(csv.DictReader(io.StringIO(client.get(page(study, "pay.csv")).content.decode())))
    assert [(row["set"], row["skipped"], row["owed"], row["outcome"]) for row in rows] == [
        ("1", "1", "0.0125", "will be paid"),
        ("2", "0", "0", "not paid, because you put this set aside"),
        ("3", "0", "0.0125", "will be paid"),
        ("total", "", "0.0250", participation.pseudonym),
    ]
    html = markup(client.get(page(study, "pay")))
    assert "not paid, because you put this set aside" in html
    assert "1 skipped" in html
    assert "$0.025" in html


def test_a_receipt_of_many_sets_is_fast(
    client: Client, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    study = make_study(hits_per_annotator=1)
    participation = come_in(client, study)
    now = timezone.now()
    Assignment.objects.bulk_create(
        Assignment(
            study=study,
            participation=participation,
            state=Assignment.State.SURPLUS,
            lease_until=now,
            submitted_at=now - timedelta(minutes=number),
            reward=Decimal("0.5"),
            credited=True,
        )
        for number in range(200)
    )
    client.get(page(study))
    started = time.thread_time()  # other processes share the cores
    with django_assert_max_num_queries(9):
        html = markup(client.get(page(study)))
    assert time.thread_time() - started < 1
    assert html.count('<th scope="row">') == 200
    assert "$100.00" in html


# ── stopped ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_who_is_stopped_reads_the_rule_the_figures_and_each_differing_answer(client: Client) -> None:
    study = gold_study(options={"most": "nearest", "least": "farthest"})
    participation = come_in(client, study)
    do_hit(participation)
    do_hit(participation, right=False)
    html = markup(client.get(page(study)))
    assert "1 of 2" in " ".join(html.split())
    assert "Your result is 50%, and the pass mark is 70%." in html
    assert "after 2 check questions" in html
    assert "1 answer that differed" in html
    missed = participation.answers.get(passed=False)
    assert f"Set 2, question {missed.position}" in html
    assert missed.question.explanation in html
    for wording in ("Nearest", "Farthest"):
        assert html.count(wording) == 2, "in the annotator's answer and in the expected answer"
    assert "You will be paid $1.00 for 2 sets." in html
    question, order = missed.question, missed.question.payload["items"]
    best, worst = (order.index(question.gold[key]) + 1 for key in ("best", "worst"))
    later = "After your work was stopped, the research team changed the expected answer to 1 check question."
    for expected, changes in (({"best": best, "worst": worst}, False), ({"best": worst, "worst": best}, True)):
        change_expected_answer(question.pk, expected, user=SYSTEM, reason="why", explanation=f"Changed: {changes}.")
        shown = " ".join(markup(client.get(page(study))).split())
        assert (later in shown) is changes
        assert "changed the expected answer to this question" not in shown


def test_a_skipped_gold_question_is_counted_but_not_shown(client: Client) -> None:
    study = gold_study(skips_allowed=True, gold_skips_allowed=0, rule_minimum=1, questions_per_hit=2, gold_block=2)
    participation = come_in(client, study)
    assignment = take(participation)
    position = gold_in(assignment)[0].position
    submit(
        participation.pk,
        assignment.public_id,
        [AnswerSent(position, skipped="unclear"), *answers_to(assignment, but=[position])],
    )
    html = markup(client.get(page(study)))
    assert "1 of these questions was skipped" in html
    assert "Expected answer" not in html


def test_answers_before_a_restoration_do_not_appear_in_a_later_stop(client: Client) -> None:
    study = gold_study(items=20)
    participation = come_in(client, study)
    for _ in range(2):
        do_hit(participation, right=False)
    restore(participation.pk, reason="The gold was wrong.", user=SYSTEM)
    for _ in range(2):
        do_hit(participation, right=False)
    html = " ".join(markup(client.get(page(study))).split())
    assert "2 answers that differed" in html
    assert "0 of 2" in html


@pytest.mark.parametrize(
    ("promise", "setting", "said", "not_said"),
    [
        (True, False, "includes the set that you had started", "You will not be paid for the set"),
        (False, True, "You will not be paid for the set", "includes the set that you had started"),
        (None, True, "includes the set that you had started", "You will not be paid for the set"),
        (None, False, "You will not be paid for the set", "includes the set that you had started"),
    ],
)
def test_the_pay_after_a_stop_follows_the_accepted_consent(
    client: Client, promise: bool | None, setting: bool, said: str, not_said: str
) -> None:
    study = make_study(consent="First text.")
    Study.objects.filter(pk=study.pk).update(pay_stopped=setting)
    write_consent(study.pk, "The text.", user=study.members.get(), pays_stopped=promise)
    participation = come_in(client, study)
    give_answer(participation.pk, take(participation).public_id, 1, {"best": 1, "worst": 2})
    write_consent(study.pk, "A later text.", user=study.members.get(), pays_stopped=not promise)
    stop(participation.pk, reason="test", user=SYSTEM)
    html = markup(client.get(page(study)))
    assert said in html
    assert not_said not in html
    source = "study’s settings" if promise is None else "consent text that you accepted"
    assert f"This rule is part of the {source}." in html


def test_an_objection_is_sent_once_and_shows_the_reply(client: Client) -> None:
    owner = UserFactory()
    study = make_study(user=owner)
    participation = come_in(client, study)
    early = client.post(page(study, "objection"), {"text": "Not yet."})
    assert early.status_code == 409
    stop(participation.pk, reason="test", user=owner)
    empty = client.post(page(study, "objection"), {"text": " "})
    assert empty.status_code == 400
    assert 'aria-invalid="true"' in markup(empty)
    long = client.post(page(study, "objection"), {"text": "too long " * 300})
    assert "too long too long" in markup(long), "the text is not lost"
    assert client.post(page(study, "objection"), {"text": "I was careful."})["Location"] == page(study)
    html = markup(client.get(page(study)))
    assert "I was careful." in html
    assert "has not replied yet" in html
    assert "<textarea" not in html
    reply_to(study.pk, Remark.objects.get().public_id, text="We will look again.", user=owner)
    html = markup(client.get(page(study)))
    assert "We will look again." in html
    assert "<summary>Object again</summary>" in html
    assert "<textarea" in html


def test_a_restored_annotator_is_answered_and_can_object_to_a_later_stop(client: Client) -> None:
    study = make_study()
    participation = come_in(client, study)
    stop(participation.pk, reason="test", user=SYSTEM)
    client.post(page(study, "objection"), {"text": "I was careful."})
    restore(participation.pk, reason="a mistake", user=SYSTEM)
    html = markup(client.get(page(study)))
    assert "The research team agreed with you." in html
    assert "has not replied yet" not in html
    stop(participation.pk, reason="test again", user=SYSTEM)
    html = markup(client.get(page(study)))
    assert "<textarea" in html
    assert "Object again" not in html


def test_messages_and_replies_are_on_the_overview(client: Client) -> None:
    owner = UserFactory()
    study = make_study(user=owner)
    participation = come_in(client, study)
    assignment = take(participation)
    remark = send_remark(participation.pk, assignment.public_id, 2, kind="problem", text="<b>cut off</b>")
    reply_to(study.pk, remark.public_id, text="Fixed.", user=owner)
    html = markup(client.get(page(study)))
    assert "a problem with question 2" in html
    assert "&lt;b&gt;cut off" in html
    assert "Fixed." in html


# ── own results ───────────────────────────────────────────────────────────────────────────────────────────────────
def test_own_results_do_not_reveal_which_question_of_the_open_set_is_gold() -> None:
    study = gold_study(rule_minimum=3)
    participation = make_annotator(study)
    do_hit(participation)
    assignment = take(participation)
    before = own_gold_standing(Participation.objects.get(pk=participation.pk))
    assert before is not None
    assert (before.graded, before.right, before.missing, before.percent) == (1, 1, 2, 100)
    gold = gold_in(assignment)[0]
    (sent,) = [one for one in answers_to(assignment) if one.position == gold.position]
    give_answer(participation.pk, assignment.public_id, gold.position, sent.value)
    assert own_gold_standing(Participation.objects.get(pk=participation.pk)) == before


def test_own_results_are_on_the_overview_with_the_rule(client: Client) -> None:
    study = gold_study(rule_unit="hits", rule_minimum=5)
    do_hit(come_in(client, study))
    html = " ".join(markup(client.get(page(study))).split())
    assert "1 of 1" in html
    assert "4 more sets must be submitted" in html
    assert "the pass mark is 70%" in html


@pytest.mark.parametrize(
    ("unit", "sentence"),
    [("gold", "The rule applies after 5 check questions."), ("hits", "The rule applies after 5 submitted sets.")],
)
def test_feedback_states_when_the_quality_rule_applies(client: Client, unit: str, sentence: str) -> None:
    participation = come_in(client, gold_study(rule_unit=unit, rule_minimum=5))
    html = " ".join(markup(client.get(f"/a/{take(participation).public_id}")).split())
    assert f"of your answers to check questions match ours. {sentence}" in html


def test_a_share_just_below_the_pass_mark_is_not_rounded_up() -> None:
    study = gold_study()
    participation = make_annotator(study)
    do_hit(participation)
    standing = own_gold_standing(participation)
    assert standing is not None
    assert type(standing)(**vars(standing) | {"share": 0.6996}).percent == 69
    assert type(standing)(**vars(standing) | {"share": 0.29}).percent == 29


def test_the_answers_of_every_task_type_are_described_in_words(client: Client) -> None:
    study = paraphrase_study(rule_minimum=1, rule_threshold="0.7", rule_measure="balanced")
    participation = come_in(client, study)
    hand_in(participation, quality="wrong")
    html = markup(client.get(page(study)))
    assert "mean of two shares" in html
    assert "glad, pleased, content" in html
    assert "“happy”" in html


# ── rights ────────────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_accepted_consent_stays_one_click_away(client: Client) -> None:
    study = make_study(consent="The text that I accepted.", protocol_number="2026-114", **PAY)
    participation = come_in(client, study)
    work = client.post(page(study, "start"))["Location"]
    write_consent(study.pk, "A later text.", user=study.members.get())
    for path in (page(study), work, page(study, "code"), page(study, "withdraw"), page(study, "pay")):
        assert f'href="{page(study, "study")}"' in markup(client.get(path)), path
    html = markup(client.get(page(study, "study")))
    for text in ("The text that I accepted.", "Version 1 of", "2026-114", "mara@example.org", "newer version"):
        assert text in html
    assert "A later text." not in html
    assert participation.consented_at is not None


def test_withdrawing_takes_a_choice_and_a_confirmation(client: Client) -> None:
    study = make_study(**PAY)
    participation = come_in(client, study)
    do_hit(participation)
    take(participation)
    form = page(study, "withdraw")
    assert "still be paid $0.50" in markup(client.get(form))
    assert client.post(form, {}).status_code == 400
    assert client.post(form, {"answers": "burn", "confirmed": "yes"}).status_code == 400
    assert "Confirm your withdrawal" in markup(client.post(form, {"answers": "keep"}))
    participation.refresh_from_db()
    assert participation.standing == "active", "nothing has happened before the confirmation"
    assert client.post(form, {"answers": "keep", "confirmed": "yes"})["Location"] == page(study)
    html = markup(client.get(page(study)))
    assert "You have withdrawn from this study" in html
    assert "remain in the study under your pseudonym" in html
    assert "because you withdrew" in html
    assert "Keep my answers" not in markup(client.get(form))
    client.post(form, {"answers": "exclude", "confirmed": "yes"})
    participation.refresh_from_db()
    assert participation.excludes_answers
    html = markup(client.get(page(study)))
    assert "excluded from the results" in html
    assert "$0.50" in html
    assert client.get(form)["Location"] == page(study), "there is nothing left to choose"


def test_a_researchers_tryout_cannot_withdraw(client: Client) -> None:
    study = make_study()
    participation = come_in(client, study)
    participation.annotator.platform = "try"
    participation.annotator.save()
    assert client.post(page(study, "withdraw"), {"answers": "keep", "confirmed": "yes"}).status_code == 302
    participation.refresh_from_db()
    assert participation.standing == "active"
    assert page(study, "withdraw") not in markup(client.get(page(study)))


def test_nobody_else_reaches_an_annotators_pages(client: Client) -> None:
    study = make_study()
    come_in(client, study)
    stranger = Client()
    come_in(stranger, make_study())
    own = [pattern for pattern in urlpatterns if str(pattern.pattern).startswith("s/")]
    assert len(own) >= 11
    for pattern in own:
        path = "/" + str(pattern.pattern).replace("<str:study_id>", study.public_id)
        assert get_resolver().resolve(path)
        assert {stranger.get(path).status_code, stranger.post(path, {}).status_code} <= {404, 405}, path
        assert 404 in (stranger.get(path).status_code, stranger.post(path, {}).status_code), path


def test_a_resume_code_is_suggested_after_the_first_set_until_there_is_one(client: Client) -> None:
    study = make_study()
    participation = come_in(client, study)
    said = "Create a resume code before you leave."
    assert said not in markup(client.get(page(study)))
    do_hit(participation)
    assert said in markup(client.get(page(study)))
    client.post(page(study, "code"))
    assert said not in markup(client.get(page(study)))


def test_a_person_with_a_personal_link_needs_no_resume_code(client: Client) -> None:
    study = make_study(state="draft", admission="named")
    [ada] = add_named(study.pk, ["Ada"], user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    client.post(PERSONAL_LINKS.path(ada.public_id))
    do_hit(study.participations.get())
    about = markup(client.get(page(study, "study")))
    assert "resume code" not in markup(client.get(page(study))) + about
    assert "Open your personal link on the other device." in about


def test_who_has_answered_everything_is_thanked_and_has_nothing_to_check_or_to_read(client: Client) -> None:
    study = make_study(questions_per_hit=16)
    participation = come_in(client, study)
    Study.objects.filter(pk=study.pk).update(guidelines_version=F("guidelines_version") + 1)
    overview = markup(client.get(page(study)))
    assert "Check again" not in overview
    assert "The instructions have changed" in overview
    do_hit(participation)
    client.post(page(study, "start"))
    overview = markup(client.get(page(study)))
    assert "The instructions have changed" not in overview
    assert "You have answered every question that we have for you." in overview
    assert "Check again" not in overview


def test_slots_that_open_for_others_promise_no_next_set(client: Client) -> None:
    study = make_study(questions_per_hit=16)
    participation = come_in(client, study)
    do_hit(participation)
    client.post(page(study, "start"))
    Study.objects.filter(pk=study.pk).update(slot_openings=F("slot_openings") + 1)
    overview = markup(client.get(page(study)))
    assert "There are no questions for you at the moment." in overview
    assert "Check again" in overview
    client.post(page(study, "start"))
    assert "You have answered every question that we have for you." in markup(client.get(page(study)))


def test_who_comes_too_late_can_check_again(client: Client) -> None:
    study = make_study(questions_per_hit=16, judgements=1)
    do_hit(make_annotator(study))
    come_in(client, study)
    client.post(page(study, "start"))
    overview = markup(client.get(page(study)))
    assert "There are no questions for you at the moment." in overview
    assert "Check again" in overview


def test_the_receipt_numbers_sets_in_the_order_of_the_claims() -> None:
    participation = make_annotator(make_study())
    while claim(participation.pk).assignment:
        do_hit(participation)
    own = receipt(participation)
    assert [one.number for one in own.sets] == list(range(1, len(own.sets) + 1))
    assert own.owed == sum(one.reward for one in own.sets)
