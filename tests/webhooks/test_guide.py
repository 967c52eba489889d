"""Tests that run the examples in docs/webhooks.md."""

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from annotate.core.services.credentials import new_api_token
from annotate.server.outgoing import signature
from annotate.webhooks.models import Delivery
from tests.api import test_docs as api_guide
from tests.factories import make_study

GUIDE = Path(__file__).parents[2] / "docs" / "webhooks.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.django_db(transaction=True)
def test_the_shell_example_runs(live_server: Any) -> None:
    study = make_study(items=0, state="draft")
    functions = next(block for block in api_guide.blocks("bash") if "field()" in block)
    token = new_api_token(study.memberships.get().user, "script")[1]
    variables = {"ACCORD": live_server.url, "TOKEN": token, "STUDY": study.public_id}
    shell = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join([functions, *blocks("bash")])],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shell.returncode == 0, shell.stdout + shell.stderr
    assert Delivery.objects.get(webhook__study=study).kind == "test"


def test_the_check_of_signatures_holds() -> None:
    names: dict[str, Any] = {}
    exec(compile("\n".join(blocks("python")), str(GUIDE), "exec"), names)  # noqa: S102 - our own documentation
    now, is_authentic = int(time.time()), names["is_authentic"]
    assert is_authentic(b"{}", signature("secret", now, b"{}"), "secret")
    assert not is_authentic(b"{} ", signature("secret", now, b"{}"), "secret")
    assert not is_authentic(b"{}", signature("secret", now - 600, b"{}"), "secret")
