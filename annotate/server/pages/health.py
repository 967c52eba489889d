"""Health checks for load balancers and monitoring."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.core.checks import Tags, run_checks
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.server import heartbeat, outages
from annotate.server.database_errors import state_of, state_of_folder

REDIS_SECONDS = 0.5


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Report that this process is alive.

    Other services are not checked, because a failure of these services must not restart web processes.
    """
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Return status 200 if the database is available and has all migrations and triggers. Otherwise, return status 503.

    The reply also shows the state of Redis and the worker. Annotators need neither Redis nor the worker, so only `?all`
    returns 503 if one of the two is unavailable. Use `?all` for monitoring, not for load balancers.
    """
    needed = {"database": _database()}
    needed["migrations"] = _migrations() if needed["database"] == "ok" else "unknown"
    others = {"redis": _redis(), "worker": _worker()}
    required = {**needed, **others} if "all" in request.GET else needed
    ready = all(state == "ok" for state in required.values())
    complete = all(state == "ok" for state in {**needed, **others}.values())
    status = "ok" if complete else "degraded" if ready else "unavailable"
    return JsonResponse({"status": status, **needed, **others}, status=200 if ready else 503)


def _database() -> str:
    """Return `ok`, or the state of the database as described in `annotate.server.database_errors`."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as error:
        outages.database.failed(error)
        return state_of(error)
    if connection.vendor == "sqlite":
        return state_of_folder() or "ok"
    return outages.refused_write() or "ok"


def _migrations() -> str:
    try:
        return "ok" if _all_applied() else "missing"
    except _Missing:
        return "missing"
    except (DatabaseError, InterfaceError):
        return "unknown"


class _Missing(Exception):
    """Error raised if migrations or triggers are missing. `cache` does not store exceptions, so the next request
    repeats the check.
    """


@cache
def _all_applied() -> bool:
    """Return True if all migrations have been applied to the database and its checks find no error, such as a missing
    trigger. The result is cached, because the migrations of a running process do not change.
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _Missing
    if any(found.is_serious() for found in run_checks(tags=[Tags.database], databases=[connection.alias])):
        raise _Missing
    return True


def _redis() -> str:
    if not settings.REDIS_URL:
        return "ok"  # the embedded server uses a queue in memory
    import redis

    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as client:
            client.ping()
    except redis.RedisError:
        return "unreachable"
    return "ok"


def _worker() -> str:
    return "ok" if heartbeat.heard_from() else "not heard from"
