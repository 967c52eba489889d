"""The API for studies, including settings, states, uploads, items, questions and the design."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.console.selectors.own_studies import matching_studies
from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.core.services.writing import write
from annotate.data.api.shapes import ItemShape
from annotate.data.selectors.design import checks_of
from annotate.gold.selectors.appearance import gold_appearance
from annotate.models import Guidelines, Study
from annotate.results.api import ReportShape
from annotate.server.refusals import Refused, invalid
from annotate.studies.api import StateShape, StudyChange, StudyDraft, StudyShape
from annotate.studies.services import study as services
from annotate.studies.services.copies import delete_draft
from annotate.studies.services.settings import LISTS, change_settings, write_consent
from annotate.studies.services.team import create_team_study
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape

CONSENT = ("consent", "consent_pays_stopped", "consent_names_activity")
STATE_CHANGES = {
    "open": (Action.OPEN, services.open_study),
    "paused": (Action.PAUSE, services.pause_study),
    "closed": (Action.CLOSE, services.close_study),
    "archived": (Action.ARCHIVE, services.archive_study),
}


class StudiesView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="studies_list",
        parameters=[
            *PAGING,
            OpenApiParameter("state", str, enum=Study.State.values, description="Return only studies in this state."),
            OpenApiParameter(
                "search", str, description="Return only studies whose title or task type contains this text."
            ),
        ],
        responses={200: pages_of(StudyShape), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Return your studies, newest first."""
        state, search = (request.query_params.get(name, "") for name in ("state", "search"))
        if state and state not in Study.State.values:
            raise invalid("state", f"There is no state {state}. States: {', '.join(Study.State.values)}.")
        studies = matching_studies(self.studies(), state=state, search=search)
        return self.page(studies.prefetch_related("consents"), StudyShape)

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=StudyDraft,
        responses={201: StudyShape, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Create a draft study. You become its owner."""
        settings = self.validated(StudyDraft)
        create = create_team_study if "annotators" in settings else services.create_study
        return self.create_once(lambda: StudyShape(create(user=self.user, **settings), context=self.context).data)


class StudyView(ConditionalView):
    @extend_schema(tags=["studies"], responses={200: StudyShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return a study with its settings."""
        return Response(StudyShape(self.study(study), context=self.context).data)

    @extend_schema(tags=["studies"], request=StudyChange, responses={200: StudyShape, **ERRORS})
    def patch(self, request: Request, study: str) -> Response:
        """Change settings. Settings that affect answers are locked once the study has been opened (status 409,
        `locked`).
        """
        found = self.study(study, may=Action.CHANGE_SETTINGS)
        wanted = self.validated(StudyChange, partial=True)
        consent = {name: wanted.pop(name) for name in CONSENT if name in wanted}
        if self.is_limited:
            self._refuse_links(found, wanted)
        with write():
            if consent:  # stored first, because some settings require terms in the consent text
                self._write_consent(found, **consent)
            changed = change_settings(found.pk, user=self.user, **wanted)
        return Response(StudyShape(changed, context=self.context).data)

    @extend_schema(tags=["studies"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str) -> Response:
        """Delete a draft with its items, questions, files, named annotators and lists of people. You cannot undo this
        action.
        """
        delete_draft(self.study(study, may=Action.DELETE_DRAFT).pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _refuse_links(self, study: Study, wanted: dict[str, Any]) -> None:
        """Raise `Refused` (`invalid`) if a token that is limited to this study links other studies. The links would
        reveal who took part in these studies.
        """
        message = "cannot contain other studies, because the token is limited to one study"
        added = [name for name in LISTS if name in wanted and not set(wanted[name]) <= set(getattr(study, name))]
        if added:
            fields = {name: [message] for name in added}
            raise Refused("invalid", "This token cannot link other studies.", status=400, fields=fields)

    def _write_consent(self, study: Study, **sent: Any) -> None:
        """Store a new version of the consent text from the fields in the request. If the text changes, statements about
        the earlier text do not apply to the new text.
        """
        latest = study.consents.order_by("-version").first()
        text = sent.get("consent", latest.text if latest else "")
        stays = latest is not None and text == latest.text
        promise = sent.get("consent_pays_stopped", latest.pays_stopped if latest and stays else None)
        names_activity = sent.get("consent_names_activity", latest is not None and stays and latest.names_activity)
        write_consent(study.pk, text, user=self.user, pays_stopped=promise, names_activity=names_activity)


class StateView(ResearchView):
    @extend_schema(tags=["studies"], request=StateShape, responses={200: StudyShape, **ERRORS})
    def put(self, request: Request, study: str) -> Response:
        """Open, pause, close or archive the study. The error `not-ready` lists all requirements that the study does not
        meet.
        """
        self.study(study)
        action, change_state = STATE_CHANGES[self.validated(StateShape)["state"]]
        pk = self.study(study, may=action).pk
        return Response(StudyShape(change_state(pk, user=self.user), context=self.context).data)


class ItemsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="items_list",
        parameters=PAGING,
        responses={200: pages_of(ItemShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's items, in import order."""
        items = self.study(study).items.visible().order_by("pk")
        return self.page(items, ItemShape)


class GuidelinesShape(serializers.ModelSerializer):
    class Meta:
        model = Guidelines
        fields = ["version", "instructions", "examples", "created_at"]


class GuidelinesView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="guidelines_list",
        parameters=PAGING,
        responses={200: pages_of(GuidelinesShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the versions of the guidelines, newest first. The first version is stored when the guidelines change
        after the study has been opened.
        """
        return self.page(self.study(study).guidelines.order_by("-version"), GuidelinesShape)


class DesignView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: ReportShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the report on the current design. Its checks include a comparison of the current gold questions with
        the other questions.
        """
        owner = self.study(study)
        if owner.design is None:
            raise Refused("no-design", "This study has no design yet. Build the design first.", status=404)
        shown = ReportShape(owner.design).data
        checks = [vars(check) for check in checks_of(owner.design, gold_appearance(owner))]
        return Response({**shown, "result": {**shown["result"], "checks": checks}})

    @extend_schema(tags=["studies"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Rebuild the questions from the items. A background job builds the questions."""
        return self.started(request_job(self.study(study, may=Action.BUILD_DESIGN), "design", user=self.user))
