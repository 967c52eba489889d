"""The Django application for preregistrations."""

from django.apps import AppConfig


class PreregistrationConfig(AppConfig):
    name = "reporting.preregistration"
    verbose_name = "Preregistrations"

    def ready(self) -> None:
        from annotate.tasktypes.extensions import Extension, register
        from reporting.preregistration.pages import further, offered

        register(
            "preregistration",
            Extension(
                further=further,
                plan_panel=offered,
                console_urls="reporting.preregistration.urls",
                api_urls="reporting.preregistration.api_urls",
                guides={"preregistration": "planning#preregistration"},
            ),
        )
