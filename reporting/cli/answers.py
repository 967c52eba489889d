"""The commands that print and change the authors' answers about a study, and write its checklists and datasheets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from accord_core.exchange.files import read_bytes
from annotate.cli.support import study_argument, study_named, with_django


def read_answers(file: str) -> Mapping[str, Any]:
    """Return the JSON object in a file. Raise ValueError if there is none."""
    try:
        answers = json.loads(read_bytes(file))
    except ValueError as error:
        raise ValueError(f"not a JSON file: {error}") from error
    if not isinstance(answers, dict):
        raise ValueError("the file must contain a JSON object with the names of questions as keys")
    return answers


@click.command("report-form")
@study_argument
@click.option(
    "--set",
    "file",
    metavar="FILE.json",
    type=click.Path(exists=True, dir_okay=False),
    help="Change the answers in this file, and keep all others. An empty answer is removed.",
)
@click.option("--questions", is_flag=True, help="List the names and texts of all questions instead.")
@with_django
def report_form(study: str, file: str | None, questions: bool) -> None:
    """Print the authors' answers about a study as JSON, or change some of them.

    Data statement, checklists and datasheets contain these answers.

    \b
    Examples:
        accord study report-form 8hG2 --questions
        accord study report-form 8hG2 > answers.json
        accord study report-form 8hG2 --set answers.json
    """
    from annotate.core.permissions import SYSTEM
    from reporting.questions import QUESTIONS
    from reporting.selectors.answers import author_answers
    from reporting.services.answers import save_answers

    target = study_named(study)
    if questions:
        width = max(map(len, QUESTIONS))
        for question in QUESTIONS.values():
            choices = f" ({', '.join(question.choices)})" if question.choices else ""
            click.echo(f"{question.name:<{width}}  {question.label}{choices}")
        return
    if file is None:
        answers = author_answers(target)
    else:
        try:
            answers = save_answers(target.pk, read_answers(file), user=SYSTEM)
        except ValueError as error:
            raise click.ClickException(f"{file}: {error}") from error
    click.echo(json.dumps(answers, ensure_ascii=False, indent=2))


@click.command("documents")
@study_argument
@click.option("-o", "--output", "folder", required=True, metavar="FOLDER", help="Folder to write to.")
@with_django
def documents(study: str, folder: str) -> None:
    """Write checklists and datasheets about a study: HEDS 3.0, the ACL checklist and a datasheet.

    The numbers come from the latest results report. The command lists the open questions of each document.
    """
    from reporting.selectors.documents import current_forms

    forms = current_forms(study_named(study))
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for form in forms:
        (target / f"{form.slug}.md").write_text(form.markdown(), encoding="utf-8")
        click.echo(f"{form.slug}.md: {form.answered} of {len(form.entries)} questions answered")
        for entry in form.open:
            click.echo(f"  {entry.ask.number or '-'} {entry.ask.text} ({entry.ask.who})")
