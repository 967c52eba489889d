"""Functions that carry out a researcher's request only once, even if it is repeated with the same key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from annotate.models import IdempotencyKey, User
from annotate.server import clock
from annotate.server.refusals import Refused

from .writing import write

LIFETIME = timedelta(hours=24)

Answer = tuple[int, Any]


def carry_out_once(user: User, key: str, request: Any, action: Callable[[], Answer]) -> Answer:
    """Run `action` and store its status and body under `key`. For a repeated request, the stored values are returned.

    The action and the stored reply share a transaction: if the action fails, nothing is stored, and the key can be used
    again. Raises `Refused` (`key-reused`) if the key was used for a different request.
    """
    digest = hashlib.sha256(json.dumps(request, sort_keys=True, default=str).encode()).hexdigest()
    delete_old_replies()
    with write():
        # If two requests with the same key arrive at once, the unique index makes the second one wait for the first.
        reply, new = IdempotencyKey.objects.get_or_create(user=user, key=key, defaults={"request_hash": digest})
        if reply.request_hash != digest:
            raise Refused(
                "key-reused",
                "This Idempotency-Key has already been used for a different request. Use a new key.",
                status=422,
            )
        if new:
            reply.status, reply.body = action()
            reply.save(update_fields=["status", "body"])
        return reply.status or 200, reply.body


def delete_old_replies() -> int:
    """Delete stored replies whose keys have expired, because replies can contain names and addresses. Return their
    number.
    """
    return IdempotencyKey.objects.filter(created_at__lt=clock.now() - LIFETIME).delete()[0]
