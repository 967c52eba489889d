"""The `accord study preregister` command, which freezes a preregistration or prints its draft."""

from __future__ import annotations

import json

import click

from accord_core.exchange.files import read_bytes
from annotate.cli.support import study_argument, study_named, with_django


@click.command()
@study_argument
@click.option(
    "--texts",
    metavar="FILE.json",
    type=click.Path(exists=True, dir_okay=False),
    help="JSON object with texts by field, and at least `description` and `hypotheses`. Without it, the command prints "
    "the draft as JSON.",
)
@with_django
def preregister(study: str, texts: str | None) -> None:
    """Freeze a preregistration of STUDY in the template OSF Prereg, and print it as Markdown.

    Fields without a text get the text that follows from the settings of the study. A frozen preregistration cannot be
    changed. Releases contain it, with a list of what the study did differently.

    \b
    Examples:
        accord study preregister 8hG2 > plan.json
        accord study preregister 8hG2 --texts plan.json > preregistration.md
    """
    from annotate.core.permissions import SYSTEM
    from annotate.questions.selectors.data import preregistrations
    from reporting.preregistration.registrations import draft_of, freeze
    from reporting.preregistration.template import markdown

    chosen = study_named(study)
    if texts is None:
        click.echo(json.dumps(draft_of(chosen), ensure_ascii=False, indent=1))
        return
    try:
        fields = json.loads(read_bytes(texts))
    except ValueError as error:
        raise click.ClickException(f"{texts} is not JSON: {error}") from error
    if not isinstance(fields, dict) or not all(isinstance(text, str) for text in fields.values()):
        raise click.ClickException(f"{texts} must contain a JSON object with one text per field.")
    freeze(chosen.pk, fields, user=SYSTEM)
    frozen = preregistrations(chosen)[-1]
    click.echo(markdown(frozen["document"], at=frozen["at"], sha256=frozen["sha256"]), nl=False)
