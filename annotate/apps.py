"""The core's Django application, and which static files are collected."""

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Accord"

    def ready(self) -> None:
        from annotate import celery  # noqa: F401 - tasks attach themselves to this application
        from annotate.database_time import watch_connections

        watch_connections()


class CollectedFilesConfig(StaticFilesConfig):
    """Leaves out extensions of htmx that nothing here loads: they import htmx by a bare name, which no file has."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "hx-*.js"]  # noqa: RUF012 - as Django declares it
