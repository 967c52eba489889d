from django.apps import AppConfig


class AcceptabilityConfig(AppConfig):
    name = "acceptability"

    def ready(self) -> None:
        from acceptability.tasktype import Acceptability
        from annotate.tasktypes import register

        register(Acceptability())
