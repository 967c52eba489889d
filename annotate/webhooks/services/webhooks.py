"""Services that add, change, test and delete a study's webhooks."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from annotate.core.permissions import Action, Actor, locked_study, refuse_state, researcher
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Study
from annotate.server import clock, encryption
from annotate.server.public_addresses import is_public
from annotate.server.refusals import Refused, invalid
from annotate.webhooks.models import Delivery, Webhook
from annotate.webhooks.selectors import completion_events

MOST = 10  # webhooks of one study
LONGEST_URL = 500
LOWEST_PORT = 1024  # except 443, because lower ports belong to other protocols


def add_webhook(study_id: int, *, url: str, kinds: Sequence[str], user: Actor) -> tuple[Webhook, str]:
    """Add a webhook, and return it with its secret, which is shown only once.

    Events about completion that have already happened are not sent. Raises `Refused` with the code `invalid` for a URL
    or an event that is not allowed, or `too-many` if the study already has `MOST` webhooks.
    """
    _check(url, kinds)
    with write():
        study = _locked(study_id, user)
        if study.webhooks.count() >= MOST:
            raise Refused(
                "too-many", f"A study can have at most {MOST} webhooks. Delete a webhook that you no longer need."
            )
        secret = _new_secret()
        webhook = Webhook.objects.create(
            study=study,
            url=url,
            kinds=sorted(set(kinds)),
            secret=encryption.encrypt(secret),
            reached=completion_events(study),
            created_by=researcher(user),
        )
        record(study, "added webhook", user=user, host=_host(url), events=webhook.kinds)
        return webhook, secret


def change_webhook(
    webhook_id: int,
    *,
    url: str | None = None,
    kinds: Sequence[str] | None = None,
    active: bool | None = None,
    user: Actor,
) -> Webhook:
    """Change a webhook's URL or events, or turn the webhook on or off. Fields whose value is None do not change.

    Pending deliveries go to the new URL. Raises `Refused` (`invalid`).
    """
    with write():
        study, webhook = _locked_webhook(webhook_id, user)
        webhook.url = webhook.url if url is None else url
        webhook.kinds = webhook.kinds if kinds is None else sorted(set(kinds))
        webhook.active = webhook.active if active is None else active
        _check(webhook.url, webhook.kinds)
        webhook.save(update_fields=["url", "kinds", "active"])
        record(
            study,
            "changed webhook",
            user=user,
            host=_host(webhook.url),
            events=webhook.kinds,
            active=webhook.active,
        )
        return webhook


def replace_secret(webhook_id: int, *, user: Actor) -> str:
    """Replace a webhook's secret, and return the new one. All later deliveries are signed with the new secret."""
    with write():
        study, webhook = _locked_webhook(webhook_id, user)
        secret = _new_secret()
        webhook.secret = encryption.encrypt(secret)
        webhook.save(update_fields=["secret"])
        record(study, "replaced webhook secret", user=user, host=_host(webhook.url))
        return secret


def send_test(webhook_id: int, *, user: Actor) -> Delivery:
    """Create a delivery of kind `test`, which a worker sends within a few seconds.

    Raises `Refused` with the code `inactive` if the webhook is turned off.
    """
    with write():
        _, webhook = _locked_webhook(webhook_id, user)
        if not webhook.active:
            raise Refused("inactive", "This webhook is turned off. Turn the webhook on before you send a test.")
        return Delivery.objects.create(webhook=webhook, kind=Delivery.TEST, next_at=clock.now())


def delete_webhook(webhook_id: int, *, user: Actor) -> None:
    """Delete a webhook and its deliveries. Pending deliveries are no longer sent."""
    with write():
        study, webhook = _locked_webhook(webhook_id, user)
        host = _host(webhook.url)
        webhook.delete()
        record(study, "deleted webhook", user=user, host=host)


def delete_all(study: Study) -> None:
    """Delete the webhooks of a draft that is being deleted."""
    study.webhooks.all().delete()


def _locked(study_id: int, user: Actor) -> Study:
    study = locked_study(study_id, user, Action.MANAGE)
    refuse_state(study, Action.MANAGE)
    return study


def _locked_webhook(webhook_id: int, user: Actor) -> tuple[Study, Webhook]:
    """Lock the study and then the webhook, because other services also lock a study before its webhooks."""
    study = _locked(Webhook.objects.values_list("study", flat=True).get(pk=webhook_id), user)
    return study, Webhook.objects.select_for_update().get(pk=webhook_id)


def _new_secret() -> str:
    return f"whsec_{secrets.token_urlsafe(32)}"


def _host(url: str) -> str:
    """Return the host of a URL, for the log. A webhook's path can contain the receiver's secret."""
    return urlsplit(url).hostname or ""


def _check(url: str, kinds: Sequence[str]) -> None:
    """Raise `Refused` (`invalid`) for a URL or an event that is not allowed. A host name's addresses are checked at
    each delivery, because they can change.
    """
    if problem := _problem(url):
        raise invalid("url", problem)
    unknown = [kind for kind in kinds if kind not in Webhook.Kind.values]
    if unknown or not kinds:
        raise invalid("events", f"Choose at least one of these events: {', '.join(Webhook.Kind.values)}.")


def _problem(url: str) -> str:
    """Return the reason why the URL is not allowed, or an empty string."""
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        return f"The URL must have at most {LONGEST_URL} characters, and no spaces or special characters."
    try:
        parts = urlsplit(url)
        port = parts.port or 443
    except ValueError:
        return "The URL is invalid."
    if parts.scheme != "https" or not parts.hostname:
        return "The URL must start with https:// and contain a host name."
    if parts.username is not None or parts.password is not None:
        return "The URL must not contain a user name or password."
    if port != 443 and port < LOWEST_PORT:
        return f"The port must be 443, or at least {LOWEST_PORT}."
    return _problem_of_address(parts)


def _problem_of_address(parts: SplitResult) -> str:
    host = str(parts.hostname)
    try:
        ip_address(host)
    except ValueError:
        return ""  # a name, which is resolved at each delivery
    return "" if is_public(host) else f"{host} is not a public address."
