"""The Celery application. `annotate.tasks` holds the tasks; the truth about work is the `Job` row, not the queue."""

import os

from celery import Celery
from celery.beat import PersistentScheduler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")


class PrivateScheduler(PersistentScheduler):  # type: ignore[misc, unused-ignore]
    """Beat's schedule in a file that only its owner can read."""

    def setup_schedule(self) -> None:
        """Create or open the file. The mask stays: it is written again later, and beat writes nothing else."""
        os.umask(0o077)
        super().setup_schedule()


app = Celery("annotate")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
