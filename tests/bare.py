# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/bare`, which runs README's two commands, or the wheels, on a bare Debian.

debootstrap makes the system in a temporary folder. The system gets only a clone of this checkout and the machine's
configuration of packages (mirror, index, proxies, certificates). Commands run with an empty home folder, a clean `PATH`
and their own processes, mounts, `/dev` and `/tmp`. They share the kernel and the network with the machine.
"""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import IO, NoReturn

from tests.servers import free_port
from tests.trying import READY, AnnotatorInBrowser

CHECKOUT = Path(__file__).resolve().parent.parent
SUITES = ("bookworm", "trixie")
PACKAGES = "python3,python3-pip,ca-certificates,git"
VENV = "python3-venv"  # for an environment without this checkout
CLONE = "/srv/accord"
WHEELS = "/srv/wheels"
ACCORD = "/srv/environment/bin/accord"
PAIRS = 8
CLEAN = {"HOME": "/home", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "dumb"}
PROXIES = ("http_proxy", "https_proxy", "no_proxy")
CERTIFICATES = Path("/usr/local/share/ca-certificates")  # of this machine's network
SERVES_WITHIN = 300.0  # seconds

# Mounts of a process of the system. They end with the namespace of the process.
ENTER = """
mount -t proc proc "$1/proc" && mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$1/dev/pts" &&
mount -t tmpfs tmpfs "$1/dev/shm" && exec chroot "$@"
"""


def main(arguments: list[str]) -> int:
    """Run both commands, or what users do with the wheels, and return the exit code."""
    signal.signal(signal.SIGTERM, _leave)  # the temporary folder must be deleted as well
    os.environ["PATH"] = CLEAN["PATH"]
    wheels, arguments = arguments[:1] == ["--wheels"], [each for each in arguments if each != "--wheels"]
    suite, *chosen = arguments or SUITES[:1]
    if suite not in SUITES:
        suite, chosen = SUITES[0], arguments
    if os.geteuid() != 0:
        sys.exit("script/bare: must run as root, because debootstrap and chroot do")
    with tempfile.TemporaryDirectory(prefix="accord-bare-") as folder:
        root = Path(folder) / "root"
        began = time.monotonic()
        make_system(root, suite, f"{PACKAGES},{VENV}" if wheels else PACKAGES)
        print(f"── {suite}: a bare system in {time.monotonic() - began:.0f} s", flush=True)
        failed = use_wheels(root) if wheels else demo(root) + test(root, chosen)
    for problem in failed:
        print(problem)
    print(f"{suite}: {'failed' if failed else 'all holds'}; {time.monotonic() - began:.0f} s in all")
    return 1 if failed else 0


def make_system(root: Path, suite: str, packages: str) -> None:
    """Make a bare Debian in this folder, with the machine's configuration of packages and a clone of this checkout."""
    bootstrap(root, suite, packages)
    with entered(root, "update-ca-certificates") as process:
        _succeed(process, process.communicate()[0])
    _run("git", "clone", "--quiet", CHECKOUT, root / CLONE[1:])


def bootstrap(root: Path, suite: str, packages: str = "") -> None:
    """Make a minimal Debian with these packages in this folder, with the machine's configuration of packages."""
    if shutil.which("debootstrap") is None:
        _run("apt-get", "update", "-q")
        _run("apt-get", "install", "-q", "-y", "--no-install-recommends", "debootstrap")
    _run("debootstrap", "--variant=minbase", *([f"--include={packages}"] if packages else []), suite, root, mirror())
    shutil.copy("/etc/hosts", root / "etc" / "hosts")
    (root / "etc" / "apt" / "apt.conf.d" / "90machine").write_text(apt_settings())
    (root / "etc" / "pip.conf").write_text(pip_settings())
    if CERTIFICATES.is_dir():
        shutil.copytree(CERTIFICATES, root / CERTIFICATES.relative_to("/"), dirs_exist_ok=True)


def mirror() -> str:
    """Return the address of the Debian archive in the machine's configuration of apt."""
    targets = ("indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages")
    if "Debian " not in (listed := _run("apt-get", *targets)):
        _run("apt-get", "update", "-q")
        listed = _run("apt-get", *targets)
    for line in listed.splitlines():
        label, _, address = line.partition(" ")
        if label == "Debian":
            return address
    sys.exit("script/bare: apt has no Debian archive. Add one to /etc/apt/sources.list")


def apt_settings() -> str:
    """Return the machine's settings that apt needs to reach the archive."""
    lines = _run("apt-config", "dump", "Acquire").splitlines()
    return "\n".join(line for line in lines if re.search(r"::(Proxy|Check-Valid-Until|Check-Date)\b", line)) + "\n"


