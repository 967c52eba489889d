# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/without`, which tests a copy of the project without some of its rooms.

The copy contains the files that are or would be in the repository. Its virtual environment reads the packages of this
checkout, but not the finder of the editable installation, which would find removed rooms in this checkout.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import NoReturn

from tests.installations import SECRET_KEY

ROOT = Path(__file__).resolve().parent.parent
# The rooms that can be removed, which are the ones that are applications.
ROOMS = sorted(file.parent.name for file in (ROOT / "annotate").glob("*/apps.py"))
SETTINGS, CONTRACTS = Path("annotate/settings/applications.py"), Path("pyproject.toml")
BACKUP = Path("tests/fixtures/0.1.0.backup")
# The documents and the Python client describe all rooms, so their tests do not belong to the remaining tests.
OF_DOCUMENTS = (
    "tests/api/test_docs.py",
    "tests/client/test_generated.py",
    "tests/project/test_file_reference.py",
    "tests/commands/test_command_chains.py::test_every_option_that_writes_a_file_is_in_the_table",
    "tests/commands/test_command_groups.py::test_every_command_has_a_section_and_a_description",
    "tests/project/test_docs_names.py",
)
# Tests of every page, operation, service and table of the site.
QUICK = (
    "tests/api/test_errors.py",
    "tests/api/test_schema.py",
    "tests/api/test_tokens.py",
    "tests/backups/test_backup_format.py",
    "tests/core/test_archived.py",
    "tests/core/test_permissions.py",
    "tests/core/test_permissions_services.py",
    "tests/core/test_services_jobs.py",
    "tests/help/test_help.py",
    "tests/project/test_upgrade.py",
    "tests/web/test_console_in_api.py",
)


def main(arguments: list[str]) -> int:
    """Remove the rooms from a copy, run all checks and tests there, and return the exit code."""
    signal.signal(signal.SIGTERM, _leave)  # the temporary folder must be deleted as well
    end = arguments.index("--") if "--" in arguments else len(arguments)
    rooms = [argument for argument in arguments[:end] if argument != "--quick"]
    if not rooms or set(rooms) - set(ROOMS):
        sys.exit(f"script/without: name at least one of the rooms that can be removed: {', '.join(ROOMS)}")
    with tempfile.TemporaryDirectory(prefix="accord-without-") as name:
        folder = Path(name).resolve() / "accord"
        copy(folder)
        for room in rooms:
            remove(room, folder)
        failed = [title for title, command in checks(folder, rooms) if not _succeeds(title, command, folder)]
        python = str(folder / ".venv" / "bin" / "python")
        chosen = (*(QUICK if "--quick" in arguments[:end] else ()), *arguments[end + 1 :])
        chosen += tuple(f"--deselect={test}" for test in OF_DOCUMENTS)
        if not failed and not _succeeds("tests", [python, "-m", "tests.suite", *chosen], folder):
            failed.append("tests")
    print(f"without {', '.join(rooms)}: {', '.join(failed) + ' failed' if failed else 'all checks and tests pass'}")
    return 1 if failed else 0


