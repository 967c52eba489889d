"""The Django application, which registers the task type."""

from django.apps import AppConfig


class YourTypeConfig(AppConfig):
    name = "accord_yourtype"

    def ready(self) -> None:
        from accord_yourtype.tasktype import YourType
        from annotate.tasktypes import register

        register(YourType())
