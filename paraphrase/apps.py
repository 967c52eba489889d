"""The Django application of paraphrase in context, which registers its task type."""

from django.apps import AppConfig


class ParaphraseConfig(AppConfig):
    name = "paraphrase"
    verbose_name = "Paraphrase in context"

    def ready(self) -> None:
        from annotate.tasktypes import register
        from paraphrase.tasktype import ParaphraseInContext

        register(ParaphraseInContext())
