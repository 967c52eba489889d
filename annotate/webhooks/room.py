"""Webhooks: addresses that receive the events of a study."""

from annotate.core.permissions import Action
from annotate.tasktypes.extensions import ErrorCode, Extension, Tab, register
from annotate.tasktypes.personal import Table, declare, impersonal, kept

from . import tasks  # noqa: F401 - adds tasks to the schedule
from .models import Delivery, Webhook
from .services.deliveries import announce
from .services.webhooks import delete_all

register(
    "webhooks",
    Extension(
        console_urls="annotate.webhooks.urls",
        api_urls="annotate.webhooks.api_urls",
        announce=announce,
        tabs=lambda study: [Tab("settings", "Integrations", ("webhooks/",), Action.MANAGE)],
        guides=dict.fromkeys(("webhooks", "webhook", "webhook-secret"), "webhooks"),
        path_parameters={"webhook": "ID of the webhook."},
        error_codes=[ErrorCode("inactive", (409,), "The webhook is turned off.")],
        delete_draft=delete_all,
    ),
)

ADDRESS = impersonal("an address of the researchers, and what it has received")
declare(
    Table(Webhook, {"public_id url kinds secret reached": ADDRESS}),
    Table(Delivery, {"public_id kind state error": ADDRESS, "data": kept(reason="pseudonyms, deleted after 30 days")}),
)
