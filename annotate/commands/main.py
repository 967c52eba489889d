"""The `accord` command loads its command groups from the entry-point group "accord.commands".

A group is imported only when it is used, so commands that work on plain files start without Django and NumPy. Commands
raise `click.ClickException`, `TableError`, `MissingExtraError` or `OSError`, which are printed as one line on standard
error.
"""

import errno
import os
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

import annotate
from accord_core.exchange.encoding import ENCODINGS
from accord_core.exchange.extras import MissingExtraError
from accord_core.exchange.faults import TableError
from accord_core.exchange.files import chosen_encoding
from annotate.cli.options import CommandGroup, first_sentence, note

ENTRY_POINTS = "accord.commands"
BAD_DATA, INTERRUPTED, BROKEN_PIPE = 1, 130, 141
FULL_DISK = (errno.ENOSPC, errno.EDQUOT)


class EntryPointGroup(CommandGroup):
    """A command group that loads its commands from an entry-point group, such as "accord.commands"."""

    def __init__(self, *args: Any, source: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.source = source

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry_point = self._entry_points().get(cmd_name)
        if entry_point is None:
            return super().get_command(ctx, cmd_name)
        try:
            command: click.Command = entry_point.load()
        except ImportError as error:
            raise click.ClickException(f"the command {cmd_name} cannot be loaded: {error}") from error
        return command

    def names(self) -> list[str]:
        return sorted({*super().names(), *self._entry_points()})

    def described(self, name: str) -> str:
        entry_point = self._entry_points().get(name)
        return super().described(name) if entry_point is None else _one_line_help(entry_point)

    def _entry_points(self) -> dict[str, EntryPoint]:
        """Return the entry points of all commands whose package has not been removed."""
        return {each.name: each for each in entry_points(group=self.source) if _is_present(each)}


class MainGroup(EntryPointGroup):
    """The command group `accord` prints every error on one line."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The program that was reading the output of `accord` has closed the pipe. Python flushes standard output
            # again at exit, which must not cause a second error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = "accord",
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except (click.ClickException, click.Abort, TableError, MissingExtraError, OSError) as error:
            sys.exit(print_error(error))
        sys.exit(status if isinstance(status, int) else 0)


@click.group(
    "accord",
    cls=MainGroup,
    source=ENTRY_POINTS,
    sections={
        "Commands for files": ["plan", "sample", "bws", "paraphrase", "align", "ists", "labels", "evaluate"],
        "Commands for studies": [
            "try",
            "serve",
            "demo",
            "new-tasktype",
            "study",
            "annotate",
            "release",
            "compare",
            "account",
            "backup",
            "restore",
            "upgrade",
        ],
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--encoding",
    type=click.Choice(list(ENCODINGS), case_sensitive=False),
    metavar="NAME",
    help="Encoding of all files that the command reads, such as windows-1252. By default, Accord detects it.",
)
@click.version_option(package_name="accord-annotation", message="accord %(version)s")
@click.pass_context
def main(ctx: click.Context, encoding: str | None) -> None:
    """Build semantic datasets with many annotators, and measure their reliability.

    The commands for files need neither a server nor a database. Use - as the name of a file to read standard input. The
    commands for studies use the database of an installation.

    \b
    Examples:
        accord bws tuples items.csv -o tuples.tsv
        accord bws score annotations.csv | head
        accord --encoding windows-1252 bws score annotations.csv
        accord study --help
    """
    ctx.with_resource(chosen_encoding(encoding, note))


def print_error(error: BaseException) -> int:
    """Print the error on one line of standard error, and return the exit status."""
    if isinstance(error, NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return error.exit_code
    if isinstance(error, click.Abort):
        message, status = "interrupted", INTERRUPTED
    elif isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "accord"
        message, status = f"{error.format_message().rstrip('.')} (see {path} --help)", error.exit_code
    elif isinstance(error, click.ClickException):
        message, status = error.format_message(), error.exit_code
    elif isinstance(error, OSError) and error.errno in FULL_DISK:
        file = f"{error.filename}: " if error.filename else ""
        message, status = f"{file}the disk is full. Free some disk space, then try again.", BAD_DATA
    elif isinstance(error, OSError) and error.filename is not None:
        message, status = f"{error.filename}: {(error.strerror or str(error)).lower()}", BAD_DATA
    else:
        message, status = str(error), BAD_DATA
    click.echo(f"accord: {' '.join(message.split())}", err=True)
    return status


def _is_present(entry_point: EntryPoint) -> bool:
    """Return whether the folder of a command in `annotate` exists, because some rooms can be removed."""
    package, *folders = entry_point.module.split(".")
    return package != "annotate" or Path(annotate.__file__).parent.joinpath(*folders[:1]).is_dir()


def _one_line_help(entry_point: EntryPoint) -> str:
    """Return the first sentence of a command's docstring. The docstring is read from the source code, because importing
    the module can be slow.
    """
    import ast
    from importlib.util import find_spec

    try:
        spec = find_spec(entry_point.module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        return "(not installed)"
    with open(spec.origin, encoding="utf-8") as source:
        module = ast.parse(source.read())
    functions = (node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == entry_point.attr)
    documented = next(functions, module)
    return first_sentence(ast.get_docstring(documented) or "")
