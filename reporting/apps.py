"""The Django application for reporting a study in papers and with its data."""

from django.apps import AppConfig


class ReportingConfig(AppConfig):
    name = "reporting"
    verbose_name = "Reporting"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.tasktypes.extensions import Extension, register
        from annotate.tasktypes.personal import Table, declare, impersonal
        from reporting.console.panels import panels
        from reporting.models import AuthorAnswers
        from reporting.services.answers import copy_answers, delete_answers

        register(
            "reporting",
            Extension(
                panels=panels,
                console_urls="reporting.console.urls",
                api_urls="reporting.api.urls",
                copy_settings=copy_answers,
                delete_draft=delete_answers,
            ),
        )
        declare(Table(AuthorAnswers, {"answers": impersonal("written by the authors of a study for publication")}))
