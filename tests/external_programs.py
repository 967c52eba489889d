"""The external programs that tests and benchmarks start, and the Debian package of each.

`PATH` contains only these programs while tests run. A test that starts another program fails on every machine, not only
on a machine without it.
"""

import shutil
import sys
from pathlib import Path

# Part of a bare Debian. script/bare shows that they are.
BARE = """
    sh bash env python3 git
    awk basename cat chmod cp cut date dirname expr find grep head hostname id ln locale ls mkdir mktemp mv printf
    readlink realpath rm rmdir runuser sed seq sha256sum sleep sort tail tar tee touch tr true uname uniq wc which xargs
""".split()

# Programs that script/test installs. One program of a package is enough.
PACKAGES = {
    "postgresql": ("initdb",),
    "redis-server": ("redis-server",),
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "chromium-headless-shell": ("chromium-headless-shell",),
    "nginx-light": ("nginx",),
    "openssl": ("openssl",),
    "curl": ("curl",),
    "iproute2": ("ip",),  # for bench/hosts.py
}
# Programs and libraries that only script/nightly installs, with a file of each package. A test that needs them fails
# with the name of the missing package.
NIGHTLY = {"r-base-core": Path("/usr/bin/Rscript"), "r-cran-jsonlite": Path("/usr/lib/R/site-library/jsonlite")}
PROGRAMS = [*BARE, *(name for names in PACKAGES.values() for name in names), "Rscript"]


def program_of(package: str) -> Path | None:
    """Return a program of this package, or None if the machine has none of the package's programs."""
    return next((Path(path) for path in map(shutil.which, PACKAGES[package]) if path), None)


def link_programs(folder: Path) -> str:
    """Create links to the listed programs in this folder, and return the folder as a value for `PATH`."""
    folder.chmod(0o755)  # root starts servers as another user
    python = Path(sys.base_prefix, "bin", "python3")  # a shim in PATH could need programs of its own
    for name in PROGRAMS:
        if program := str(python) if name == python.name and python.exists() else shutil.which(name):
            (folder / name).symlink_to(program)
    return str(folder)
