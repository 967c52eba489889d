"""The Celery application. `annotate.tasks` holds the tasks; the truth about work is the `Job` row, not the queue."""

import os
from typing import Any

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from celery.beat import PersistentScheduler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")


class Connection(kombu.Connection):
    """A connection to the broker that is tried every few seconds, however long the broker was away.

    Celery's worker and beat wait longer after each attempt, up to 30 s, and have no setting for it.
    """

    def ensure_connection(self, errback: Any = None, max_retries: int | None = None, **options: Any) -> Any:
        delays = {"interval_start": 1, "interval_step": 1, "interval_max": 4}
        return super().ensure_connection(errback, max_retries, **{**delays, **options})


class Broker(AMQP):
    Connection = Connection


class PrivateScheduler(PersistentScheduler):  # type: ignore[misc, unused-ignore]
    """Beat's schedule in a file that only its owner can read."""

    def setup_schedule(self) -> None:
        """Create or open the file. The mask stays: it is written again later, and beat writes nothing else."""
        os.umask(0o077)
        super().setup_schedule()


app = Celery("annotate", amqp=Broker)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
