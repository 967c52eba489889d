"""Messages from the research team to one annotator or to all annotators of a study."""

import json

import pytest
from django.core import signing
from django.test import Client

from annotate.core.services.credentials import new_api_token
from annotate.messages.selectors import received
from annotate.messages.services import send_to_all, send_to_annotator
from annotate.models import Participation, Study, TeamMessage
from annotate.people.selectors.own_data import own_data
from annotate.server.refusals import Refused
from annotate.studies.services.study import archive_study, close_study
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(items=8)


@pytest.fixture
def who(study: Study) -> Participation:
    return make_annotator(study)


def annotator_client(participation: Participation) -> Client:
    """A browser with the cookie of a participation."""
    client, name = Client(), f"accord-{participation.study.public_id}"
    signer = signing.get_cookie_signer(salt=name + "participation")
    client.cookies[name] = signer.sign(participation.public_id)
    return client


def test_annotators_read_their_own_messages_and_messages_to_all_since_they_joined(
    study: Study, who: Participation
) -> None:
    owner, other = study.memberships.get().user, make_annotator(study)
    send_to_annotator(who.pk, text="Your third answer is <empty>.", user=owner)
    send_to_all(study.pk, text="The study closes on Friday.", user=owner)
    late = make_annotator(study)
    texts = {each.pk: [message.text for message in received(each)] for each in (who, other, late)}
    assert texts == {
        who.pk: ["The study closes on Friday.", "Your third answer is <empty>."],
        other.pk: ["The study closes on Friday."],
        late.pk: [],
    }
    assert [entry["text"] for entry in own_data(who)["messages_from_the_research_team"]] == texts[who.pk]
    page = markup(annotator_client(who).get(f"/s/{study.public_id}"))
    assert "Message to you" in page
    assert "Your third answer is &lt;empty&gt;." in page
    assert "Messages from the research team" not in markup(annotator_client(late).get(f"/s/{study.public_id}"))
    entries = study.events.filter(verb="sent message").order_by("pk")
    assert [(entry.participation_id, entry.reason) for entry in entries] == [
        (who.pk, "Your third answer is <empty>."),
        (None, "The study closes on Friday."),
    ]


@pytest.mark.nightly
def test_reviewers_send_messages_in_the_console(study: Study, who: Participation) -> None:
    reviewer = browser_of(study, "reviewer")
    place = page_of(study, f"annotators/{who.pseudonym}/")
    page = markup(reviewer.post(f"{place}message/", {"text": "Please read the second example."}, follow=True))
    assert f"The message was sent. {who.pseudonym} can see it" in page
    assert "“Please read the second example.”" in page
    page = markup(reviewer.post(page_of(study, "messages/send/"), {"text": "Thank you all."}, follow=True))
    assert "To all annotators" in page
    assert f"To {who.pseudonym}" in page
    assert "Write a message first." in markup(reviewer.post(f"{place}message/", {"text": " "}, follow=True))
    too_long = reviewer.post(page_of(study, "messages/send/"), {"text": "x" * 2_001}, follow=True)
    assert "at most 2,000 characters. This message has 2,001." in markup(too_long)
    assert TeamMessage.objects.count() == 2
    assert "message-dialog" not in markup(browser_of(study, "viewer").get(place))


def test_scripts_send_and_list_messages(study: Study, who: Participation) -> None:
    token = new_api_token(study.memberships.get().user, "script")[1]
    client = Client(headers={"Authorization": f"Token {token}"})
    path = f"/api/v1/studies/{study.public_id}/team-messages"

    def post(**body: str) -> int:
        return client.post(path, json.dumps(body), content_type="application/json").status_code

    assert post(text="Thank you.", annotator=who.pseudonym) == 201
    assert post(text="The study closes on Friday.") == 201
    assert post(text="Thank you.", annotator="nobody") == 404
    assert post(text="") == 400
    rows = client.get(path).json()["results"]
    assert [(row["annotator"], row["text"]) for row in rows] == [
        (None, "The study closes on Friday."),
        (who.pseudonym, "Thank you."),
    ]


def test_an_archived_study_sends_no_messages(study: Study, who: Participation) -> None:
    owner = study.memberships.get().user
    close_study(study.pk, user=owner)
    archive_study(study.pk, user=owner)
    for send in (
        lambda: send_to_annotator(who.pk, text="Hello.", user=owner),
        lambda: send_to_all(study.pk, text="Hello.", user=owner),
    ):
        with pytest.raises(Refused) as refusal:
            send()
        assert refusal.value.code == "archived"
    assert not TeamMessage.objects.exists()
