"""The Django application for best–worst scaling, which registers its task type."""

from django.apps import AppConfig


class BwsConfig(AppConfig):
    name = "bws"
    verbose_name = "Best–worst scaling"

    def ready(self) -> None:
        from annotate.tasktypes import register
        from bws.tasktype import BestWorstScaling

        register(BestWorstScaling())
