"""Django app configurations for `annotate`, the admin site and static files."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Accord"

    def ready(self) -> None:
        from django.core import checks
        from django.db.models.signals import post_migrate, pre_migrate

        from annotate import celery  # noqa: F401 - registers tasks
        from annotate.accounts import allauth, sessions, sign_in_events  # noqa: F401 - registers receivers
        from annotate.models import installed_triggers
        from annotate.server.database_time import watch_connections

        for name in settings.ROOMS:
            import_module(f"annotate.{name}.room")  # registers the jobs of the room
        watch_connections()
        pre_migrate.connect(installed_triggers.before_migrations, sender=self)
        post_migrate.connect(installed_triggers.after_migrations, sender=self)
        checks.register(installed_triggers.check, checks.Tags.database)


class RecordsConfig(AdminConfig):
    """Configuration for the admin site with Accord's sign-in pages."""

    default_site = "annotate.accounts.records.RecordsSite"

    def ready(self) -> None:
        super().ready()
        from allauth.socialaccount.models import SocialApp, SocialToken
        from django.contrib import admin

        for table in (SocialApp, SocialToken):  # the settings name the issuer, and no tokens are stored
            if admin.site.is_registered(table):
                admin.site.unregister(table)


class CollectedFilesConfig(StaticFilesConfig):
    """Configuration of static files. The collected static files exclude htmx extensions, because no page uses any."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "hx-*.js"]  # noqa: RUF012 - as Django declares it
