"""The command that writes the methods section of a paper about a study."""

from __future__ import annotations

from pathlib import Path

import click

from annotate.cli.support import study_argument, study_named, with_django


@click.command("methods")
@study_argument
@click.option("-o", "--output", "folder", required=True, metavar="FOLDER", help="Folder to write to.")
@with_django
def methods(study: str, folder: str) -> None:
    """Write the methods section of a paper about STUDY, in LaTeX, Markdown and HTML.

    The numbers in methods.tex are macros in numbers.tex, so a new report changes only this file. The publications are
    in methods.bib. The command lists what only the authors can state.

    \b
    Example:
        accord study methods 8hG2 -o paper
    """
    from reporting.selectors.methods import current_methods

    section = current_methods(study_named(study))
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for path, (content, note) in section.files().items():
        name = Path(path).name
        (target / name).write_bytes(content)
        click.echo(f"{name}: {note}")
    for text in section.open:
        click.echo(f"  Still to state: {text}")