def pip_settings() -> str:
    """Return the machine's settings that pip needs to reach the index. Folders of this machine are not among them."""
    settings = {}
    for line in _run(f"{sys.base_prefix}/bin/python3", "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        words = [word for word in str(ast.literal_eval(value)).split() if not word.startswith(("/", "file:"))]
        name = name.rpartition(".")[2]
        if words and name in {"index-url", "extra-index-url", "trusted-host", "proxy", "timeout", "default-timeout"}:
            settings[name.removeprefix("default-")] = " ".join(words)
    return "[global]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items())


def demo(root: Path) -> list[str]:
    """Run `script/demo` until it serves, open each link that it prints, and return the links that do not work."""
    began, port = time.monotonic(), free_port()
    with (
        tempfile.TemporaryFile("w+") as output,
        entered(root, "script/demo", "--port", str(port), to=output) as process,
    ):
        while not _opens(f"http://127.0.0.1:{port}/healthz"):
            if process.poll() is not None or time.monotonic() - began > SERVES_WITHIN:
                return [f"script/demo does not serve:\n{_all(output)}"]
            time.sleep(0.1)
        seconds = time.monotonic() - began
        links = re.findall(r"http://\S*[^\s.]", _all(output))
        failed = [f"script/demo: {link} does not work" for link in links if not _opens(link)]
        print(f"── script/demo served after {seconds:.0f} s; {len(links) - len(failed)} of its {len(links)} links work")
        return failed if links else [f"script/demo has printed no links:\n{_all(output)}"]


def test(root: Path, arguments: list[str]) -> list[str]:
    """Run `script/test` with these arguments, show its output, and return the failures."""
    began, failed = time.monotonic(), []
    with entered(root, "script/test", *arguments) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            if line.startswith(("FAILED ", "ERROR ")):
                failed.append(line.rstrip())
        code = process.wait()
    print(f"── script/test took {time.monotonic() - began:.0f} s and ended with code {code}")
    return failed if failed or code == 0 else [f"script/test ended with code {code}"]


def use_wheels(root: Path) -> list[str]:
    """Install the wheels into an empty environment, run a study from a file to its release, and return the failures."""
    (root / WHEELS[1:]).mkdir()
    _run(CHECKOUT / "script" / "build", root / WHEELS[1:])
    folder = root / "srv" / "try"
    folder.mkdir()
    rows = "".join(f"A person feeds the dog number {n}.,Somebody gives animal {n} food.\n" for n in range(PAIRS))
    (folder / "pairs.csv").write_text("sentence1,sentence2\n" + rows)
    install = f"python3 -m venv /srv/environment && /srv/environment/bin/pip install -q {WHEELS}/*.whl"
    failed = _steps(root, {"install": install, "SQLite only": "! /srv/environment/bin/python -c 'import psycopg'"})
    failed += _first_study(root, folder)
    study = f"$({ACCORD} study list --format csv | sed -n '2s/,.*//p')"
    return failed or _steps(
        root,
        {
            "release": f"cd /srv/try && {ACCORD} release make {study} -o release-1.0 --creators 'A. Author'",
            "verify": f"cd /srv/try && {ACCORD} release verify release-1.0",
            "backup": f"cd /srv/try && {ACCORD} backup -o all.backup",
            "restore": f"cd /srv/try && ACCORD_DATA=/srv/other {ACCORD} restore all.backup",
            "demo": f"cd /srv && {ACCORD} demo --example relatedness",
        },
    )


def _first_study(root: Path, folder: Path) -> list[str]:
    """Run `accord try`, answer everything as two annotators, and return what is missing."""
    command = f"cd /srv/try && {ACCORD} try pairs.csv --task bws --port {free_port()}"
    with tempfile.TemporaryFile("w+") as output, entered(root, "sh", "-c", command, to=output) as process:
        began = time.monotonic()
        while READY not in _all(output):
            if process.poll() is not None or time.monotonic() - began > SERVES_WITHIN:
                return [f"accord try does not serve:\n{_all(output)}"]
            time.sleep(0.1)
        print(f"── accord try served after {time.monotonic() - began:.0f} s")
        for link in re.findall(r"^ +ann\d: +(http\S+)$", _all(output), re.MULTILINE):
            AnnotatorInBrowser(link).submit_all(lambda content: {"best": 1, "worst": 2})
        deadline = time.monotonic() + SERVES_WITHIN
        while not list(folder.glob("*scores.csv")):
            if time.monotonic() > deadline:
                return [f"accord try has written no scores:\n{_all(output)}"]
            time.sleep(0.1)
    return []


def _steps(root: Path, commands: dict[str, str]) -> list[str]:
    """Run these shell commands by name, print the time of each, and return the failures."""
    for name, command in commands.items():
        began = time.monotonic()
        with entered(root, "sh", "-c", command) as process:
            output = process.communicate()[0]
        print(f"── {name}: {time.monotonic() - began:.0f} s", flush=True)
        if process.returncode != 0:
            return [f"{name} failed: {command}\n{output}"]
    return []


@contextmanager
def entered(root: Path, *command: str, to: IO[str] | int = subprocess.PIPE) -> Iterator["subprocess.Popen[str]"]:
    """Run a command in the clone on this system. The end of the block ends all processes of the system."""
    inside = f'cd {CLONE} 2>/dev/null; umask 022; "$@"; exit $?'  # this shell is process 1, which must stay
    namespaces = ("unshare", "--mount", "--ipc", "--uts", "--pid", "--fork", "--kill-child")
    with subprocess.Popen(
        [*namespaces, "sh", "-c", ENTER, "sh", root, "/bin/sh", "-c", inside, "sh", *command],
        env=CLEAN | {name: os.environ[name] for name in PROXIES if name in os.environ},
        stdin=subprocess.DEVNULL,
        stdout=to,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _opens(link: str) -> bool:
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    try:
        return bool(visitor.open(link, timeout=30).status == 200)
    except OSError:
        return False


def _all(output: IO[str]) -> str:
    output.seek(0)
    return output.read()


def _run(*command: object) -> str:
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    _succeed(done, done.stdout)
    return done.stdout


def _succeed(done: "subprocess.CompletedProcess[str] | subprocess.Popen[str]", output: str) -> None:
    if done.returncode != 0:
        sys.exit(f"script/bare: {done.args} failed:\n{output}")


def _leave(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
