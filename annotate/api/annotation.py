"""The annotation API: claim HITs, save drafts, answer questions and submit. The annotators' pages use the annotation
API.
"""

from __future__ import annotations

import threading
import time
from dataclasses import asdict
from functools import cache
from typing import Any, ClassVar, cast

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from annotate import metrics
from annotate.addresses import client_network
from annotate.models import Assignment, Participation
from annotate.selectors.assignments import present
from annotate.services.answer import acknowledge, give_answer, lock, save_draft
from annotate.services.claim import Claimed, claim
from annotate.services.guidelines import mark_read
from annotate.services.join import issue_resume_code
from annotate.services.remarks import send_remark
from annotate.services.returns import return_hit
from annotate.services.submit import AnswerSent, submit, submit_and_claim
from annotate.services.writing import write

from .authentication import IsAnnotator, ParticipationAuthentication
from .plain import PlainView

MOST_ANSWERS = 1_000  # per request; the largest HIT has fewer questions
UNSUBMITTED = (Assignment.State.LEASED, Assignment.State.LAPSED)


class AnnotateThrottle(BaseThrottle):
    """A rate limit that people never reach, but that stops a faulty script.

    Requests are counted in this process, because a count in Redis would cost as much as several answers. A new window
    starts after the period of the rate.
    """

    _counts: ClassVar[dict[str, int]] = {}
    _window: ClassVar[float] = 0.0
    _lock = threading.Lock()

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request. Return False if the annotator has sent too many requests in this time window."""
        most, seconds = _rate(settings.THROTTLE_ANNOTATE)
        window = time.monotonic() // seconds
        with self._lock:
            if window != AnnotateThrottle._window:
                AnnotateThrottle._window = window
                self._counts.clear()
            who = str(request.auth or client_network(request))
            self._counts[who] = count = self._counts.get(who, 0) + 1
        return count <= most

    def wait(self) -> float:
        """Return the number of seconds until the next window starts."""
        _, seconds = _rate(settings.THROTTLE_ANNOTATE)
        return seconds - time.monotonic() % seconds


@cache
def _rate(text: str) -> tuple[int, int]:
    """Return the number of requests and the number of seconds in a rate such as `1200/min`."""
    number, _, unit = text.partition("/")
    return int(number), {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit[0]]


class AnnotatorView(PlainView):
    authentication_classes = [ParticipationAuthentication]
    permission_classes = [IsAnnotator]
    throttle_classes = [AnnotateThrottle]

    def handle_exception(self, exc: Exception) -> Response:
        """Report an unknown token if the token's participation does not exist, for example after a backup was
        restored.
        """
        if isinstance(exc, Participation.DoesNotExist):
            exc = exceptions.AuthenticationFailed(
                "This page belongs to an unknown annotator. Reopen the link to the study."
            )
        return super().handle_exception(exc)

    def validated(self, kind: type[serializers.Serializer], request: Request) -> dict[str, Any]:
        """Return the validated body of the request, or raise an error with status 400 that names the invalid fields."""
        serializer = kind(data=request.data)
        serializer.is_valid(raise_exception=True)
        return serializer.validated_data


def participation(request: Request) -> str:
    """Return the public ID that `ParticipationAuthentication` has read from the token."""
    return cast(str, request.auth)


# ── shapes ────────────────────────────────────────────────────────────────────────────────────────────────────
class FeedbackShape(serializers.Serializer):
    position = serializers.IntegerField()
    passed = serializers.BooleanField()
    expected = serializers.JSONField()
    given = serializers.JSONField()
    explanation = serializers.CharField()
    message = serializers.CharField()
    graded = serializers.IntegerField(help_text="Number of graded gold questions so far.")
    right = serializers.IntegerField(help_text="Number of gold questions answered as expected.")


class ShownQuestion(serializers.Serializer):
    position = serializers.IntegerField()
    content = serializers.JSONField()
    draft = serializers.JSONField(allow_null=True)
    revision = serializers.IntegerField()
    value = serializers.JSONField(allow_null=True)
    skipped = serializers.CharField(help_text="Reason why the question was skipped, or an empty string.")
    final = serializers.BooleanField(help_text="True if the answer has been graded and can no longer be changed.")
    feedback = FeedbackShape(allow_null=True)


class ShownStudy(serializers.Serializer):
    title = serializers.CharField()
    task_type = serializers.CharField()
    module = serializers.CharField(help_text="URL of the ES module that shows a question.")
    language = serializers.CharField()
    direction = serializers.CharField()
    skips = serializers.BooleanField(help_text="True if questions in this assignment can be skipped.")
    pass_mark = serializers.FloatField(
        help_text="Share of gold questions that annotators must answer as expected, "
        "or 0 if the study has no quality rule."
    )
    activity = serializers.CharField(
        allow_null=True,
        help_text="URL of the ES module that summarizes the annotator's activity, or null if the study does not "
        "collect activity summaries from this annotator.",
    )
    break_minutes = serializers.IntegerField(
        allow_null=True, help_text="Minutes of work until the reminder to take a break, or null for no reminder."
    )


class GuidelinesState(serializers.Serializer):
    version = serializers.IntegerField(help_text="Current version of the guidelines.")
    read = serializers.IntegerField(help_text="Latest version that the annotator has read.")


class AssignmentShape(serializers.Serializer):
    id = serializers.CharField()
    kind = serializers.ChoiceField(["regular", "practice", "try"])
    state = serializers.ChoiceField(["leased", "lapsed", "done", "surplus", "void"])
    lease_until = serializers.DateTimeField()
    reward = serializers.CharField()
    currency = serializers.CharField()
    questions = ShownQuestion(many=True)
    study = ShownStudy()
    guidelines = GuidelinesState()


class ClaimedShape(serializers.Serializer):
    assignment = AssignmentShape(allow_null=True)
    why = serializers.CharField(
        help_text="nothing | finished | limit | paused | closed | stopped | withdrawn | excluded | consent, or empty."
    )
    resumed = serializers.BooleanField()


class DraftShape(serializers.Serializer):
    draft = serializers.JSONField(allow_null=True)
    revision = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class RevisionShape(serializers.Serializer):
    revision = serializers.IntegerField()


class GiveShape(serializers.Serializer):
    value = serializers.JSONField(required=False, help_text="The answer, required unless the question is skipped.")
    skipped = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=500,
        help_text="Reason for skipping the question, instead of a value.",
    )
    seconds = serializers.FloatField(min_value=0, max_value=86_400 * 30, required=False, allow_null=True)
    activity = serializers.JSONField(
        required=False,
        allow_null=True,
        help_text="Summary of the annotator's activity, in studies that collect it. An invalid summary is ignored.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either a value or a reason for skipping the question."""
        if ("value" in attrs) == bool(attrs.get("skipped")):
            raise serializers.ValidationError({"value": ["Send either a value or a reason for skipping the question."]})
        return attrs


