"""Alignment registers its task types with the core."""

from django.apps import AppConfig


class AlignmentConfig(AppConfig):
    name = "alignment_ui"
    verbose_name = "Alignment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from alignment_ui.chunks import Chunks
        from alignment_ui.words import Words
        from annotate.tasktypes import register

        register(Chunks())
        register(Words())
