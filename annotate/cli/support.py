"""Helpers for commands that use the database. Django is set up only when a command needs the database, so that `accord
--help` is fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.encoding import open_text
from accord_core.exchange.files import read_bytes

if TYPE_CHECKING:
    from annotate.models import Study, User

study_argument = click.argument("study", metavar="STUDY")


def with_django(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command so that it first sets up Django, and reports a rejected action or a fault of the database on
    one line.
    """

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        django.setup()
        from annotate.server.database_faults import reported
        from annotate.server.refusals import Refused

        try:
            with reported():
                _require_tables()
                return command(*args, **kwargs)
        except Refused as refusal:
            raise click.ClickException(refusal.message) from refusal

    return run


def study_with_id(public_id: str) -> Study:
    """Return the study with exactly this ID. Commands that cannot be undone require the complete study ID."""
    from annotate.models import Study

    study = Study.objects.filter(public_id=public_id).first()
    if study is None:
        raise click.ClickException(
            f"no study has the ID {public_id}. This command needs the complete ID. List the IDs with: accord study list"
        )
    return study


def study_named(prefix: str) -> Study:
    """Return the study whose ID starts with `prefix`."""
    from annotate.models import Study

    matches = list(Study.objects.filter(public_id__startswith=prefix)[:2])
    if not matches:
        raise click.ClickException(
            f"no study has an ID that starts with {prefix}. List the IDs with: accord study list"
        )
    if len(matches) > 1:
        raise click.ClickException(
            f"several studies have IDs that start with {prefix}. Enter more characters of the ID."
        )
    return matches[0]


def user_with_address(email: str) -> User:
    """Return the researcher with this e-mail address."""
    from annotate.models import User

    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None:
        raise click.ClickException(
            f"there is no account with the address {email}. To create one, run `accord account invite {email}`."
        )
    return user


def read_text(file: str) -> str:
    """Return the contents of a text file."""
    return decoded(read_bytes(file), file)


def decoded(data: bytes, file: str) -> str:
    """Decode the contents of a text file, which can be empty. Raises `TableError` if it is not a text file."""
    return open_text(data, name=file).read() if data.strip() else ""


@contextmanager
def progress_line() -> Iterator[Callable[[float, str], None]]:
    """Show progress on standard error if it is a terminal."""
    with status_line() as show:
        yield lambda share, message: show(f"{share:4.0%}  {message}")


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Show a line of text on standard error, which the next text replaces, if standard error is a terminal."""
    is_terminal = sys.stderr.isatty()

    def show(text: str) -> None:
        if is_terminal:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)

    try:
        yield show
    finally:
        show("")


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[float], None] | None]:
    """Show a progress bar on standard error if it is a terminal. The progress bar receives the completed share of the
    work.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1000, label=label, file=sys.stderr) as bar:
        yield lambda share: bar.update(round(1000 * share) - bar.pos)


def _require_tables() -> None:
    """Create the tables of a new SQLite database. For all other databases, operators must run the migrations
    themselves.
    """
    from django.core.management import call_command
    from django.db import connection

    from annotate.server.database_faults import migrate_command

    if "annotate_study" in connection.introspection.table_names():
        return
    if connection.vendor != "sqlite":
        raise click.ClickException(f"the database has no tables yet. Create them with: {migrate_command()}")
    click.echo("accord: note: creating the database, which can take half a minute", err=True)
    call_command("migrate", verbosity=0, interactive=False)
