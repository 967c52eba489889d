"""The Django application for paraphrase in context. The application registers the task type."""

from django.apps import AppConfig


class ParaphraseConfig(AppConfig):
    name = "paraphrase"
    verbose_name = "Paraphrase in context"

    def ready(self) -> None:
        from annotate.tasktypes import register
        from paraphrase.tasktype import ParaphraseInContext

        register(ParaphraseInContext())
