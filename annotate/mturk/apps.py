"""The Django application for Mechanical Turk."""

from django.apps import AppConfig


class MturkConfig(AppConfig):
    name = "annotate.mturk"
    verbose_name = "Mechanical Turk"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.mturk import room  # noqa: F401 - registers the room