def copy(folder: Path) -> None:
    """Copy the project, with a repository of its own because some tests list the files in it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    if (ROOT / "node_modules").exists():
        (folder / "node_modules").symlink_to(ROOT / "node_modules")
    _environment(folder)
    for git in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *git], cwd=folder, check=True)


def _environment(folder: Path) -> None:
    """Make a virtual environment whose Python and commands use the code in this folder and the installed packages."""
    own, installed = folder / ".venv", Path(sys.prefix)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", own], check=True)
    packages = Path(sysconfig.get_path("purelib"))
    # Python runs no .pth files of a folder that it adds because of another .pth file.
    (own / packages.relative_to(installed) / "accord.pth").write_text(
        f"{folder}\n{folder}/packages/client\n{folder}/packages/core\n{packages}\n"
    )
    for command in (installed / "bin").iterdir():
        content, copy = command.read_bytes(), own / "bin" / command.name
        if copy.exists():
            continue
        if content.startswith(b"#!"):
            copy.write_bytes(content.replace(bytes(installed), bytes(own)))
            copy.chmod(0o755)
        else:
            copy.symlink_to(command)


def remove(room: str, folder: Path) -> None:
    """Remove the room's folders, benchmarks, line in the settings, and names in `pyproject.toml`."""
    for parent in ("annotate", "templates", "static", "tests"):
        shutil.rmtree(folder / parent / room, ignore_errors=not (folder / parent / room).exists())
    for benchmark in (folder / "bench").glob(f"{room}_*.py"):
        benchmark.unlink()
    _substitute(folder / SETTINGS, rf'^ *"annotate\.{room}\.apps\.\w+",\n', "")
    _substitute(folder / CONTRACTS, rf' \| {room}\b|\b{room} \| |^  "{room}",\n', "")
    _substitute(folder / CONTRACTS, rf', "annotate\.{room}"|"annotate\.{room}", ', "")
    text = (folder / CONTRACTS).read_text(encoding="utf-8")
    # Its commands and its modules with stricter types, which not every room has.
    text = re.sub(rf'^[\w-]+ = "annotate\.{room}\..*\n|"annotate\.{room}\.[\w.*]+", ?', "", text, flags=re.MULTILINE)
    (folder / CONTRACTS).write_text(text, encoding="utf-8")


def _substitute(file: Path, pattern: str, replacement: str) -> None:
    """Replace the only match in a file. Another number of matches is an error, because a room has one line there."""
    text, count = re.subn(pattern, replacement, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if count != 1:
        sys.exit(f"script/without: {file.name} has {count} places for {pattern!r} instead of one")
    file.write_text(text, encoding="utf-8")


def checks(folder: Path, rooms: list[str]) -> list[tuple[str, list[str]]]:
    """Return the commands that check the copy, with their titles. The last ones write the reference of commands and the
    backup that tests restore, because those in the repository contain commands and tables of the rooms.
    """
    python, database = str(folder / ".venv" / "bin" / "python"), folder.parent / "full"
    full = ["env", f"DATABASE_URL=sqlite:///{database}.sqlite3", f"ACCORD_DATA={database}"]
    absent = f"from importlib.util import find_spec\nassert not any(find_spec('annotate.' + room) for room in {rooms})"
    accord, names = "from annotate.commands.main import main; main()", "|".join(rooms)
    return [
        ("no other code names the rooms", ["sh", "-c", f"! git grep -nE 'annotate[.]({names})\\b' -- '*.py'"]),
        ("the rooms cannot be imported", [python, "-c", absent]),
        ("manage.py check", [python, "manage.py", "check"]),
        ("all tests can be imported", [python, "-m", "pytest", "-q", "--collect-only", "-m", ""]),
        ("lint-imports", [str(folder / ".venv" / "bin" / "lint-imports")]),
        ("makemigrations --check", [python, "manage.py", "makemigrations", "--check", "--dry-run"]),
        ("script/reference", [python, "-m", "tests.project.cli_reference"]),
        ("an installation to back up", [*full, python, "-m", "tests.full_installation"]),
        ("accord backup", [*full, python, "-c", accord, "backup", "-o", str(folder.parent / BACKUP.name)]),
        ("the backup for tests", ["mv", str(folder.parent / BACKUP.name), str(folder / BACKUP)]),
    ]


def _succeeds(title: str, command: list[str], folder: Path) -> bool:
    """Run a command in the copy, print its output if it fails, and return whether it succeeds."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ACCORD_") and name not in {"DATABASE_URL", "REDIS_URL"}
    }
    environment |= {"SECRET_KEY": SECRET_KEY, "ACCORD_DATA": str(folder.parent / "data")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    print(f"{'ok     ' if done.returncode == 0 else 'FAILED '} {title}", flush=True)
    if done.returncode:
        print(done.stdout[-20_000:], done.stderr[-20_000:], sep="\n", flush=True)
    return done.returncode == 0


def _leave(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
