"""The periodic tasks that send deliveries and delete old ones."""

from celery import shared_task

from annotate.celery import app

from .services import deliveries


@shared_task
def announce_and_deliver() -> None:
    """Announce completed pilots and studies, and send the due deliveries of webhooks."""
    deliveries.announce_completion()
    deliveries.send_due_deliveries()


@shared_task
def delete_old_deliveries() -> int:
    return deliveries.delete_old_deliveries()


def schedule(name: str, seconds: float, **options: float) -> None:
    """Let beat send a task of this module."""
    task = app.signature(f"{__name__}.{name}")
    app.add_periodic_task(seconds, task, name=name.replace("_", "-"), **options)


# The first task expires, because workers would otherwise run outdated tasks after an hour without free workers.
schedule("announce_and_deliver", 5.0, expires=30)
schedule("delete_old_deliveries", 3600.0)
