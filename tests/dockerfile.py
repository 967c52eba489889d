"""A reader of Dockerfiles: their stages, and which files of a folder `.dockerignore` leaves in the build."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

KNOWN = {"RUN", "COPY", "ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}


@dataclass
class Stage:
    """One `FROM` with its name, the image or stage that it starts from, and its instructions in order."""

    start: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def values(self, instruction: str) -> list[str]:
        """Return what follows each instruction of this kind."""
        return [value for name, value in self.steps if name == instruction]

    def command(self, instruction: str) -> list[str]:
        """Return the last command in JSON of `CMD` or `HEALTHCHECK`."""
        command = json.loads(re.sub(r"^.*?(?=\[)", "", self.values(instruction)[-1]))
        assert isinstance(command, list)
        return command


def stages(text: str) -> list[Stage]:
    """Return the stages of a Dockerfile. An instruction that this reader does not know fails the test."""
    found: list[Stage] = []
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", "", lines).splitlines():
        instruction, _, value = line.partition(" ")
        if instruction == "FROM":
            start, _, name = value.partition(" AS ")
            found.append(Stage(start, name))
        elif instruction:
            assert instruction in KNOWN, f"unknown instruction: {line}"
            found[-1].steps.append((instruction, value))
    return found


def variables(value: str) -> dict[str, str]:
    """Return the variables of an `ENV` instruction."""
    return dict(part.split("=", 1) for part in shlex.split(value))


def build_files(checkout: Path) -> list[str]:
    """Return the files of a checkout that `.dockerignore` sends to the build, without files that Git ignores."""
    patterns = (checkout / ".dockerignore").read_text(encoding="utf-8").split()
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=checkout, capture_output=True, text=True, check=True).stdout.splitlines()
    return [file for file in files if _is_sent(file, patterns) and (checkout / file).is_file()]


def _is_sent(file: str, patterns: list[str]) -> bool:
    """Return what the last matching pattern says. `**/` stands for any folder, and a folder for all its files."""
    sent = True
    paths = [file, *(str(folder) for folder in Path(file).parents)]
    for pattern in patterns:
        sought = pattern.removeprefix("!")
        names = paths if "**/" not in sought else [Path(path).name for path in paths]
        if any(fnmatch(name, sought.removeprefix("**/")) for name in names):
            sent = pattern.startswith("!")
    return sent
