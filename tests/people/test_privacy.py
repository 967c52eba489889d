"""Tests of privacy: the notice that a study needs, the download of an annotator's data, and the removal of personal
data after closing.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.core.services.remarks import object_to_stop, reply_to, send_remark
from annotate.core.services.standing import stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.models import Participation, Study
from annotate.people.selectors.own_data import own_data
from annotate.people.services import remove_expired_personal_data
from annotate.recruiting.services.named import add_named, join_by_link
from annotate.server.refusals import Refused
from annotate.studies.services.copies import copy_study
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import close_study, open_study
from annotate.web.pages.remembered import remember
from tests.factories import UserFactory, answers_to, do_hit, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


class TestNotice:
    def test_a_study_opens_only_with_a_privacy_notice(self) -> None:
        study = make_study(state=Study.State.DRAFT, privacy_notice="  ")
        with pytest.raises(Refused) as refused:
            open_study(study.pk, user=SYSTEM)
        assert refused.value.fields.keys() == {"privacy_notice"}
        change_settings(study.pk, user=study.members.get(), privacy_notice="We store your answers.")
        assert open_study(study.pk, user=SYSTEM).is_open

    def test_a_study_opens_only_with_a_contact(self) -> None:
        study = make_study(state=Study.State.DRAFT, contact="")
        with pytest.raises(Refused) as refused:
            open_study(study.pk, user=SYSTEM)
        assert refused.value.fields.keys() == {"contact"}
        change_settings(study.pk, user=study.members.get(), contact="Mara Lindqvist <mara@example.org>")
        assert open_study(study.pk, user=SYSTEM).is_open
        with pytest.raises(Refused) as refused:
            change_settings(study.pk, user=study.members.get(), contact="")
        assert refused.value.fields.keys() == {"contact"}

    @pytest.mark.parametrize("contact", ["Mara Lindqvist", "mara@example.org", "<mara@example.org>, 12"])
    def test_a_contact_without_a_name_or_an_address_is_refused_at_once(self, contact: str) -> None:
        study = make_study(state=Study.State.DRAFT)
        with pytest.raises(Refused) as refused:
            change_settings(study.pk, user=study.members.get(), contact=contact)
        assert refused.value.fields.keys() == {"contact"}
        with pytest.raises(Refused):
            make_study(contact=contact)
        Study.objects.filter(pk=study.pk).update(contact=contact)  # as an earlier version stored it
        change_settings(study.pk, user=study.members.get(), title="Another title")
        assert copy_study(study.pk, user=study.members.get()).contact == ""

    def test_annotators_of_a_small_team_read_who_stores_their_data(self, client: Client) -> None:
        user = UserFactory(name="Ada Lovelace")
        study = make_study(user=user, state="draft", admission="named", judgements=1, privacy_notice="", contact="")
        (annotator,) = add_named(study.pk, ["Ben"], user=user)
        open_study(study.pk, user=user)
        assert "Ada Lovelace" in markup(client.get(PERSONAL_LINKS.path(annotator.public_id)))
        participation = join_by_link(annotator.pk)
        assert "Ada Lovelace" in own_data(participation)["study"]["privacy_notice"]
        change_settings(study.pk, user=user, privacy_notice="We keep your answers.")
        participation.study.refresh_from_db()
        assert own_data(participation)["study"]["privacy_notice"] == "We keep your answers."

    @pytest.mark.nightly
    def test_the_contact_stands_on_the_pages_of_annotators(self, client: Client) -> None:
        study = make_study(gold=4, gold_block=1, rule_minimum=1, rule_threshold="0.9", reward=0)
        assert "mara@example.org" in markup(client.get(f"/join/{study.join_token}"))
        annotator = make_annotator(study)
        _sign_in(client, annotator)
        overview = reverse("annotator:hub", args=[study.public_id])
        assert "mara@example.org" in markup(client.get(f"{overview}/study"))
        do_hit(annotator, right=False)
        assert "Your work in this study ends here" in markup(client.get(overview))
        assert "mara@example.org" in markup(client.get(overview))

    def test_strangers_and_annotators_can_read_it(self, client: Client) -> None:
        study = make_study(privacy_notice="We keep your answers for *ten* years.")
        assert "for <em>ten</em> years" in markup(client.get(f"/join/{study.join_token}"))
        _sign_in(client, make_annotator(study))
        assert "for <em>ten</em> years" in markup(client.get(f"/s/{study.public_id}/study"))


class TestOwnData:
    @pytest.mark.nightly
    def test_everything_that_is_stored(self, client: Client) -> None:
        study = make_study(gold=4, gold_block=5, consent="I agree.")
        annotator = make_annotator(study)
        do_hit(annotator)
        _sign_in(client, annotator)
        response = client.get(f"/s/{study.public_id}/data")
        assert response["Content-Disposition"] == f'attachment; filename="{annotator.pseudonym}.json"'
        data = json.loads(response.content)
        assert data["you"]["pseudonym"] == annotator.pseudonym
        assert data["you"]["platform_id"] == annotator.annotator.external_id
        assert data["consent"]["text"] == "I agree."
        (assignment,) = data["assignments"]
        assert (assignment["state"], assignment["credited"], assignment["reward"]) == ("done", True, "0.5000")
        assert len(assignment["answers"]) == 6
        assert all(answer["answer"] and answer["question"] for answer in assignment["answers"])

    @pytest.mark.nightly
    def test_messages_with_replies_and_reasons_for_skipped_questions(self, client: Client) -> None:
        owner = UserFactory()
        study = make_study(user=owner, skips_allowed=True)
        annotator = make_annotator(study)
        assignment = take(annotator)
        skip = AnswerSent(3, skipped="Both sentences are cut off.")
        remark = send_remark(annotator.pk, assignment.public_id, 2, kind="problem", text="The sentence is cut off.")
        reply_to(study.pk, remark.public_id, text="We will fix the sentence.", user=owner)
        submit(annotator.pk, assignment.public_id, [skip, *answers_to(assignment, but=[3])])
        stop(annotator.pk, reason="test", user=owner)
        object_to_stop(annotator.pk, text="I answered carefully.")
        _sign_in(client, annotator)
        data = json.loads(client.get(f"/s/{study.public_id}/data").content)
        objection, problem = data["messages"]
        assert (objection["kind"], objection["text"]) == ("objection", "I answered carefully.")
        assert (objection["assignment"], objection["position"], objection["reply"]) == (None, None, "")
        assert (problem["assignment"], problem["position"]) == (assignment.public_id, 2)
        assert (problem["reply"], bool(problem["replied_at"])) == ("We will fix the sentence.", True)
        answers = data["assignments"][0]["answers"]
        skipped = [one["reason_for_skipping"] for one in answers if one["skipped_at"]]
        assert skipped == ["Both sentences are cut off."]
        assert sum(one["reason_for_skipping"] == "" for one in answers) == len(answers) - 1

    def test_it_does_not_tell_gold_questions_that_were_passed_from_others(self, client: Client) -> None:
        study = make_study(gold=4, gold_block=5)
        annotator = make_annotator(study)
        do_hit(annotator)
        _sign_in(client, annotator)
        (assignment,) = json.loads(client.get(f"/s/{study.public_id}/data").content)["assignments"]
        kinds = {json.dumps({**answer, **dict.fromkeys(_VARYING)}) for answer in assignment["answers"]}
        assert len(kinds) == 1

    def test_only_ones_own(self, client: Client) -> None:
        study = make_study()
        assert client.get(f"/s/{study.public_id}/data").status_code == 404
        mine, theirs = make_annotator(study), make_annotator(study)
        take(theirs)
        _sign_in(client, mine)
        data = json.loads(client.get(f"/s/{study.public_id}/data").content)
        assert data["you"]["pseudonym"] == mine.pseudonym
        assert data["assignments"] == []


class TestRetention:
    @pytest.mark.nightly
    def test_personal_data_are_removed_so_many_days_after_closing(self) -> None:
        study = make_study(retention_days=30)
        annotator = make_annotator(study)
        annotator.annotator.contact = "ada@example.org"
        annotator.annotator.save()
        do_hit(annotator)
        close_study(study.pk, user=SYSTEM)
        _closed(study, days=29)
        assert remove_expired_personal_data() == 0
        _closed(study, days=31)
        assert remove_expired_personal_data() == 1
        annotator.annotator.refresh_from_db()
        assert annotator.annotator.external_id == ""
        assert annotator.annotator.contact == ""
        assert annotator.answers.filter(value__isnull=False).exists()
        assert study.events.filter(verb="removed personal data", detail__annotators=1).count() == 1
        assert remove_expired_personal_data() == 0

    def test_open_studies_keep_their_data(self) -> None:
        study = make_study(retention_days=1)
        make_annotator(study)
        close_study(study.pk, user=SYSTEM)
        open_study(study.pk, user=SYSTEM)
        assert Study.objects.get(pk=study.pk).closed_at is None
        assert remove_expired_personal_data() == 0

    def test_other_studies_keep_their_data(self) -> None:
        closed, running = make_study(retention_days=1), make_study()
        make_annotator(closed)
        other = make_annotator(running)
        other.annotator.contact = "ada@example.org"
        other.annotator.save()
        close_study(closed.pk, user=SYSTEM)
        _closed(closed, days=2)
        remove_expired_personal_data()
        other.annotator.refresh_from_db()
        assert other.annotator.contact == "ada@example.org"


_VARYING = ("position", "question", "answer", "answered_at", "seconds")


def _closed(study: Study, *, days: int) -> None:
    Study.objects.filter(pk=study.pk).update(closed_at=timezone.now() - timedelta(days=days))


def _sign_in(client: Client, participation: Participation) -> None:
    client.cookies.update(remember(RequestFactory().get("/"), HttpResponse(), participation).cookies)
