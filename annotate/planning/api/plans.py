"""The API operations that calculate plans, return stored plans, and choose the plan of a study."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.planning.models import Plan
from annotate.planning.selectors.plans import plans_of, usual_parameters
from annotate.planning.services.plans import planning_of, request_plan, use_plan
from annotate.server.refusals import existing
from annotate.tasktypes import Option
from annotate.tasktypes.plan_parameters import OPTIONAL, REQUIRED
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape


def _field(option: Option, **arguments: Any) -> serializers.Field:
    """Return the field for a parameter. Optional parameters can be `null`."""
    kind: Any = serializers.IntegerField if option.kind == "integer" else serializers.FloatField
    field: serializers.Field = kind(
        required=False,
        min_value=option.minimum,
        max_value=option.maximum,
        help_text=option.help or f"{option.label}.",
        **arguments,
    )
    return field


class PlanDraft(serializers.Serializer):
    """The parameters of a plan. The study determines the values of missing parameters, where possible."""

    design = serializers.DictField(required=False, help_text="Fields of the design, such as `size` and `factor`.")
    answers = serializers.ListField(
        child=serializers.IntegerField(min_value=2, max_value=50),
        required=False,
        help_text="Numbers of answers per question to compare.",
    )
    assumptions = serializers.DictField(
        required=False,
        help_text="Lower and upper limit of each assumption, such as `careless`. For a single value, repeat it.",
    )
    pilot = serializers.CharField(
        required=False,
        allow_null=True,
        help_text="ID of the study whose answers replace the assumptions, such as the study itself. You must be a "
        "member of this study.",
    )
    currency = serializers.RegexField(
        "^[A-Z]{3}$", required=False, help_text="Three-letter code, such as USD. The default is the study’s currency."
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields: dict[str, serializers.Field] = super().get_fields()
        fields |= {option.name: _field(option) for option in REQUIRED}
        return fields | {option.name: _field(option, allow_null=True) for option in OPTIONAL}


class ChosenDesignShape(serializers.Serializer):
    """A design of a plan."""

    per_question = serializers.IntegerField(min_value=1, help_text="Number of answers per question.")
    design = serializers.DictField(help_text="Fields of the design, such as `size` and `factor`.")


class PlanSummaryShape(serializers.ModelSerializer):
    """A stored plan without its figures. `chosen` is the study's chosen design, or null for other plans."""

    chosen = ChosenDesignShape(allow_null=True)

    class Meta:
        model = Plan
        fields = ["number", "parameters", "chosen", "created_at"]


class PlanShape(PlanSummaryShape):
    """A stored plan. The figures have the form that `accord plan --json` prints."""

    result = serializers.DictField(help_text="Figures of each design, with 95% prediction intervals.")

    class Meta(PlanSummaryShape.Meta):
        fields = [*PlanSummaryShape.Meta.fields, "versions", "result"]


class UsePlanDraft(ChosenDesignShape):
    change_study = serializers.BooleanField(
        default=False, help_text="Whether to copy the design to the study’s settings. Only drafts can be changed."
    )


REQUESTED = inline_serializer("RequestedPlan", {"plan": PlanShape(allow_null=True), "job": JobShape(allow_null=True)})


class PlansView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="plans_list",
        parameters=PAGING,
        responses={200: pages_of(PlanSummaryShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the stored plans of a study, newest first."""
        return self.page(plans_of(self.study(study)).defer("result"), PlanSummaryShape)

    @extend_schema(tags=["studies"], request=PlanDraft, responses={200: REQUESTED, 202: REQUESTED, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Calculate a plan. If a plan with the same parameters is stored, the response contains this plan. Otherwise,
        the response contains the job that calculates the plan.
        """
        target = self.study(study, may=Action.MANAGE)
        usual = usual_parameters(target, planning_of(target))
        stated = self.validated(PlanDraft)
        if self.is_limited and stated.get("pilot") not in (None, "", target.public_id):
            raise Http404("the token is limited to one study")
        requested = request_plan(
            target, {**usual, **stated, "design": usual["design"] | stated.get("design", {})}, user=self.user
        )
        if isinstance(requested, Plan):
            return Response({"plan": PlanShape(requested).data, "job": None})
        return Response({"plan": None, "job": JobShape(requested).data}, status=status.HTTP_202_ACCEPTED)


class PlanView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: PlanShape, **ERRORS})
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return a stored plan with its figures."""
        return Response(PlanShape(_plan(self.study(study), number)).data)


class UsePlanView(ResearchView):
    @extend_schema(tags=["studies"], request=UsePlanDraft, responses={200: PlanSummaryShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Choose a stored plan's design as the study's plan. In a draft, `change_study` copies the design to the
        study’s settings.
        """
        plan = _plan(self.study(study, may=Action.CHANGE_SETTINGS), number)
        return Response(PlanSummaryShape(use_plan(plan.pk, **self.validated(UsePlanDraft), user=self.user)).data)


def _plan(study: Study, number: int) -> Plan:
    return existing(plans_of(study).filter(number=number).first(), "This study has no plan with this number.")
