"""The Django application for releases."""

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.tasktypes.extensions import Extension, register
        from releases.console.panels import panels

        register(
            "releases",
            Extension(panels=panels, console_urls="releases.console.urls", api_urls="releases.api.urls"),
        )
