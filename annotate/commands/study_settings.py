"""The command that prints and changes a study's settings, and the settings file that new studies also read."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from annotate.cli.support import read_text, study_argument, study_named, with_django

if TYPE_CHECKING:
    from annotate.models import Study

BOOLEANS = {"true": True, "false": False}


@click.command("settings")
@study_argument
@click.option(
    "--settings", "settings_file", metavar="FILE.toml", help="Change the settings in this file, and keep all others."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change a setting. Can be repeated.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Change a task type option. Can be repeated."
)
@with_django
def change(study: str, settings_file: str | None, settings: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Print a study's settings, or change some of them.

    The output has the format of a settings file, except for the consent text and settings without a value. The names
    are those of the API.
    """
    from annotate.core.permissions import SYSTEM
    from annotate.studies.services.settings import change_settings

    target = study_named(study)
    if settings_file or settings or options:
        values, option_values = read_settings(settings_file, settings, options)
        if values.pop("task_type", target.task_type) != target.task_type:
            raise click.ClickException("the task type of a study cannot be changed. Create another study")
        target = change_settings(target.pk, user=SYSTEM, options=option_values, **values)
    click.echo("\n".join(_printed(target)))


def read_settings(
    file: str | None, settings: Sequence[str], options: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and task type options in a TOML file, changed by the pairs of the form NAME=VALUE."""
    values = _read(file) if file else {}
    file_options = values.pop("options", {})
    values.pop("simulation", None)  # used by the demonstration
    values |= values.pop("settings", {})
    values |= {name: BOOLEANS.get(value, value) for name, value in name_value_pairs(settings).items()}
    return values, file_options | name_value_pairs(options)


def _read(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(file), parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(f"{file} is not a TOML file: {error}") from error


def name_value_pairs(texts: Sequence[str]) -> dict[str, str]:
    """Return the values of repeated options of the form NAME=VALUE by name."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{text} does not have the form NAME=VALUE.")
        pairs[name] = value
    return pairs


def _printed(study: Study) -> Iterator[str]:
    """Yield the study's settings as the lines of a TOML file."""
    from annotate.studies.services.settings import SETTINGS

    fields = [field.name for field in study._meta.get_fields() if field.name in SETTINGS]
    yield from _lines({"task_type": study.task_type} | {name: getattr(study, name) for name in fields})
    if study.options:
        yield "\n[options]"
        yield from _lines(study.options)


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if value is not None:
            yield f"{name} = {_toml(value)}"


def _toml(value: Any) -> str:
    """Return a value in TOML. JSON writes truth values, whole numbers, texts and lists in the same way."""
    if isinstance(value, datetime):
        return json.dumps(value.isoformat())
    if isinstance(value, bool | int | str | list):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
