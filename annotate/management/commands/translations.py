"""The `translations` command updates and checks the translations of annotators' pages.

manage.py translations            # updates locale/*/LC_MESSAGES/django.po and django.mo
manage.py translations --check    # changes nothing; fails if an annotator could see a text in the wrong language
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotate.server.languages import FALLBACK
from annotate.translations import catalogue, marked, unmarked

SCRIPTS = ("annotate", "mturk")  # folders with the JavaScript that the pages of all task types share
HELP = "Run `manage.py translations`, translate the new texts in {path}, then run the command again."


class Command(BaseCommand):
    help = "Update the translations of annotators' pages, or check that they are complete."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="Report problems without changing any files.")

    def handle(self, *args: object, check: bool, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        faults = list(unmarked_texts(root))
        template = marked.in_project(root, annotator_templates(root), packages(root))
        for language in (code for code, _name in settings.LANGUAGES if code != FALLBACK):
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
        return [f"{name}: “{line}” has no checked translation." for line in lines]


def annotator_templates(root: Path) -> list[Path]:
    """Return the templates that annotators can see: shared templates, error pages, and the templates of each task
    type.
    """
    folders = [
        root / "templates",
        *(path for package in packages(root) for path in (root / package).rglob("templates")),
    ]
    patterns = ("*.html", "annotator/**/*.html", "mturk/*.html", "*/keys.html", "*/gestures.html", "*/strings.html")
    return sorted({path for folder in folders for pattern in patterns for path in folder.glob(pattern)})


def annotator_scripts(root: Path) -> list[Path]:
    """Return the JavaScript modules on annotators' pages, except the bundles built from them."""
    shared = (path for name in SCRIPTS for path in (root / "static" / "js" / name).rglob("*.js"))
    own = (
        path
        for package in packages(root)
        for folder in (root / package).rglob("static")
        for path in folder.rglob("*.js")
    )
    return sorted({path for path in (*shared, *own) if not {"dist", "console"} & set(path.parts)})


def packages(root: Path) -> list[str]:
    """Return the folders of the installed applications that belong to this project."""
    inside = (Path(app.path) for app in apps.get_app_configs())
    return sorted(
        {path.relative_to(root).parts[0] for path in inside if path.is_relative_to(root) and ".venv" not in path.parts}
    )


def unmarked_texts(root: Path) -> list[str]:
    """Return a message for each text in annotators' templates and scripts that is not marked for translation."""
    faults = []
    for paths, find in (
        (annotator_templates(root), unmarked.in_template),
        (annotator_scripts(root), unmarked.in_script),
    ):
        for path in paths:
            faults += [
                f"{path.relative_to(root)}:{line}: “{text}” is not marked for translation."
                for line, text in find(path.read_text(encoding="utf-8"))
            ]
    return faults