class GivenShape(serializers.Serializer):
    feedback = FeedbackShape(many=True)
    stopped = serializers.BooleanField()
    final = serializers.BooleanField(help_text="True if the answer has been graded and can no longer be changed.")


class AcknowledgementShape(serializers.Serializer):
    disputed = serializers.BooleanField(default=False)
    note = serializers.CharField(default="", allow_blank=True, max_length=1000)


class RemarkShape(serializers.Serializer):
    kind = serializers.ChoiceField(["comment", "problem"], default="comment")
    text = serializers.CharField(max_length=2000)


class VersionShape(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class SentShape(GiveShape):
    position = serializers.IntegerField(min_value=1, max_value=32_767)


class SubmissionShape(serializers.Serializer):
    answers = SentShape(
        many=True,
        required=False,
        max_length=MOST_ANSWERS,  # type: ignore[call-arg]  # of the list, which `many` makes
        help_text="Answers that have not been sent yet, at most one per position.",
    )
    next = serializers.BooleanField(default=False, help_text="Claim the next assignment in the same request.")
    feedback_first = serializers.BooleanField(
        default=False,
        help_text="Store the answers, but end the assignment only if all feedback on gold questions has been read. "
        "The receipt contains any unread feedback, and the assignment stays leased until the annotator has read all "
        "feedback.",
    )


class ReceiptShape(serializers.Serializer):
    assignment = serializers.CharField()
    state = serializers.CharField()
    credited = serializers.BooleanField()
    reward = serializers.CharField()
    currency = serializers.CharField()
    stopped = serializers.BooleanField()
    feedback = FeedbackShape(many=True)


class SubmittedShape(serializers.Serializer):
    receipt = ReceiptShape()
    next = ClaimedShape(allow_null=True)


class CodeShape(serializers.Serializer):
    code = serializers.CharField()
    expires_at = serializers.DateTimeField(help_text="Time at which the code expires.")


class ErrorShape(serializers.Serializer):
    code = serializers.CharField()
    message = serializers.CharField()
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))  # type: ignore[assignment]


ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 422, 429, 503), ErrorShape)


# ── endpoints ─────────────────────────────────────────────────────────────────────────────────────────────────
class ClaimView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=None, responses={200: ClaimedShape, **ERRORS})
    def post(self, request: Request) -> Response:
        """Claim the next assignment, or return the assignment in progress."""
        return Response(_claimed(claim(participation(request))))


