"""The Django application for scoring systems after annotation."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.core.permissions import Action
        from annotate.tasktypes.extensions import ErrorCode, Extension, Work, register
        from annotate.tasktypes.personal import Table, declare, impersonal
        from evaluation.console.panels import panels
        from evaluation.demonstration import score_systems
        from evaluation.explanations import EXPLANATIONS
        from evaluation.jobs import assisted
        from evaluation.models import SCORING, PublicTable, SplitSettings, Submission
        from evaluation.selectors.assisted import KIND
        from evaluation.services.systems import score

        register(
            "evaluation",
            Extension(
                panels=panels,
                console_urls="evaluation.console.urls",
                api_urls="evaluation.api.urls",
                site_urls="evaluation.urls",
                jobs={
                    SCORING: Work(score, Action.REVIEW),
                    KIND: Work(
                        assisted,
                        Action.CALCULATE_REPORTS,
                        title="Program-assisted figures",
                        page="x/assisted/",
                    ),
                },
                explanations=EXPLANATIONS,
                error_codes=[ErrorCode("incomplete", (409,), "People or the program have not answered all questions.")],
                demonstrate=score_systems,
            ),
        )

        system = impersonal("about systems and their scores")
        declare(
            Table(
                Submission,
                {"system description filename content sha256 parameters result annotations": system},
            ),
            Table(SplitSettings, {"stratify earlier": system}),
            Table(PublicTable, {"heading": system}),
        )
