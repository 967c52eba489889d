"""Tests that a malformed setting ends the program with one line that names the setting, and never shows a secret."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.test_docs_settings import DOCUMENTED

# Settings that accept every text.
ANY_TEXT = {"ACCORD_SMTP_USER", "ACCORD_SMTP_PASSWORD", "ACCORD_PRIVACY_NOTICE", "ACCORD_CONTACT"}
ANY_TEXT |= {"ACCORD_PROLIFIC_STUDIES", "ACCORD_SSO_NAME", "ACCORD_SSO_SCOPES", "ACCORD_SSO_GROUPS_CLAIM"}
ANY_TEXT |= {"ACCORD_SSO_GROUPS", "ACCORD_SSO_STAFF_GROUPS"}
HIDDEN = "hidden-Pa55"
FLAG = ("maybe", "2")
FLAGS = (
    "_CONNECT",
    "_TRUST_EMAIL",
    "_ONLY",
    "_DEBUG",
    "_OPEN",
    "_FACTOR",
    "_TLS",
    "_PERSISTENT",
    "_PREPARE",
    "_ACCESS",
)
NUMBER = ("many", "-1", "1.5", "1_0", "\uff11\uff12", "9" * 400)
RATE = ("lots", "5/fortnight", "0/min", "5")
URL = ("api.example.org", "ftp://api.example.org", "https://", "https://a b", "https://host:port")
TOKEN = (f"{HIDDEN} two", f"{HIDDEN}\n", f"{HIDDEN}é")
HOST = ("https://example.org", "example.org:443", "a b", "example.org/path")
FILE = (str(Path(__file__)),)
MALFORMED = {
    "DATABASE_URL": (
        f"postgresql:/accord:{HIDDEN}@db/accord",
        f"postgresql://accord:{HIDDEN}",
        f"postgresql://accord:{HIDDEN}#/x@db:5432/accord",
        f"postgresql://accord:{HIDDEN}@db:port/accord",
        f"postgresql://accord:{HIDDEN}@db:5432/",
        f"mysql://accord:{HIDDEN}@db/accord",
        "accord.sqlite3",
    ),
    "REDIS_URL": ("http://x", "redis:6379", "redis://", f"redis://:{HIDDEN}@redis:port/0", "redis://h:99999"),
    "ACCORD_DATA": FILE,
    "ACCORD_STATIC": FILE,
    "ACCORD_SITE_URL": (
        "localhost:8",
        "ftp://x",
        "https://",
        "https://example.org/accord",
        "http://a:b",
        f"https://u:{HIDDEN}@x",
    ),
    "ACCORD_HOSTS": HOST,
    "ACCORD_SMTP_HOST": HOST,
    "ACCORD_SMTP_PORT": (*NUMBER, "70000"),
    "ACCORD_TASK_TYPES": ("not-a-path", "accord_fluency", "missing_package.apps.Config"),
    "ACCORD_ENCRYPTION_KEYS": (f"{HIDDEN},,other",),
    "ACCORD_EMAIL_VERIFICATION": ("sometimes",),
    "ACCORD_EMAIL_FROM": ("accord", "a b@example.org", "@"),
    "ACCORD_BATCH_ORIGINS": ("www.mturk.com", "https://www.mturk.com/path", "https://"),
    "ACCORD_LOG_LEVEL": ("loud", "warning "),
    "ACCORD_LOG_FORMAT": ("xml",),
    **dict.fromkeys(("ACCORD_PROLIFIC_KEYS_URL", "ACCORD_PROLIFIC_API"), URL),
    "ACCORD_SSO_ISSUER": (*URL, "http://login.example.org"),
    "ACCORD_SSO_CLIENT_ID": ("",),
    "ACCORD_SSO_CLIENT_SECRET": TOKEN,
    **dict.fromkeys(("ACCORD_PROLIFIC_TOKEN", "ACCORD_PROLIFIC_HOOK_SECRET", "ACCORD_METRICS_TOKEN"), TOKEN),
    **{name: RATE for name in DOCUMENTED if name.startswith("ACCORD_THROTTLE_")},
    **{name: FLAG for name in DOCUMENTED if name.endswith(FLAGS)},
    **{
        name: NUMBER
        for name in DOCUMENTED
        if name.startswith("ACCORD_LIMIT_")
        or name.endswith(("_DAYS", "_MINUTES", "_HOURS", "_SECONDS", "_PROXIES", "_AT_ONCE"))
    },
}
# Reads the settings once per value on standard input, and prints the exit status and the line of each.
READ = """
import contextlib, io, json, os, sys
for name, value, others in json.load(sys.stdin):
    os.environ.update({name: value, **others})
    for module in [module for module in sys.modules if module.startswith("annotate.settings")]:
        del sys.modules[module]
    line, status = io.StringIO(), 0
    with contextlib.redirect_stderr(line):
        try:
            import annotate.settings
        except SystemExit as error:
            status = error.code
        except Exception as error:
            status = repr(error)
    print(json.dumps([status, line.getvalue()]))
    for used in (name, *others):
        del os.environ[used]
"""


def test_every_setting_is_tried() -> None:
    assert set(MALFORMED) | ANY_TEXT | {"SECRET_KEY"} == set(DOCUMENTED)


@pytest.mark.nightly
def test_malformed_values_are_named_with_an_example(tmp_path: Path) -> None:
    cases = [(name, value, needed(name)) for name, values in MALFORMED.items() for value in values]
    for (name, value, _), (status, line) in zip(cases, read(cases, tmp_path), strict=True):
        assert status == 3, (name, value, status)
        assert line.startswith(f"accord: {name}"), (name, value, line)
        assert line.count("\n") == 1, (name, value, line)
        assert f"Example: {name}=" in line, (name, value, line)
        assert HIDDEN not in line, (name, value, line)


@pytest.mark.nightly
def test_usual_values_are_accepted(tmp_path: Path) -> None:
    usual = [
        ("DATABASE_URL", "postgresql://accord:a%2Fb@db:5432/accord?sslmode=require"),
        ("DATABASE_URL", "postgresql://accord@[::1]:5432/accord"),
        ("DATABASE_URL", "postgres:///accord"),
        ("ACCORD_SITE_URL", "https://accord.example.org/"),
        ("ACCORD_SITE_URL", "http://[::1]:8000"),
        ("ACCORD_HOSTS", "127.0.0.1, .example.org,[::1],*,my_host"),
        ("ACCORD_BATCH_ORIGINS", ""),
        ("ACCORD_SMTP_PORT", ""),
        ("ACCORD_PROXIES", "0"),
        ("ACCORD_EMAIL_FROM", "Accord <accord@example.org>"),
        ("ACCORD_LOG_LEVEL", "DEBUG"),
    ]
    outcomes = read([(name, value, {}) for name, value in usual], tmp_path)
    assert [setting for setting, outcome in zip(usual, outcomes, strict=True) if outcome != [0, ""]] == []


def needed(name: str) -> dict[str, str]:
    """Return the other settings without which a setting has no effect."""
    if name == "ACCORD_SSO_CLIENT_ID":
        return {"ACCORD_SSO_ISSUER": "https://login.example.org"}
    return {"DATABASE_URL": "postgresql:///accord"} if name.startswith("ACCORD_DB_") else {}


def read(cases: list[tuple[str, str, dict[str, str]]], folder: Path) -> list[list[object]]:
    environment = {name: value for name, value in os.environ.items() if name not in DOCUMENTED}
    done = subprocess.run(
        [sys.executable, "-c", READ],
        input=json.dumps(cases),
        env={**environment, "ACCORD_DATA": str(folder / "data")},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
