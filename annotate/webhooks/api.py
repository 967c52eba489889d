"""The API for webhooks: addresses that receive a study's events."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.server.refusals import existing
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import CURSOR, ResearchView, cursor_pages_of
from annotate.webhooks.models import Delivery, Webhook
from annotate.webhooks.selectors import latest_deliveries
from annotate.webhooks.services import webhooks as services


class WebhookShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    events = serializers.ListField(source="kinds", child=serializers.ChoiceField(Webhook.Kind.choices))

    class Meta:
        model = Webhook
        fields = ["id", "url", "events", "active", "created_at"]


class SecretShape(serializers.Serializer):
    secret = serializers.CharField(help_text="The secret for verifying signatures. Accord shows the secret only once.")


class NewWebhookShape(SecretShape):
    webhook = WebhookShape()


class WebhookDraft(serializers.Serializer):
    url = serializers.CharField(
        max_length=services.LONGEST_URL,
        help_text="A URL that starts with https:// and whose host has only public addresses.",
    )
    events = serializers.ListField(
        child=serializers.ChoiceField(Webhook.Kind.choices), max_length=len(Webhook.Kind.values), min_length=1
    )


class WebhookChange(WebhookDraft):
    """The fields to change. Fields that are missing from the request keep their values."""

    url = serializers.CharField(max_length=services.LONGEST_URL, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(Webhook.Kind.choices),
        max_length=len(Webhook.Kind.values),
        min_length=1,
        required=False,
    )
    active = serializers.BooleanField(required=False, help_text="Whether events are sent to the webhook.")


@extend_schema_field({"type": "string", "example": "Vd3cOsg1Q6qk1n1o2yqZ0g"})
class WebhookId(serializers.CharField):
    """The ID of a webhook, with an example for the schema."""


class DeliveryShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    webhook = WebhookId(source="webhook.public_id")
    event = serializers.ChoiceField([*Webhook.Kind.values, Delivery.TEST], source="kind")
    state = serializers.ChoiceField(Delivery.State.choices)
    next_attempt_at = serializers.SerializerMethodField(
        help_text="The next attempt can start at this time. The value is null if there will be no more attempts."
    )

    class Meta:
        model = Delivery
        fields = [
            "id",
            "webhook",
            "event",
            "data",
            "state",
            "attempts",
            "status",
            "error",
            "created_at",
            "delivered_at",
            "next_attempt_at",
        ]

    def get_next_attempt_at(self, delivery: Delivery) -> str | None:
        waiting = delivery.state == Delivery.State.WAITING
        return serializers.DateTimeField().to_representation(delivery.next_at) if waiting else None


class WebhookView(ResearchView):
    """The base class for webhook endpoints, which all need the same permission."""

    def owner(self, study: str) -> Study:
        return self.study(study, may=Action.MANAGE)

    def webhook(self, study: str, webhook: str) -> Webhook:
        return existing(
            self.owner(study).webhooks.filter(public_id=webhook).first(), "This study has no webhook with this ID."
        )


class WebhooksView(WebhookView):
    @extend_schema(
        tags=["webhooks"],
        operation_id="webhooks_list",
        responses={200: WebhookShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's webhooks without their secrets."""
        return Response(WebhookShape(self.owner(study).webhooks.order_by("pk"), many=True).data)

    @extend_schema(
        tags=["webhooks"],
        request=WebhookDraft,
        responses={201: NewWebhookShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Add a webhook. The response contains the secret for verifying signatures, which Accord shows only once."""
        # The response is not stored for an Idempotency-Key, because it contains the secret.
        owner, draft = self.owner(study), self.validated(WebhookDraft)
        webhook, secret = services.add_webhook(owner.pk, url=draft["url"], kinds=draft["events"], user=self.user)
        return Response({"webhook": WebhookShape(webhook).data, "secret": secret}, status=status.HTTP_201_CREATED)


class OneWebhookView(ConditionalView, WebhookView):
    @extend_schema(tags=["webhooks"], responses={200: WebhookShape, **ERRORS})
    def get(self, request: Request, study: str, webhook: str) -> Response:
        """Return a webhook without its secret."""
        return Response(WebhookShape(self.webhook(study, webhook)).data)

    @extend_schema(tags=["webhooks"], request=WebhookChange, responses={200: WebhookShape, **ERRORS})
    def patch(self, request: Request, study: str, webhook: str) -> Response:
        """Change a webhook's URL or events, or turn the webhook on or off."""
        stored, wanted = self.webhook(study, webhook), self.validated(WebhookChange, partial=True)
        changes: dict[str, Any] = {("kinds" if name == "events" else name): value for name, value in wanted.items()}
        return Response(WebhookShape(services.change_webhook(stored.pk, user=self.user, **changes)).data)

    @extend_schema(tags=["webhooks"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, webhook: str) -> Response:
        """Delete a webhook and its deliveries."""
        services.delete_webhook(self.webhook(study, webhook).pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SecretView(WebhookView):
    @extend_schema(tags=["webhooks"], request=None, responses={200: SecretShape, **ERRORS})
    def post(self, request: Request, study: str, webhook: str) -> Response:
        """Replace a webhook's secret. All later deliveries are signed with the new secret."""
        secret = services.replace_secret(self.webhook(study, webhook).pk, user=self.user)
        return Response({"secret": secret})


class TestView(WebhookView):
    @extend_schema(tags=["webhooks"], request=None, responses={202: DeliveryShape, **ERRORS})
    def post(self, request: Request, study: str, webhook: str) -> Response:
        """Send a test event to a webhook. The list of deliveries shows the result a few seconds later."""
        delivery = services.send_test(self.webhook(study, webhook).pk, user=self.user)
        return Response(DeliveryShape(delivery).data, status=status.HTTP_202_ACCEPTED)


class DeliveriesView(WebhookView):
    @extend_schema(
        tags=["webhooks"],
        operation_id="deliveries_list",
        parameters=CURSOR,
        responses={200: cursor_pages_of(DeliveryShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return all deliveries to the study's webhooks in the last 30 days, newest first."""
        return self.cursor_page(latest_deliveries(self.owner(study)), DeliveryShape)
