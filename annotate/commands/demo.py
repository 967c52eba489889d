"""The `accord demo` command creates the example studies."""

from __future__ import annotations

import click

from annotate.cli.support import with_django


@click.command()
@click.option("--example", "examples", multiple=True, metavar="NAME", help="Create only this study. Can be repeated.")
@with_django
def demo(examples: tuple[str, ...]) -> None:
    """Create one example study for each task type and print links to the studies and to the console.

    The examples are relatedness, paraphrase, alignment, chunks and layout. Existing studies do not change. Run `accord
    serve` to open the links.

    \b
    Examples:
        accord demo
        accord demo --example relatedness
    """
    from django.core.management import call_command
    from django.core.management.base import CommandError

    try:
        call_command("demo", *examples)
    except CommandError as error:
        raise click.ClickException(str(error)) from error
