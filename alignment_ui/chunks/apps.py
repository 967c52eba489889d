"""The Django application that registers the chunk-alignment task type."""

from django.apps import AppConfig


class ChunksConfig(AppConfig):
    name = "alignment_ui.chunks"
    label = "alignment_chunks"
    verbose_name = "Chunk alignment"

    def ready(self) -> None:
        from alignment_ui.chunks.tasktype import Chunks
        from annotate.tasktypes import register

        register(Chunks())
