"""The API for a study's overview, with the progress, the pace and the open HITs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.console.selectors.todo import LEVELS
from annotate.console.services import set_todo_mail, todo_of
from annotate.core.permissions import Action
from annotate.core.selectors.counts import hours
from annotate.core.selectors.open_hits import open_hits
from annotate.core.selectors.pace import pace_of
from annotate.core.selectors.pilot import pilot_of
from annotate.core.selectors.progress import progress_of
from annotate.core.services.open_hits import end_lease
from annotate.results.selectors.reports import snapshots
from annotate.studies.selectors import target_of
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of


class PilotShape(serializers.Serializer):
    assignments = serializers.IntegerField(help_text="Number of assignments in the pilot.")
    done = serializers.IntegerField(help_text="Number of completed pilot assignments.")
    complete = serializers.BooleanField()


class FinishShape(serializers.Serializer):
    at = serializers.DateTimeField(
        allow_null=True, help_text="The expected end. The value is `null` if the end is more than a year away."
    )
    low = serializers.DateTimeField(allow_null=True, help_text="Start of the 90% interval, or null before five days.")
    high = serializers.DateTimeField(allow_null=True, help_text="End of the 90% interval, or null before five days.")


class MainFigureShape(serializers.Serializer):
    """The study’s main figure, as in the latest report. The values are `null` if the figure is undefined."""

    name = serializers.CharField(source="headline.name")
    low = serializers.FloatField(source="headline.low", allow_null=True, help_text="Lower end of the range.")
    high = serializers.FloatField(
        source="headline.high",
        allow_null=True,
        help_text="Upper end of the range, or the value itself if there is no range.",
    )
    target = serializers.FloatField(source="headline.target", allow_null=True)
    judgements = serializers.IntegerField(help_text="Number of judgements in the report.")
    calculated_at = serializers.DateTimeField(source="created_at")


class TargetShape(serializers.Serializer):
    """The target of a study, and the predicted number of judgements until the study reaches it."""

    figure = serializers.CharField(source="figure.name")
    value = serializers.FloatField(help_text="The value that the figure must reach.")
    reached = serializers.BooleanField(
        help_text="Whether the figure has reached the target and each question has the minimum number of judgements."
    )
    attained = serializers.FloatField(
        source="attained.value", default=None, allow_null=True, help_text="The figure in the latest report."
    )
    low = serializers.FloatField(
        source="attained.low", default=None, allow_null=True, help_text="Start of the figure’s 95% interval."
    )
    high = serializers.FloatField(
        source="attained.high", default=None, allow_null=True, help_text="End of the figure’s 95% interval."
    )
    judgements_needed = serializers.IntegerField(
        source="needed.judgements",
        default=None,
        allow_null=True,
        help_text="Predicted number of additional judgements until the study reaches the target, or `null` if the "
        "number cannot be predicted yet.",
    )
    judgements_needed_low = serializers.IntegerField(
        source="needed.low", default=None, allow_null=True, help_text="Start of the 95% interval of this number."
    )
    judgements_needed_high = serializers.IntegerField(
        source="needed.high", default=None, allow_null=True, help_text="End of the 95% interval of this number."
    )
    judgements_missing = serializers.IntegerField(
        source="missing",
        allow_null=True,
        help_text="Number of judgements below the minimum per question in the latest report.",
    )
    at_end = serializers.FloatField(
        allow_null=True, help_text="Predicted figure after all judgements that the study still plans."
    )
    paused_at = serializers.DateTimeField(
        allow_null=True, help_text="Time at which Accord paused the study at this target."
    )


class ProgressShape(serializers.Serializer):
    """A study's progress and pace."""

    judgements = serializers.IntegerField(help_text="Number of judgements that count.")
    judgements_planned = serializers.IntegerField()
    assignments = serializers.IntegerField(help_text="Number of wanted assignments.")
    assignments_done = serializers.IntegerField()
    assignments_available = serializers.IntegerField(help_text="Number of assignments that annotators can claim.")
    open_hits = serializers.IntegerField(help_text="Number of claimed HITs that have not been submitted.")
    gold_answers = serializers.IntegerField()
    gold_right = serializers.IntegerField()
    annotators = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Number of people by standing, such as `active`, without simulated annotators.",
    )
    simulated_annotators = serializers.IntegerField(help_text="Number of simulated annotators. Their answers count.")
    annotators_at_work = serializers.IntegerField(help_text="People with activity in the last 15 minutes.")
    judgements_last_day = serializers.IntegerField(help_text="Number of judgements in the last 24 full hours.")
    judgements_by_hour = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=24,
        max_length=24,
        help_text="Judgements in the last 7 days by hour of the day in UTC, starting at 00:00.",
    )
    finish = FinishShape(
        allow_null=True,
        help_text="The expected end of the study or its pilot. The value is `null` if the end date cannot be forecast.",
    )
    forecast_at = serializers.DateTimeField(
        allow_null=True,
        help_text="The time of the first forecast if the study has less than 18 hours of data, or otherwise `null`.",
    )
    pilot = PilotShape(
        allow_null=True, help_text="The progress of the pilot, or `null` if the study is not in its pilot."
    )
    main_figure = MainFigureShape(allow_null=True, help_text="The main figure, or `null` before the first report.")
    target = TargetShape(allow_null=True, help_text="The study’s target, or `null` if the study has no target.")


