"""The Django application of best–worst scaling, which registers its task type."""

from django.apps import AppConfig


class BwsConfig(AppConfig):
    name = "bws"
    verbose_name = "Best–worst scaling"

    def ready(self) -> None:
        from annotate import extensions, tasktypes
        from bws.sampling.console import panels
        from bws.tasktype import BestWorstScaling

        tasktypes.register(BestWorstScaling())
        extensions.register("bws", extensions.Extension(panels=panels))
