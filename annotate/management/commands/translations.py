"""The `translations` command updates and checks the translations of annotators' pages.

manage.py translations            # updates locale/*/LC_MESSAGES/django.po and django.mo
manage.py translations --check    # changes nothing; fails if an annotator could see a text in the wrong language

With `--package FOLDER`, the command does the same for the package of a task type, such as `src/accord_fluency`. Its
languages are those with a folder in `FOLDER/locale`.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotate import tasktypes
from annotate.server.languages import FALLBACK
from annotate.tasktypes import TaskType
from annotate.translations import catalogue, marked, unmarked

SCRIPTS = ("annotate", "mturk")  # folders with the JavaScript that the pages of all task types share
HELP = "Run the command `translations`, translate the new texts in {path}, then run the command again."


class Command(BaseCommand):
    help = "Update the translations of annotators' pages, or check that they are complete."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="Report problems without changing any files.")
        parser.add_argument("--package", type=Path, metavar="FOLDER", help="Folder of a task type's package.")

    def handle(self, *args: object, check: bool, package: Path | None, **options: Any) -> None:
        root = package.resolve() if package else Path(settings.BASE_DIR)
        folders = [root] if package else [root / name for name in packages(root)]
        faults = unmarked_texts(root, folders)
        template = marked.in_folders(annotator_templates(root, folders), folders, own_task_types(package))
        for language in languages(root) if package else (code for code, _ in settings.LANGUAGES if code != FALLBACK):
            path = root / "locale" / language / "LC_MESSAGES" / "django.po"
            faults += self._update(path, template, root, check=check)
        if faults:
            raise CommandError("\n".join(faults))
        self.stdout.write(f"Every translation is complete ({len(template)} texts).")

    def _update(self, path: Path, template: Catalog, root: Path, *, check: bool) -> list[str]:
        stored = path.read_bytes() if path.exists() else b""
        updated = catalogue.updated(stored, template, language=path.parents[1].name)
        written, compiled = catalogue.written(updated), catalogue.compiled(updated)
        name = path.relative_to(root)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written)
            path.with_suffix(".mo").write_bytes(compiled)
        elif stored != written or path.with_suffix(".mo").read_bytes() != compiled:
            return [f"{name} is not up to date. {HELP.format(path=name)}"]
        lines = (text.partition("\n")[0] for text in catalogue.missing(updated))
        return [f"{name}: the translation of “{line}” is missing or fuzzy." for line in lines]


def own_task_types(package: Path | None) -> list[TaskType]:
    """Return the installed task types of a package, or those of Accord. Raises `CommandError` if a package has none."""
    installed = tasktypes.installed()
    if package is None:
        return [task for task in installed if task.package_folder().parent == settings.BASE_DIR]
    own = [task for task in installed if task.package_folder().resolve() == package.resolve()]
    if not own:
        raise CommandError(f"{package} has no installed task type. Install its package with `pip install -e`.")
    return own


def languages(root: Path) -> list[str]:
    """Return the languages of a package: the folders in `locale`."""
    return sorted(path.name for path in (root / "locale").glob("*") if path.is_dir())


def annotator_templates(root: Path, folders: Sequence[Path]) -> list[Path]:
    """Return the templates that annotators can see: shared templates, error pages, and the templates of each task
    type.
    """
    folders = [root / "templates", *(path for folder in folders for path in folder.rglob("templates"))]
    patterns = ("*.html", "annotator/**/*.html", "mturk/*.html", "*/keys.html", "*/gestures.html", "*/strings.html")
    return sorted({path for folder in folders for pattern in patterns for path in folder.glob(pattern)})


def annotator_scripts(root: Path, folders: Sequence[Path]) -> list[Path]:
    """Return the JavaScript modules on annotators' pages, except the bundles built from them."""
    shared = (path for name in SCRIPTS for path in (root / "static" / "js" / name).rglob("*.js"))
    own = (path for folder in folders for static in folder.rglob("static") for path in static.rglob("*.js"))
    return sorted({path for path in (*shared, *own) if not {"dist", "console"} & set(path.parts)})


def packages(root: Path) -> list[str]:
    """Return the folders of the installed applications that belong to this project."""
    inside = (Path(app.path) for app in apps.get_app_configs())
    return sorted(
        {path.relative_to(root).parts[0] for path in inside if path.is_relative_to(root) and ".venv" not in path.parts}
    )


def unmarked_texts(root: Path, folders: Sequence[Path]) -> list[str]:
    """Return a message for each text in annotators' templates and scripts that is not marked for translation."""
    faults = []
    for paths, find in (
        (annotator_templates(root, folders), unmarked.in_template),
        (annotator_scripts(root, folders), unmarked.in_script),
    ):
        for path in paths:
            faults += [
                f"{path.relative_to(root)}:{line}: “{text}” is not marked for translation."
                for line, text in find(path.read_text(encoding="utf-8"))
            ]
    return faults
