"""A researcher's write that is sent twice under the same key is done once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from annotate import clock
from annotate.models import IdempotencyKey, User
from annotate.refusals import Refused

from .writing import write

KEPT = timedelta(hours=24)

Answer = tuple[int, Any]


def once(user: User, key: str, request: Any, deed: Callable[[], Answer]) -> Answer:
    """Do `deed` and remember its status and body under `key`; for the same request again, tell them again.

    The memory and the deed are one transaction: a deed that fails is not remembered, and may be tried again with the
    same key. Raises `Refused` (`key-reused`) when the key came with another request before.
    """
    digest = hashlib.sha256(json.dumps(request, sort_keys=True, default=str).encode()).hexdigest()
    IdempotencyKey.objects.filter(created_at__lt=clock.now() - KEPT).delete()
    with write():
        # Of two at once the second waits here for the first, at the unique index.
        kept, new = IdempotencyKey.objects.get_or_create(user=user, key=key, defaults={"request_hash": digest})
        if kept.request_hash != digest:
            raise Refused(
                "key-reused", "This Idempotency-Key came with another request before; use a new one.", status=422
            )
        if new:
            kept.status, kept.body = deed()
            kept.save(update_fields=["status", "body"])
        return kept.status or 200, kept.body
