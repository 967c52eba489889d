"""The Django application for releases."""

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.core.permissions import Action
        from annotate.tasktypes.extensions import ErrorCode, Extension, Start, Work, register
        from releases.console.explanations import EXPLANATIONS
        from releases.console.panels import further, panels, repeated
        from releases.contents.recipe import recipe_schema
        from releases.services.compare import compare_in_job

        register(
            "releases",
            Extension(
                panels=panels,
                schemas={"study": recipe_schema},
                further=further,
                plan_panel=repeated,
                starts=[Start("Repeat a released study", "releases:repeat-study")],
                jobs={
                    "compare": Work(
                        compare_in_job, Action.CALCULATE_REPORTS, title="Comparison with a repeat", page="x/compare/"
                    )
                },
                explanations=EXPLANATIONS,
                console_urls="releases.console.urls",
                api_urls="releases.api.urls",
                site_urls="releases.urls",
                guides={"repeat-study": "repeating", "repeat": "repeating#what-differs"},
                error_codes=[
                    ErrorCode("unreadable-release", (400,), "The file is not a whole release, or the key is wrong."),
                    ErrorCode("cannot-compare", (400,), "The two studies cannot be compared, or a release is damaged."),
                ],
            ),
        )
