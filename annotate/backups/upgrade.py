"""The `accord upgrade` command, which backs up the installation, migrates the database and checks the result.

The migrations and the checks run in one transaction. If one of them fails or the process is killed, the database
remains as it was, so the previous version of Accord can start again. The backup is for faults that show later.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import click

from .archive import BackupError, check
from .commands import NAME, new_file, one_line_errors, progress

FOLDER = "backups"  # in ACCORD_DATA
# Rows that no migration may delete.
KEPT = {"annotate_study": "studies", "annotate_user": "accounts", "annotate_answer": "answers"}


@click.command()
@click.option(
    "--backups", metavar="FOLDER", help=f"Write the backup to this folder. The default is {FOLDER} in ACCORD_DATA."
)
def upgrade(backups: str | None) -> None:
    """Upgrade the database to this version of Accord. Stop Accord first. The command backs up the database, migrates
    it and checks the result. If a migration or the check fails, the database remains as it was.

    \b
    Examples:
        accord upgrade
        accord upgrade --backups /var/backups/accord
    """
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    from django.conf import settings
    from django.db import connection

    from .installation import refuse_in_use
    from .schema import is_current

    with one_line_errors():
        if connection.vendor == "sqlite":
            refuse_in_use(Path(str(connection.settings_dict["NAME"])), "the upgrade")
        before = _counts()
        backup = None
        if before and not is_current():
            backup = _backup(Path(backups) if backups else settings.DATA_DIR / FOLDER)
            click.echo(f"Backup: {backup}")
    _migrate(before, backup)
    click.echo(f"The database belongs to Accord {version('accord-annotation')}. You can start Accord.")


def _backup(folder: Path) -> Path:
    """Write a backup of the installation to the folder, read it again to check it, and return its path."""
    from annotate.server.private import private_folder

    from .snapshot import write_backup

    if not folder.exists():
        private_folder(folder)
    path = folder / NAME.format(time=datetime.now(UTC).strftime("%Y%m%d-%H%M%SZ"))
    with progress() as report, new_file(str(path)) as stream:
        write_backup(stream, None, report)
    with path.open("rb") as stream:
        check(stream)
    return path


def _migrate(before: dict[str, int], backup: Path | None) -> None:
    """Migrate the database and check it, or change nothing and raise a `ClickException`."""
    from django.core.management import call_command

    from annotate.management.commands.migrate import Command

    class CheckedMigration(Command):
        def check_result(self) -> None:
            if problem := _problem(before):
                raise BackupError(problem)

    try:
        call_command(CheckedMigration(), verbosity=0, interactive=False)
    except Exception as error:  # a migration can raise any exception
        reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        saved = f" (backup: {backup})" if backup else ""
        raise click.ClickException(
            f"the upgrade failed, and the database is as it was: {reason}. Install the previous version of Accord "
            f"again and start it{saved}."
        ) from error


def _problem(before: dict[str, int]) -> str:
    """Return a message about a fault in the migrated database, or an empty string."""
    from django.apps import apps
    from django.core.checks import Tags, run_checks
    from django.db import connection

    from .schema import is_current
    from .scope import stored_models

    if not is_current():
        return "migrations are missing"
    if errors := [
        found for found in run_checks(tags=[Tags.database], databases=[connection.alias]) if found.is_serious()
    ]:
        return errors[0].msg
    for model in stored_models(apps):
        model._base_manager.order_by("pk").first()  # fails if the table does not have the columns of the model
    after = _counts()
    for table, rows in before.items():
        if after.get(table, 0) < rows:
            return f"the migrations deleted {rows - after.get(table, 0):,} {KEPT[table]}"
    return ""


def _counts() -> dict[str, int]:
    """Return the number of rows in each table that must keep them. A database without tables has no entries."""
    from django.db import connection

    counts = {}
    with connection.cursor() as cursor:
        for table in KEPT.keys() & set(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 (a name from `KEPT`)
            counts[table] = int(cursor.fetchone()[0])
    return counts
