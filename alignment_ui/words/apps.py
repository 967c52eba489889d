"""The Django application that registers the word-alignment task type."""

from django.apps import AppConfig


class WordsConfig(AppConfig):
    name = "alignment_ui.words"
    label = "alignment_ui"  # existing databases name their tables and migrations with this label
    verbose_name = "Word alignment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from alignment_ui.words.models import PhraseVerdict, SampledPhrase
        from alignment_ui.words.tasktype import Words
        from annotate.tasktypes import register
        from annotate.tasktypes.personal import Table, declare, impersonal

        register(Words())
        phrase = impersonal("about a phrase pair")
        declare(Table(SampledPhrase, {"links subcorpus": phrase}), Table(PhraseVerdict, {"verdict": phrase}))
