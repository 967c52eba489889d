"""The Django application for programs."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    name = "annotate.programs"
    verbose_name = "Programs"

    def ready(self) -> None:
        from annotate.programs import room  # noqa: F401 - registers the room
