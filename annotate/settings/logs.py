"""Settings for the log, the metrics, and new studies' default privacy notice and contact."""

from .base import EMBEDDED
from .environment import env

PRIVACY_NOTICE = env.text("ACCORD_PRIVACY_NOTICE")
CONTACT = env.text("ACCORD_CONTACT")

LOG_FORMAT = env.choice("ACCORD_LOG_FORMAT", "line" if EMBEDDED else "json", ["line", "json"])
METRICS_TOKEN = env.secret("ACCORD_METRICS_TOKEN")
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # workers log in the same form as web processes
CELERY_WORKER_REDIRECT_STDOUTS = False  # a traceback would become one line per character
LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "outages": {"()": "annotate.server.logs.Outages"},
        "request": {"()": "annotate.server.logs.RequestContext"},
    },
    "formatters": {
        "line": {
            "()": "annotate.server.logs.LineFormatter",
            "format": "{asctime} {levelname} {name} [{request_id}] {message}",
            "style": "{",
        },
        "json": {
            "()": "annotate.server.logs.JsonLines",
            "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s %(request_id)s",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
        },
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["outages", "request"]}
    },
    "root": {"handlers": ["stderr"], "level": env.choice("ACCORD_LOG_LEVEL", "WARNING", LOG_LEVELS)},
    "loggers": {
        "accord.access": {"level": "INFO" if env.flag("ACCORD_LOG_ACCESS", not EMBEDDED) else "WARNING"},
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"level": "ERROR"},  # refused requests are in the access lines
    },
}
