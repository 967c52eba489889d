"""The Django application for releases."""

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.tasktypes.extensions import ErrorCode, Extension, Start, register
        from releases.console.panels import further, panels, repeated

        register(
            "releases",
            Extension(
                panels=panels,
                further=further,
                plan_panel=repeated,
                starts=[Start("Repeat a released study", "releases:repeat-study")],
                console_urls="releases.console.urls",
                api_urls="releases.api.urls",
                site_urls="releases.urls",
                guides={"repeat-study": "repeating", "repeat": "repeating#what-differs"},
                error_codes=[
                    ErrorCode("unreadable-release", (400,), "The file is not a whole release, or the key is wrong.")
                ],
            ),
        )
