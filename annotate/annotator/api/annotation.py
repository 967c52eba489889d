"""The annotation API: claim HITs, save drafts, answer questions and submit. Annotators' pages are clients of the
annotation API.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.annotator.api.annotation_shapes import (
    AcknowledgementShape,
    AssignmentShape,
    ClaimedShape,
    CodeShape,
    DraftShape,
    GivenShape,
    GiveShape,
    RemarkShape,
    ReturnShape,
    RevisionShape,
    SubmissionShape,
    SubmittedShape,
    VersionShape,
)
from annotate.annotator.api.reply_times import at_fixed_times
from annotate.core.selectors.assignments import present
from annotate.core.selectors.own_gold import own_counts
from annotate.core.services.answer import acknowledge, give_answer, lock, save_draft
from annotate.core.services.claim import Claimed, claim, free_by
from annotate.core.services.remarks import send_remark
from annotate.core.services.returns import return_hit
from annotate.core.services.sets_left import sets_left
from annotate.core.services.submit import AnswerSent, submit, submit_and_claim
from annotate.core.services.writing import write
from annotate.models import Assignment, Participation
from annotate.recruiting.services.join import issue_resume_code
from annotate.server import metrics
from annotate.studies.services.settings import mark_read
from annotate.web.api.annotation_throttle import AnnotateThrottle
from annotate.web.api.authentication import IsAnnotator, ParticipationAuthentication
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainView, validated

UNSUBMITTED = (Assignment.State.LEASED, Assignment.State.LAPSED)


class AnnotatorView(PlainView):
    authentication_classes = [ParticipationAuthentication]
    permission_classes = [IsAnnotator]
    throttle_classes = [AnnotateThrottle]

    def handle_exception(self, exc: Exception) -> Response:
        """Report the token as unknown if its participation does not exist, for example after a backup has been
        restored.
        """
        if isinstance(exc, Participation.DoesNotExist):
            exc = exceptions.AuthenticationFailed(
                "This page belongs to an unknown annotator. Open the link to the study again."
            )
        return super().handle_exception(exc)

    def validated(self, kind: type[serializers.Serializer], request: Request) -> dict[str, Any]:
        """Return the validated body of the request, or raise an error with status 400 that names the invalid fields."""
        return cast(dict[str, Any], validated(kind(data=request.data)))


def participation(request: Request) -> str:
    """Return the public ID that `ParticipationAuthentication` read from the token."""
    return cast(str, request.auth)


class ClaimView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=None, responses={200: ClaimedShape, **ERRORS})
    def post(self, request: Request) -> Response:
        """Claim the next assignment, or return the assignment in progress."""
        return Response(_claimed(claim(participation(request)), participation(request)))


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
        with at_fixed_times():
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
        """Send the researchers a comment on a question, or report a problem with the question."""
        sent = self.validated(RemarkShape, request)
        send_remark(participation(request), assignment, position, kind=sent["kind"], text=sent["text"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReturnView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=ReturnShape, responses={204: None, **ERRORS})
    def post(self, request: Request, assignment: str) -> Response:
        """Return an unsubmitted HIT, so that other annotators can claim it. The annotator gets the HIT back before any
        other HIT, unless the annotator puts the HIT aside.
        """
        sent = self.validated(ReturnShape, request)
        return_hit(participation(request), assignment, put_aside=sent["put_aside"])
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
        following = left = gold = None
        if sent["next"]:
            receipt, claimed = submit_and_claim(key, assignment, answers, feedback_first=feedback_first)
            following = _claimed(claimed, key) if claimed else None
            if sent["left"] and claimed and claimed.assignment:
                left = sets_left(claimed.assignment.participation)
                gold = own_counts(claimed.assignment.participation)
        else:
            receipt = submit(key, assignment, answers, feedback_first=feedback_first)
        if receipt.state not in UNSUBMITTED:
            metrics.SUBMISSIONS.labels(receipt.state).inc()
        told = asdict(receipt) | {"reward": str(receipt.reward)}
        return Response({"receipt": told, "next": following, "left": left, "gold": asdict(gold) if gold else None})


class ResumeCodeView(AnnotatorView):
    body_limit = "small"

    @extend_schema(tags=["annotation"], request=None, responses={200: CodeShape, **ERRORS})
    def post(self, request: Request) -> Response:
        """Create a code for continuing on another device. The annotator's previous code stops working."""
        return Response(asdict(issue_resume_code(participation(request))))


def _claimed(claimed: Claimed, key: str) -> dict[str, Any]:
    assignment: Assignment | None = claimed.assignment
    metrics.CLAIMS.labels(claimed.why or ("resumed" if claimed.resumed else "leased")).inc()
    return {
        "assignment": present(assignment, claimed.answers) if assignment else None,
        "why": claimed.why,
        "resumed": claimed.resumed,
        "free_by": free_by(Participation.objects.select_related("study", "annotator").get(public_id=key))
        if claimed.why == "nothing"
        else None,
    }
