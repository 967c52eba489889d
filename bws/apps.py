"""Best–worst scaling registers itself with the core."""

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
