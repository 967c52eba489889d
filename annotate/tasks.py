"""Celery tasks. Each task receives IDs as arguments and calls a service."""

from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore

from annotate.accounts import services as accounts_services
from annotate.console import services as console_services
from annotate.core.services import counts, idempotency, jobs, networks
from annotate.people import services as people_services
from annotate.prolific.services import submissions as prolific_submissions
from annotate.questions.services import refresh
from annotate.recruiting.services import waiting
from annotate.server import heartbeat


@shared_task
def run_job(job_id: int) -> None:
    jobs.run(job_id)


@shared_task
def notify_waiting_jobs() -> int:
    heartbeat.beat()
    return jobs.notify_waiting()


@shared_task
def refresh_open_studies() -> int:
    return refresh.refresh_open_studies()


@shared_task
def start_again_after_restart() -> int:
    heartbeat.beat()
    return jobs.start_again_after_restart()


@shared_task
def remove_expired_personal_data() -> int:
    idempotency.delete_old_replies()
    prolific_submissions.delete_old_previews()
    return people_services.remove_expired_personal_data()


@shared_task
def delete_old_networks() -> int:
    return networks.delete_old_networks()


@shared_task
def sum_counts() -> int:
    return counts.sum_counts()


@shared_task
def refresh_todo_counts() -> int:
    return console_services.refresh_todo_counts()


@shared_task
def send_todo_mails() -> int:
    return console_services.send_todo_mails()


@shared_task
def delete_old_sign_ins() -> int:
    """Delete expired sessions and old entries in the sign-in log."""
    SessionStore.clear_expired()
    return accounts_services.delete_old_entries()


@shared_task
def offer_waiting_places() -> int:
    return waiting.offer_waiting_places()
