"""The Django application for layouts of Mechanical Turk projects, which registers their task type."""

from django.apps import AppConfig


class LayoutsConfig(AppConfig):
    name = "layouts"
    verbose_name = "Mechanical Turk layout"

    def ready(self) -> None:
        from annotate.tasktypes import register
        from layouts.tasktype import MechanicalTurkLayout

        register(MechanicalTurkLayout())
