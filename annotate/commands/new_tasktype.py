"""The `accord new-tasktype` command writes the package of a new task type, which others can install and publish.

The package is a copy of `examples/plugin-template`, in which the new name replaces “yourtype”.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import click

LONGEST = 30
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.egg-info", ".accord", ".pytest_cache", ".venv", "build", "dist")


@click.command("new-tasktype")
@click.argument("name", metavar="NAME")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Folder of the package, which must not exist yet. By default, ./accord-NAME.",
)
def new_tasktype(name: str, folder: Path | None) -> None:
    """Write a working package for a new task type, in which annotators answer yes or no. NAME consists of lowercase
    letters, digits and hyphens, such as fluency.

    \b
    Examples:
        accord new-tasktype fluency
        accord new-tasktype word-order --folder ~/accord-word-order
    """
    target = folder or Path(f"accord-{name}")
    with tempfile.TemporaryDirectory() as data:
        os.environ.setdefault("ACCORD_DATA", data)  # for the secret key, which this command does not need
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
        import django

        django.setup()
        refuse_name(name)
        write_package(name, target)
    click.echo(
        f"{target} contains the task type {name}. To try it:\n"
        f"  cd {target}\n"
        "  python -m venv .venv && .venv/bin/pip install -e '.[test]'\n"
        "  .venv/bin/pytest\n"
        "  .venv/bin/accord try tests/items.csv\n"
        "Without Accord on your package index, add to pip: --find-links FOLDER, with wheels from script/build."
    )


def refuse_name(name: str) -> None:
    """Raise `click.ClickException` if a package cannot have this name, or the name is already in use."""
    from django.conf import settings
    from django.contrib.staticfiles import finders
    from django.template.utils import get_app_template_dirs

    from annotate import tasktypes
    from annotate.help.guides import slugs

    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise click.ClickException(
            f"“{name}” cannot be the name of a task type. Use at most {LONGEST} lowercase letters, digits and hyphens, "
            "starting with a letter, such as fluency."
        )
    taken = {task.slug for task in tasktypes.installed()} | set(slugs())
    folders = (settings.SHARED_DIR / "templates", *get_app_template_dirs("templates"))
    in_use = name in taken or finders.find(name) or any(Path(folder, name).exists() for folder in folders)
    if in_use or find_spec(module_of(name)):
        raise click.ClickException(f"The name “{name}” is already in use. Choose another name.")


def write_package(name: str, target: Path) -> None:
    """Write the package into a new folder, or write nothing. Raises `click.ClickException` if the folder exists, and
    OSError.
    """
    from django.conf import settings

    if os.path.lexists(target):
        raise click.ClickException(f"{target} already exists. Choose another folder with --folder.")
    if not target.parent.is_dir():
        raise click.ClickException(f"{target.parent} is not a folder. Create it first.")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".accord-new-") as temporary:
        copy = Path(temporary, "package")
        shutil.copytree(settings.SHARED_DIR / "examples" / "plugin-template", copy, ignore=NOT_COPIED)
        for path in sorted(copy.rglob("*"), reverse=True):  # the contents of a folder before the folder
            if path.is_file() and path.suffix != ".mo":
                path.write_text(_renamed(path.read_text(encoding="utf-8"), name), encoding="utf-8")
            if "yourtype" in path.name:
                path.rename(path.with_name(_renamed(path.name, name)))
        copy.rename(target)


def module_of(name: str) -> str:
    """Return the name of the Python package, such as `accord_word_order`."""
    return f"accord_{name.replace('-', '_')}"


def _renamed(text: str, name: str) -> str:
    words = name.replace("-", " ")
    replacements = {
        "accord_yourtype": module_of(name),
        "YourType": "".join(word.capitalize() for word in words.split()),
        "Your type": words.capitalize(),
        "yourtype": name,
    }
    for placeholder, replacement in replacements.items():
        text = text.replace(placeholder, replacement)
    return text
