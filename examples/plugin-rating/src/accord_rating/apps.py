"""The Django application, which registers the task type."""

from django.apps import AppConfig


class RatingConfig(AppConfig):
    name = "accord_rating"

    def ready(self) -> None:
        from accord_rating.tasktype import Rating
        from annotate.tasktypes import register

        register(Rating())
