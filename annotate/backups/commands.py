"""The `accord backup` and `accord restore` commands, which back up and restore an installation or a single study on
SQLite or PostgreSQL.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import click

from accord_core.exchange.files import STANDARD
from annotate.cli.options import place_for_file
from annotate.cli.support import study_named, with_django
from annotate.cli.types import WholeRange

from .archive import BackupError, Manifest, Reader, check

NAME = "accord-{time}.backup"
NAMES = "accord-*.backup"


@click.command()
@click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE, or to a dated file in FOLDER. Use “-” for standard output."
)
@click.option(
    "--study",
    metavar="STUDY",
    help="Back up only the study with this ID. You can shorten the ID to its first characters.",
)
@click.option("--keep", type=WholeRange(1), metavar="N", help="Delete all dated files in FOLDER except the newest N.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the manifest, which contains each table's number of rows and SHA-256 hash.",
)
@with_django
def backup(output: str | None, study: str | None, keep: int | None, as_json: bool) -> None:
    """Back up all studies and accounts, or one study, to a file. Accord can continue to run. The file is a consistent
    snapshot that only you can read, with checksums. It contains personal data and password hashes, but not SECRET_KEY,
    so keep a copy of your settings as well.

    \b
    Examples:
        accord backup
        accord backup -o /var/backups/accord --keep 14
        accord backup --study 8hG2 -o relatedness.backup
        accord backup -o - | age -r KEY > accord.backup.age
    """
    from .snapshot import write_backup

    if output == STANDARD and (as_json or keep):
        raise click.UsageError("--json and --keep need a file, not standard output")
    folder = Path(output or ".") if output is None or Path(output).is_dir() else None
    if keep and output is None:
        raise click.UsageError("--keep needs --output FOLDER")
    if keep and folder is None and output is not None:
        if Path(output).exists():
            raise click.ClickException(f"{output} is a file. With --keep, --output must be a folder.")
        raise click.ClickException(f"{output}: the folder does not exist. Create the folder first.")
    if folder is not None:
        path = str(folder / NAME.format(time=datetime.now(UTC).strftime("%Y%m%d-%H%M%SZ")))
    else:
        path = str(place_for_file(click.get_current_context(), click.Option(["--output"]), output))
    with one_line_errors(), progress() as report, new_file(path) as stream:
        manifest = write_backup(stream, study_named(study) if study else None, report)
    if as_json:
        _print_json(manifest, file=path, bytes=Path(path).stat().st_size)
    elif path != STANDARD:
        click.echo(path)
    if keep and folder is not None:
        for old in sorted(folder.glob(NAMES))[:-keep]:
            old.unlink()


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--check", "check_only", is_flag=True, help="Check the file without restoring it.")
@click.option(
    "--replace",
    is_flag=True,
    help="Before restoring the backup, delete the contents of the database, or the study with the same ID.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation before --replace deletes data.")
@click.option("--owner", metavar="EMAIL", help="Make this researcher an owner of the restored study.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the manifest, which contains each table's number of rows and SHA-256 hash.",
)
def restore(file: str, check_only: bool, replace: bool, yes: bool, owner: str | None, as_json: bool) -> None:
    """Restore a backup FILE completely, or change nothing. Use `-` to read the backup from standard input.

    A whole installation needs an empty database. A single study is added to the existing ones. Its researchers are
    matched by e-mail address, and missing accounts are created inactive and without passwords. Backups from older
    versions are upgraded.

    \b
    Examples:
        accord restore accord-20261122-031500Z.backup
        DATABASE_URL=postgresql://… accord restore accord.backup
        accord restore relatedness.backup --owner me@example.org
    """
    with one_line_errors(), _source(file) as stream:
        if check_only:
            header, manifest = check(stream)
            _report(header, manifest, as_json, [], "is intact")
            return
        if stream.seekable():  # reject a damaged file before locking or creating anything
            check(stream)
            stream.seek(0)
        reader = Reader(stream)
        created: list[str] = []
        with progress() as report:
            manifest = _restore(reader, file, replace, yes, owner, created, report)
        _report(reader.header, manifest, as_json, created, "was restored")


def _restore(
    reader: Reader,
    file: str,
    replace: bool,
    yes: bool,
    owner: str | None,
    created: list[str],
    progress: Callable[[str, int], None],
) -> Manifest:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    from .installation import content, restore_installation
    from .one_study import restore_study

    whole, (studies, accounts) = reader.header["scope"] == "installation", content()
    if owner and (whole or not (studies or accounts)):
        raise click.UsageError("--owner is for one study in an installation that has accounts")
    if replace and not yes and (studies or accounts):
        lost = f"{studies:,} studies and {accounts:,} accounts" if whole else "the study with the same ID"
        if file == STANDARD:
            raise click.UsageError("--replace needs --yes when the backup comes from standard input")
        click.confirm(f"Delete {lost} from this database?", abort=True, err=True)
    if whole or not (studies or accounts):
        return restore_installation(reader, replace=replace, progress=progress)
    restored = restore_study(reader, owner=owner, replace=replace, progress=progress)
    created += restored.created
    return restored.manifest


def _report(header: dict[str, Any], manifest: Manifest, as_json: bool, created: list[str], done: str) -> None:
    if as_json:
        _print_json(manifest, scope=header["scope"], created_at=header["created_at"], accounts_created=created)
        return
    scope = header["scope"]
    what = "The installation" if scope == "installation" else f"The study “{scope['title']}” ({scope['study']})"
    created_at = header["created_at"]
    click.echo(f"{what}, backed up at {created_at}, {done}: {manifest.rows:,} rows in {len(manifest.tables)} tables")
    for email in created:
        click.echo(f"An inactive account was created for {email}.")


def _print_json(manifest: Manifest, **about: Any) -> None:
    click.echo(json.dumps({**about, **manifest.as_json()}, indent=2))


@contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Open a new file that only its owner can read. The file gets its final name only after the backup is complete."""
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():  # a pipe or a device
        with target.open("wb") as stream:
            yield stream
        return
    draft = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}")
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _source(path: str) -> Iterator[BinaryIO]:
    if path == STANDARD:
        yield sys.stdin.buffer
        return
    with open(path, "rb") as stream:
        yield stream


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Report a backup or database error on one line."""
    from django.db import Error

    from annotate.server.database_faults import fault_line

    try:
        yield
    except BackupError as error:
        raise click.ClickException(str(error)) from error
    except Error as error:
        if line := fault_line(error):
            raise click.ClickException(line) from error
        first, _, _ = str(error).partition("\n")
        raise click.ClickException(f"the database rejected the backup, and nothing was changed: {first}") from error


@contextmanager
def progress() -> Iterator[Callable[[str, int], None]]:
    """Show the current table on standard error if it is a terminal."""
    shown = sys.stderr.isatty()

    def say(table: str, rows: int) -> None:
        if shown:
            click.echo(f"\r\x1b[K{table}{f': {rows:,} rows' if rows else ''}", err=True, nl=False)

    yield say
    if shown:
        click.echo("\r\x1b[K", err=True, nl=False)
