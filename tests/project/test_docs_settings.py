"""Tests that docs/settings.md describes exactly the existing settings."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r"""env(?:\.\w+)?\(\s*["']([A-Z][A-Z0-9_]*)["']""")
SOURCES = sorted((ROOT / "annotate" / "settings").glob("*.py"))
IN_EFFECT = {name for source in SOURCES for name in READ.findall(source.read_text(encoding="utf-8"))}
DOCUMENTED = re.findall(
    r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.MULTILINE
)


def test_every_setting_is_documented_once() -> None:
    assert sorted(DOCUMENTED) == sorted(IN_EFFECT)


def test_the_pattern_finds_what_settings_read() -> None:
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ACCORD_DATA", "ACCORD_DB_PERSISTENT"} <= IN_EFFECT


def test_what_compose_and_its_example_set_is_a_setting() -> None:
    given = re.findall(r"^ *#? *([A-Z_]+)[:=]", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    given += re.findall(r"^ *((?:ACCORD_\w+)|DATABASE_URL|REDIS_URL):", compose, re.MULTILINE)
    others = {"POSTGRES_PASSWORD", "COMPOSE_PROFILES", "ACCORD_PROCESSES"}  # only Compose reads them
    assert set(given) - others <= IN_EFFECT
