"""The Django application for webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "annotate.webhooks"
    verbose_name = "Webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate.webhooks import room  # noqa: F401 - registers the room
