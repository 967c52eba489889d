"""The `accord try` command turns a file into a study, serves the study, and writes the results beside the file."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_unchanged
from annotate.cli.types import WholeRange
from annotate.server.private import private_file, private_folder
from annotate.server.site_address import address_of

from .embedded import prepare, refuse_taken_port, run_server
from .study_settings import name_value_pairs

if TYPE_CHECKING:
    from .first_study import Choices

HOST = "127.0.0.1"
SERVERS = ("DATABASE_URL", "REDIS_URL")


@click.command("try")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--task", metavar="TYPE", help="Task type, such as bws. By default, the columns of the file decide.")
@click.option(
    "--annotators",
    metavar="NAMES",
    help="Names of the annotators, separated by commas. By default, a new study has the annotators ann1 and ann2. "
    "With three or more, a new study plans at least three judgements per question.",
)
@click.option("--language", default="en", show_default=True, help="Language of the sentences, such as de.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help='Task type option of a new study, such as most="most positive". Can be repeated.',
)
@click.option(
    "--data",
    envvar="ACCORD_DATA",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".accord"),
    show_default=True,
    help="Folder for the study and all answers.",
)
@click.option("--port", type=WholeRange(1, 65535), default=8000, show_default=True, help="TCP port to listen on.")
def try_study(
    files: tuple[str, ...],
    task: str | None,
    annotators: str | None,
    language: str,
    options: tuple[str, ...],
    data: Path,
    port: int,
) -> None:
    """Turn a file into a study, and print a link for each annotator and one for the console.

    FILE contains the sentences, as CSV, XLSX or JSON Lines. It can also be two text files with one sentence per line,
    or a table and the HTML form of a Mechanical Turk project. The results are written beside the file when all
    annotators have finished, and when you press Ctrl-C. The same command continues the study.

    \b
    Examples:
        accord try pairs.csv
        accord try pairs.csv --task bws --annotators ada,ben,cleo
        accord try english.txt german.txt --task words
    """
    contents = {file: read_unchanged(file) for file in files}
    names = [name for name in (each.strip() for each in annotators.split(",")) if name] if annotators else None
    with only_process_in(data):
        refuse_taken_port(HOST, port)
        # The settings are read from the environment.
        os.environ.update(ACCORD_DATA=str(data.resolve()), ACCORD_SITE_URL=address_of(HOST, port))
        for name in SERVERS:
            os.environ.pop(name, None)
        prepare()
        from .first_study import Choices

        _serve(contents, Choices(task, names, language, name_value_pairs(options)), port)


def _serve(contents: Mapping[str, bytes], choices: Choices, port: int) -> None:
    """Serve the study of these files, which is created or continued, until the command is stopped."""
    from django.conf import settings
    from django.db import connections
    from django.urls import reverse

    from annotate.core.services.credentials import PERSONAL_LINKS, login_path
    from annotate.server.refusals import Refused

    from .first_study import continued_or_created
    from .result_files import ResultFile

    try:
        study = continued_or_created(contents, choices)
    except Refused as refusal:
        raise click.ClickException(refusal.message) from refusal
    results = ResultFile(study.pk, Path(next(iter(contents))).resolve().parent)
    results.register()
    people = study.named_annotators.exclude(name="").order_by("pk")
    links = {person.name: PERSONAL_LINKS.path(person.public_id) for person in people}
    overview = reverse("console:overview", args=[study.public_id])
    links["Console"] = f"{login_path(study.memberships.get().user)}?next={overview}"
    width = max(map(len, links)) + 1
    lines = [f"  {f'{name}:':<{width}}  {settings.SITE_URL}{path}" for name, path in links.items()]
    lines.append("Press Ctrl-C to stop. The same command continues the study.")
    if results.is_finished():
        results.write()
    connections.close_all()  # the web process opens its own connections
    run_server(HOST, port, ready="\n".join(lines), at_end=results.write)


@contextmanager
def only_process_in(folder: Path) -> Iterator[None]:
    """Lock the folder until the block ends. Raises `click.ClickException` if another process has locked it, because
    only one process can use an SQLite database.
    """
    private_folder(folder)
    with private_file(folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"another `accord try` uses the folder {folder}. Stop it, or choose another folder with --data."
            raise click.ClickException(message) from error
        yield
