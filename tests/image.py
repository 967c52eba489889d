"""Builds and runs the image without Docker: the lines of the Dockerfile in folders that debootstrap has made.

`docker build` and `docker run` are replaced by chroot in separate namespaces. The folder stands for the official image
of Debian, from which it differs in a few files. Layers, the network between containers and cgroups are not part of it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.bare import CLEAN, PROXIES, bootstrap
from tests.dockerfile import Stage, build_files, stages, variables

SUITES = {"12": "bookworm", "13": "trixie"}
# Files that the official slim images leave out.
NOT_IN_SLIM = ("usr/share/man", "usr/share/info", "usr/share/locale", "usr/share/lintian", "usr/share/groff")
CACHES = ("var/cache/apt", "var/lib/apt/lists", "var/log")
# As in the official images, apt keeps neither packages nor its index.
APT_CLEAN = """
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";
"""
EXCLUDED = "".join(f"path-exclude=/{folder}/*\n" for folder in (*NOT_IN_SLIM, "usr/share/doc"))
BUILD = """
mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/dev/shm"; mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
exec chroot "$1" /bin/sh -c 'cd "$0" && eval "$1"' "$2" "$3"
"""
# A container has its own network and a root folder that nobody can write to, except for the volume and /tmp.
CONTAINER = """
"$1" -c "$2"; shift 2
mount --bind "$1" "$1"; mount --bind "$2" "$1/data"
mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/dev/shm"; mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -o remount,bind,ro "$1"
root="$1" user="$3" folder="$4"; shift 4
exec chroot --userspec="$user:$user" "$root" /usr/bin/env --ignore-environment --chdir="$folder" "$@"
"""
# Turns on the network device `lo`. A bare Debian has no program for it.
LOOPBACK = """
import fcntl, socket, struct
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
fcntl.ioctl(socket.socket(), SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
"""


@dataclass
class Image:
    """The root folder of a built stage, with the settings that its containers get."""

    root: Path
    stage: Stage
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "0"

    def size(self) -> tuple[int, int]:
        """Return the bytes of all files, and of the same files as a gzip-compressed archive."""
        files = [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]
        tar = ["tar", "--create", "--directory", str(self.root), "."]
        with subprocess.Popen(tar, stdout=subprocess.PIPE) as archive:
            packed = subprocess.run(["gzip", "-6"], stdin=archive.stdout, capture_output=True, check=True).stdout
        assert archive.returncode == 0
        return sum(path.stat().st_size for path in files), len(packed)

    @contextmanager
    def container(
        self, volume: Path, log: Path, *command: str, user: str = "", own_network: bool = True, **settings: str
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command, by default the command of the image, in a container with this folder as `/data`. Without a
        network of its own, the container can reach servers of this machine.
        """
        inside = command or self.stage.command("CMD")
        namespaces = ["unshare", "--mount", "--ipc", "--uts", "--pid", "--fork", "--kill-child"]
        if own_network:
            namespaces.append("--net")
        places = (sys.executable, LOOPBACK if own_network else "", self.root, volume, user or self.user, self.folder)
        environment = [f"{name}={value}" for name, value in (self.environment | settings).items()]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*namespaces, "sh", "-ec", CONTAINER, "sh", *places, *environment, *inside],
                env=CLEAN,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            yield process
        finally:
            if process.poll() is None and (child := child_of(process)):
                os.kill(child, signal.SIGKILL)  # a child that has changed its user outlives `unshare --kill-child`
            process.kill()
            process.wait()


def child_of(container: subprocess.Popen[bytes]) -> int:
    """Return the ID of the first process of the container, as this machine numbers it, or 0 if it has not started."""
    return int(Path(f"/proc/{container.pid}/task/{container.pid}/children").read_text() or 0)


def build(checkout: Path, folder: Path) -> Image:
    """Build each stage of the Dockerfile in a folder of its own, and return the last one."""
    images: dict[str, Image] = {}
    for number, stage in enumerate(stages((checkout / "Dockerfile").read_text(encoding="utf-8"))):
        root = folder / (stage.name or str(number))
        if stage.start in images:
            base = images[stage.start]
            subprocess.run(["cp", "--archive", "--reflink=auto", base.root, root], check=True)
            image = Image(root, stage, dict(base.environment), base.folder, base.user)
        else:
            image = Image(root, stage)
            _debian(root, stage.start)
        for instruction, value in stage.steps:
            _step(image, instruction, value, checkout, images)
        images[stage.name or str(number)] = image
    return image


def _debian(root: Path, name: str) -> None:
    """Make a folder with the contents of an official slim image, such as `debian:12.12-slim`."""
    version = name.removeprefix("debian:").removesuffix("-slim").partition(".")[0]
    bootstrap(root, SUITES[version])
    (root / "etc" / "dpkg" / "dpkg.cfg.d" / "slim").write_text(EXCLUDED)
    (root / "etc" / "apt" / "apt.conf.d" / "clean").write_text(APT_CLEAN)
    for folder in (*NOT_IN_SLIM, *CACHES, "usr/share/doc"):
        for path in (root / folder).glob("*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _step(image: Image, instruction: str, value: str, checkout: Path, images: dict[str, Image]) -> None:
    if instruction == "ENV":
        image.environment |= variables(value)
    elif instruction == "WORKDIR":
        image.folder = value
        (image.root / value[1:]).mkdir(parents=True, exist_ok=True)
    elif instruction == "USER":
        image.user = value
    elif instruction == "COPY":
        _copy(image, value, checkout, images)
    elif instruction == "RUN":
        _run(image, value)


def _copy(image: Image, value: str, checkout: Path, images: dict[str, Image]) -> None:
    *options, source, target = value.split()
    place = image.root / (target if target.startswith("/") else f"{image.folder}/{target}").lstrip("/")
    if options:
        [origin] = [option.removeprefix("--from=") for option in options]
        shutil.copytree(images[origin].root / source[1:], place, symlinks=True)
        return
    for file in build_files(checkout):
        if source in (".", file):
            copy = place / (file if source == "." else Path(file).name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(checkout / file, copy)


def _run(image: Image, command: str) -> None:
    proxies = {name: os.environ[name] for name in PROXIES if name in os.environ}
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "sh", "-ec", BUILD, "sh", image.root, image.folder, command],
        env={**CLEAN, **proxies, **image.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"RUN {command}\n{done.stdout[-5000:]}{done.stderr[-5000:]}"
