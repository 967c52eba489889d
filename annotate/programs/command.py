"""The `accord annotate` command lets a program answer the questions of a study."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from accord_core.numerics.printed import with_noun
from annotate.cli.options import output_option
from annotate.cli.support import status_line, study_named, with_django
from annotate.cli.types import NumberRange, WholeRange
from annotate.programs.baselines import GROUPS, baseline_answer
from annotate.programs.hits import HitError, Hits
from annotate.programs.lines import ProgramAnswer, Question, read_answer, read_questions
from annotate.programs.process import Program, ProgramError
from annotate.programs.remote import RemoteHits
from annotate.programs.run import Answerer, QuestionError, Run, answer_hits, answer_lines
from annotate.programs.server import Server, ServerError

TOKEN = "ACCORD_TOKEN"  # noqa: S105 - the name of an environment variable
LONGEST_NAME = 200
LONGEST_SECONDS = 86_400  # the system's calls that wait for a program have a limit of 24 days
NAMES = {"overlap": "word overlap"}


@click.command()
@click.argument("study", metavar="[STUDY]", required=False)
@click.option("--command", metavar="COMMAND", help="Program that reads questions and writes answers as JSON lines.")
@click.option(
    "--baseline",
    type=click.Choice(list(GROUPS)),
    help="Use a built-in baseline instead of a program: overlap compares the words of the texts.",
)
@click.option(
    "--name",
    help="Name of the program in the study, such as a model name with its version. A program continues earlier work "
    "under the same name.",
)
@click.option(
    "--server",
    metavar="URL",
    help=f"Address of the Accord server with the study. The environment variable {TOKEN} must contain an API token. By "
    "default, the study is in the database of this installation.",
)
@click.option("--limit", type=WholeRange(1), help="Stop after this number of questions.")
@click.option(
    "--seconds",
    type=NumberRange(0, LONGEST_SECONDS, min_open=True),
    default=120,
    show_default=True,
    help="Time limit for each answer of the program, in seconds.",
)
@click.option(
    "--retry-seconds",
    type=NumberRange(0),
    default=300,
    show_default=True,
    help="Number of seconds for which requests are repeated if the server stops responding.",
)
@click.option("--dry-run", is_flag=True, help="Print the questions of the next HIT without answering them.")
@click.option(
    "--questions", metavar="FILE", help="Answer the question lines in FILE and print the answers, without a study."
)
@output_option
def annotate(
    study: str | None,
    command: str | None,
    baseline: str | None,
    name: str | None,
    server: str | None,
    limit: int | None,
    seconds: float,
    retry_seconds: float,
    dry_run: bool,
    questions: str | None,
    output: str,
) -> None:
    """Let a program answer the questions of a study, for example to compare a language model with people.

    The program starts once. For each question, it reads one line of JSON from standard input and writes one to standard
    output. Each answer is stored at once, so you can run the same command again to continue. STUDY is the ID of an open
    study.

    \b
    Examples:
        accord annotate 8hG2 --baseline overlap
        accord annotate 8hG2 --command "python answer.py" --name "my model 1.0"
        accord annotate 8hG2 --name test --dry-run -o questions.jsonl
        accord annotate --questions questions.jsonl --command "python answer.py"
    """
    if not dry_run and bool(command) == bool(baseline):
        raise click.UsageError("Specify either --command or --baseline.")
    if bool(study) == bool(questions):
        raise click.UsageError("Specify either a study or --questions.")
    if questions is not None and (server or name or dry_run):
        raise click.UsageError("--server, --name and --dry-run need a study, and cannot be used with --questions.")
    if output != STANDARD and not (questions or dry_run):
        raise click.UsageError("--output needs --questions or --dry-run, because a study stores the answers.")
    if questions is not None:
        lines = read_questions(read_bytes(questions), name=source_name(questions))
        with _reported_errors(), _answerer(command, baseline, seconds) as answer:
            write_whole(output, answer_lines(lines, answer, limit=limit))
        return
    name = name or NAMES.get(baseline or "")
    if not name or len(name) > LONGEST_NAME:
        raise click.UsageError(f"Give the program a name of at most {LONGEST_NAME} characters with --name.")
    with _reported_errors():
        hits = _hits(study or "", name=name, server=server, retry_seconds=retry_seconds)
        if dry_run:
            write_whole(output, (f"{question.line()}\n" for _, question in hits.claim().unanswered()))
            return
        with _answerer(command, baseline, seconds) as answer:
            _answer_study(hits, answer, name=name, limit=limit)


def _answer_study(hits: Hits, answer: Answerer, *, name: str, limit: int | None) -> None:
    """Answer the HITs, and state the number of stored answers at the end or after an error."""
    run = Run()
    try:
        with status_line() as show:
            answer_hits(hits, answer, run, limit=limit, progress=lambda run: show(_summary(name, run)))
    except BaseException:
        click.echo(f"accord: {_summary(name, run)} Run the same command again to continue.", err=True)
        raise
    click.echo(_summary(name, run))


def _summary(name: str, run: Run) -> str:
    answered, submitted = with_noun(run.answered, "question"), with_noun(run.hits, "HIT")
    skipped = f", skipped {run.skipped:,}," if run.skipped else ""
    return f"The program “{name}” answered {answered}{skipped} and submitted {submitted}."


def _hits(study: str, *, name: str, server: str | None, retry_seconds: float) -> Hits:
    """Return the HITs of the program on the server, or in the database of this installation."""
    if server is None:
        return _local_hits(study, name)
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise click.UsageError(f"Set the environment variable {TOKEN} to the key of an API token.")
    if not (token.isascii() and token.isprintable()):
        raise click.UsageError(
            f"The environment variable {TOKEN} contains characters that are not allowed in API tokens."
        )
    address = Server(server, patience=retry_seconds, report=lambda text: click.echo(f"accord: {text}", err=True))
    return RemoteHits(address, study, name=name, token=token)


@with_django
def _local_hits(study: str, name: str) -> Hits:
    from annotate.programs.local import LocalHits

    return LocalHits(study_named(study), name=name)


@contextmanager
def _answerer(command: str | None, baseline: str | None, seconds: float) -> Iterator[Answerer]:
    """Start the program, and yield the function that answers a question."""
    if baseline:
        yield lambda question: baseline_answer(baseline, question)
        return
    with Program(_words(command or ""), seconds, secrets=[TOKEN]) as program:
        yield _asking(program)
        status = program.close()
    if status is None:
        click.echo("accord: The program was still running after the last answer, and was stopped.", err=True)
    elif status:
        click.echo(f"accord: The program ended with exit status {status} after the last answer.", err=True)


def _asking(program: Program) -> Callable[[Question], ProgramAnswer]:
    return lambda question: read_answer(program.ask(question.line()))


def _words(command: str) -> list[str]:
    """Split a command into words, without a shell."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise click.BadParameter(f"{command}: {error}", param_hint="--command") from error
    if not words:
        raise click.BadParameter("The command is empty.", param_hint="--command")
    return words


@contextmanager
def _reported_errors() -> Iterator[None]:
    """Print the program's last lines of standard error, and report the error on one line."""
    try:
        yield
    except QuestionError as error:
        for line in error.stderr:
            click.echo(line, err=True)
        raise click.ClickException(str(error)) from error
    except (HitError, ServerError, ProgramError) as error:
        raise click.ClickException(str(error)) from error