class AssignmentView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], responses={200: AssignmentShape, **ERRORS})
    def get(self, request: Request, assignment: str) -> Response:
        """Return an assignment with its questions, drafts and answers."""
        with write():
            locked = lock(participation(request), assignment)
        return Response(present(locked))


class DraftView(AnnotatorView):
    body_limit = "answer"

    @extend_schema(tags=["annotation"], request=DraftShape, responses={200: RevisionShape, **ERRORS})
    def put(self, request: Request, assignment: str, position: int) -> Response:
        """Save a draft. Drafts are never graded. If the revision of a draft is out of date, the endpoint returns status
        409 (`stale`).
        """
        sent = self.validated(DraftShape, request)
        revision = save_draft(participation(request), assignment, position, sent["draft"], sent["revision"])
        return Response({"revision": revision})


class AnswerView(AnnotatorView):
    body_limit = "answer"

    @extend_schema(tags=["annotation"], request=GiveShape, responses={200: GivenShape, **ERRORS})
    def put(self, request: Request, assignment: str, position: int) -> Response:
        """Answer or skip a question. An ungraded answer can be changed until the HIT is submitted."""
        sent = self.validated(GiveShape, request)
        given = give_answer(
            participation(request),
            assignment,
            position,
            sent.get("value"),
            seconds=sent.get("seconds"),
            skipped=sent.get("skipped", ""),
            activity=sent.get("activity"),
        )
        feedback = [asdict(feedback) for feedback in given.feedback]
        return Response({"feedback": feedback, "stopped": given.stopped, "final": given.final})


class AcknowledgementView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=AcknowledgementShape, responses={204: None, **ERRORS})
    def post(self, request: Request, assignment: str, position: int) -> Response:
        """Confirm that the annotator has read the feedback on a gold question, and optionally dispute the expected
        answer.
        """
        sent = self.validated(AcknowledgementShape, request)
        acknowledge(participation(request), assignment, position, disputed=sent["disputed"], note=sent["note"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class RemarkView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=RemarkShape, responses={204: None, **ERRORS})
    def post(self, request: Request, assignment: str, position: int) -> Response:
        """Send the researchers a comment on a question, or report a problem with it."""
        sent = self.validated(RemarkShape, request)
        send_remark(participation(request), assignment, position, kind=sent["kind"], text=sent["text"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReturnView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=None, responses={204: None, **ERRORS})
    def post(self, request: Request, assignment: str) -> Response:
        """Return an unsubmitted HIT to the study, for which the annotator is not paid. The annotator does not get the
        same HIT again.
        """
        return_hit(participation(request), assignment)
        return Response(status=status.HTTP_204_NO_CONTENT)


class GuidelinesReadView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=VersionShape, responses={200: VersionShape, **ERRORS})
    def put(self, request: Request) -> Response:
        """Confirm that the annotator has read a version of the guidelines."""
        sent = self.validated(VersionShape, request)
        return Response({"version": mark_read(participation(request), sent["version"])})


class SubmissionView(AnnotatorView):
    body_limit = "submission"

    @extend_schema(tags=["annotation"], request=SubmissionShape, responses={200: SubmittedShape, **ERRORS})
    def post(self, request: Request, assignment: str) -> Response:
        """Submit the HIT. A repeated submission returns the same receipt."""
        sent = self.validated(SubmissionShape, request)
        answers = [
            AnswerSent(a["position"], a.get("value"), a.get("seconds"), a.get("skipped", ""), a.get("activity"))
            for a in sent.get("answers", [])
        ]
        key, feedback_first = participation(request), sent["feedback_first"]
        following = None
        if sent["next"]:
            receipt, claimed = submit_and_claim(key, assignment, answers, feedback_first=feedback_first)
            following = _claimed(claimed) if claimed else None
        else:
            receipt = submit(key, assignment, answers, feedback_first=feedback_first)
        if receipt.state not in UNSUBMITTED:
            metrics.SUBMISSIONS.labels(receipt.state).inc()
        return Response({"receipt": asdict(receipt) | {"reward": str(receipt.reward)}, "next": following})


class ResumeCodeView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=None, responses={200: CodeShape, **ERRORS})
    def post(self, request: Request) -> Response:
        """Create a code to continue on another device. The annotator's previous code stops working."""
        return Response(asdict(issue_resume_code(participation(request))))


def _claimed(claimed: Claimed) -> dict[str, Any]:
    assignment: Assignment | None = claimed.assignment
    metrics.CLAIMS.labels(claimed.why or ("resumed" if claimed.resumed else "leased")).inc()
    return {
        "assignment": present(assignment, claimed.answers) if assignment else None,
        "why": claimed.why,
        "resumed": claimed.resumed,
    }
