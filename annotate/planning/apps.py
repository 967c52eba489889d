"""The Django application for planning."""

from django.apps import AppConfig


class PlanningConfig(AppConfig):
    name = "annotate.planning"
    verbose_name = "Planning"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.planning import room  # noqa: F401 - registers the room
