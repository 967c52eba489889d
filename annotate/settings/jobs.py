"""Settings for Celery: the broker, the workers and beat's schedule."""

from kombu import Queue

from .base import DATA_DIR, EMBEDDED, REDIS_URL

CELERY_BROKER_URL = REDIS_URL or "memory://localhost//"
# Workers and beat detect within about 10 seconds that Redis has stopped responding. `core/services/jobs.py` waits less.
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.05}
    if EMBEDDED
    else {
        "visibility_timeout": 4 * 3600,
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "health_check_interval": 4,
    }
)
# Imports and other long jobs have a queue and a worker of their own, so that reports and periodic tasks never wait for
# them. A worker without the option --queues runs the tasks of both queues.
CELERY_TASK_DEFAULT_QUEUE = "celery"
LONG_QUEUE = "long"
CELERY_TASK_QUEUES = (Queue(CELERY_TASK_DEFAULT_QUEUE), Queue(LONG_QUEUE))
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_PUBLISH_RETRY = False  # the job is in the database, and beat queues it again
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "annotate.celery:PrivateScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    # Tasks expire, because workers would otherwise run 720 outdated tasks after an hour without free workers.
    "notify-waiting-jobs": {"task": "annotate.tasks.notify_waiting_jobs", "schedule": 5.0, "options": {"expires": 30}},
    "remove-expired-personal-data": {"task": "annotate.tasks.remove_expired_personal_data", "schedule": 3600.0},
    "delete-old-sign-ins": {"task": "annotate.tasks.delete_old_sign_ins", "schedule": 3600.0},
    "delete-old-networks": {"task": "annotate.tasks.delete_old_networks", "schedule": 3600.0},
    "offer-waiting-places": {
        "task": "annotate.tasks.offer_waiting_places",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "sum-counts": {"task": "annotate.tasks.sum_counts", "schedule": 60.0},
    "refresh-todo-counts": {"task": "annotate.tasks.refresh_todo_counts", "schedule": 600.0},
    "send-todo-mails": {"task": "annotate.tasks.send_todo_mails", "schedule": 3600.0},
    "refresh-open-studies": {"task": "annotate.tasks.refresh_open_studies", "schedule": 60.0},
}
