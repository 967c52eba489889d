"""The core's Django application."""

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Accord"

    def ready(self) -> None:
        from annotate import celery  # noqa: F401 - tasks attach themselves to this application