class OpenHitShape(serializers.Serializer):
    """A HIT that was claimed but has not been submitted."""

    assignment = serializers.CharField(source="public_id")
    annotator = serializers.CharField(source="participation.pseudonym")
    hit = serializers.IntegerField(source="hit.number")
    questions = serializers.IntegerField()
    answers = serializers.IntegerField(source="given", help_text="Number of answered questions.")
    claimed_at = serializers.DateTimeField()
    active_at = serializers.DateTimeField(help_text="Time of the last answer or, if there is none yet, of the claim.")
    lease_until = serializers.DateTimeField()


class EndedShape(serializers.Serializer):
    opened = serializers.IntegerField(
        help_text="Number of slots that became available. The number is 0 if a surplus assignment filled the slot."
    )


class LinkShape(serializers.Serializer):
    text = serializers.CharField()
    path = serializers.CharField(help_text="Path relative to the study's page in the console.")


class TodoShape(serializers.Serializer):
    """An entry in the to-do list."""

    key = serializers.CharField(help_text="The key stays the same as long as the reason for the entry exists.")
    level = serializers.ChoiceField(LEVELS)
    title = serializers.CharField()
    detail = serializers.CharField()
    links = LinkShape(many=True)


class TodoMailShape(serializers.Serializer):
    wanted = serializers.BooleanField(help_text="Whether you get new to-do list entries by e-mail.")


class TodoView(ResearchView):
    @extend_schema(tags=["results"], operation_id="todo_list", responses={200: TodoShape(many=True), **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return everything in a study that currently needs attention, most urgent entries first."""
        entries = [
            {**vars(entry), "links": [{"text": text, "path": path} for text, path in entry.links]}
            for entry in todo_of(self.study(study))
        ]
        return Response(TodoShape(entries, many=True).data)


class TodoMailView(ResearchView):
    @extend_schema(tags=["results"], request=TodoMailShape, responses={200: TodoMailShape, **ERRORS})
    def put(self, request: Request, study: str) -> Response:
        """Turn on or off the e-mails that you receive about new entries in the study's to-do list. Accord sends you at
        most one e-mail per day for all your studies.
        """
        wanted = self.validated(TodoMailShape)["wanted"]
        set_todo_mail(self.study(study).pk, user=self.user, wanted=wanted)
        return Response({"wanted": wanted})


class ProgressView(ResearchView):
    @extend_schema(tags=["results"], operation_id="progress", responses={200: ProgressShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return a study's progress, current pace and expected end date. The overview guide describes the forecast."""
        owner = self.study(study)
        progress, pilot, reports = progress_of(owner), pilot_of(owner), snapshots(owner)
        pace = pace_of(owner, hours(owner), progress.slots - progress.done, pilot)
        body: dict[str, Any] = {
            "judgements": progress.judgements,
            "judgements_planned": progress.wanted,
            "assignments": progress.slots,
            "assignments_done": progress.done,
            "assignments_available": progress.slots_open,
            "open_hits": progress.open_hits,
            "gold_answers": progress.gold_given,
            "gold_right": progress.gold_right,
            "annotators": progress.standings,
            "simulated_annotators": progress.simulated,
            "annotators_at_work": progress.at_work,
            "judgements_last_day": pace.last_day,
            "judgements_by_hour": pace.by_hour,
            "finish": pace.finish,
            "forecast_at": pace.forecast_at,
            "pilot": pilot,
            "main_figure": reports[-1] if reports else None,
            "target": target_of(owner, reports),
        }
        return Response(ProgressShape(body).data)


class OpenHitsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="open_hits_list",
        parameters=PAGING,
        responses={200: pages_of(OpenHitShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return a study's open HITs, starting with the HIT that has been inactive longest."""
        return self.page(open_hits(self.study(study)), OpenHitShape)


class EndLeaseView(ResearchView):
    @extend_schema(tags=["results"], request=None, responses={200: EndedShape, **ERRORS})
    def post(self, request: Request, study: str, assignment: str) -> Response:
        """End the lease on an open HIT, so that another annotator can claim the HIT. The first annotator can still
        finish the HIT, and is then paid.
        """
        owner = self.study(study, may=Action.END_LEASES)
        return Response({"opened": end_lease(owner.pk, assignment, user=self.user).opened})
