"""The Celery application. `annotate.tasks` contains the tasks, and each job stores its state in its database row."""

import os
from pathlib import Path
from typing import Any

import kombu
from celery import Celery, signals
from celery.app.amqp import AMQP
from celery.beat import PersistentScheduler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")


class Connection(kombu.Connection):
    """A broker connection that retries every few seconds while the broker is unavailable.

    Celery's worker and beat increase the delay after each attempt up to 30 s, without a setting for it.
    """

    def ensure_connection(self, errback: Any = None, max_retries: int | None = None, **options: Any) -> Any:
        delays = {"interval_start": 1, "interval_step": 1, "interval_max": 4}
        return super().ensure_connection(errback, max_retries, **{**delays, **options})

    def get_transport_cls(self) -> Any:
        transport = super().get_transport_cls()
        if transport.driver_type != "redis":
            return transport
        from annotate.server.redis_transport import (
            RedisTransport,  # the embedded server does not use the client of Redis
        )

        return RedisTransport


class Broker(AMQP):
    Connection = Connection


class PrivateScheduler(PersistentScheduler):  # type: ignore[misc, unused-ignore]
    """A beat scheduler whose schedule file only its owner can read."""

    def setup_schedule(self) -> None:
        """Create or open the schedule file.

        The umask stays restricted, because beat rewrites this file later and writes no other files.
        """
        Path(self.schedule_filename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.umask(0o077)
        super().setup_schedule()


def application() -> Celery:
    """Return a Celery application. Each worker in a process needs its own application, because an application stores
    the queues that its worker reads.
    """
    application = Celery("annotate", amqp=Broker)
    application.config_from_object("django.conf:settings", namespace="CELERY")
    application.autodiscover_tasks()
    return application


@signals.task_success.connect
def _report_return_of_database(**_: object) -> None:
    from annotate.server import outages

    outages.database.succeeded(wrote=True)


app = application()
