"""The pages, operations and services of webhooks, for tests of the whole site (see tests/rooms.py)."""

from typing import Any

from annotate.core.permissions import Action
from annotate.models import Study, User
from annotate.webhooks.services import webhooks

# The action of each page of the console, and of each operation of the API with a body that is allowed.
CONSOLE = dict.fromkeys(("webhooks", "webhook", "webhook-secret", "webhook-test", "webhook-delete"), Action.MANAGE)
API = {
    ("get", "webhooks"): (Action.MANAGE, None),
    ("post", "webhooks"): (Action.MANAGE, {}),
    ("get", "deliveries"): (Action.MANAGE, None),
    ("get", "webhook"): (Action.MANAGE, None),
    ("patch", "webhook"): (Action.MANAGE, {}),
    ("delete", "webhook"): (Action.MANAGE, None),
    ("post", "webhook-secret"): (Action.MANAGE, None),
    ("post", "webhook-test"): (Action.MANAGE, None),
}
# The operations with the same effect as each page.
OPERATIONS: dict[str, list[tuple[str, str]] | str] = {
    "webhooks": [("get", "webhooks"), ("post", "webhooks")],
    "webhook": [("get", "webhook"), ("patch", "webhook"), ("get", "deliveries")],
    "webhook-secret": [("post", "webhook-secret")],
    "webhook-test": [("post", "webhook-test")],
    "webhook-delete": [("delete", "webhook")],
}
# The operations that need the action `manage`.
MANAGE = [
    ("GET", "studies/{study}/webhooks"),
    ("POST", "studies/{study}/webhooks"),
    ("GET", "studies/{study}/webhooks/deliveries"),
    ("GET", "studies/{study}/webhooks/w"),
    ("PATCH", "studies/{study}/webhooks/w"),
    ("DELETE", "studies/{study}/webhooks/w"),
    ("POST", "studies/{study}/webhooks/w/secret"),
    ("POST", "studies/{study}/webhooks/w/test"),
]
# The parts of these paths that stand for an object.
PLACES = {"webhooks/w": "webhook"}
# The services, each with its action.
SERVICES = [
    (Action.MANAGE, call)
    for call in (
        lambda s, user: webhooks.add_webhook(
            s.study.pk, url="https://example.org/hook", kinds=["study.complete"], user=user
        ),
        lambda s, user: webhooks.change_webhook(s.webhook.pk, active=False, user=user),
        lambda s, user: webhooks.replace_secret(s.webhook.pk, user=user),
        lambda s, user: webhooks.send_test(s.webhook.pk, user=user),
        lambda s, user: webhooks.delete_webhook(s.webhook.pk, user=user),
    )
]
# Columns whose values are encrypted secrets.
ENCRYPTED = ["webhooks.Webhook.secret"]

# The migrations of the release, with their digests.
MIGRATIONS = {
    "annotate/webhooks/migrations/0001_initial.py": "e5a8e240748bfda085f324aca6dead7d079f50e2fffb90164cb72a9e5eca2044",
}


def objects(study: Study, user: User) -> dict[str, Any]:
    """Add a webhook to the study."""
    url = f"https://{study.public_id.lower().strip('-_')}.example.org/"
    return {"webhook": webhooks.add_webhook(study.pk, url=url, kinds=["study.complete"], user=user)[0]}
