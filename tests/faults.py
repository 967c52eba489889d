"""Faults for tests: processes that hang or die, a full disk, a wrong clock, requests that never end.

The functions affect only processes that the test has started: the disk is full and the clock is wrong for only one
process. Only `small_disk` needs root.
"""

import ctypes
import errno
import os
import resource
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

DETACH = 2  # MNT_DETACH, because a process may still use the folder


def process_tree(pid: int) -> list[int]:
    """Return the process `pid` and all its descendants, parents first."""
    pids = [pid]
    for parent in pids:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):  # it ended by itself in the meantime
                pids += map(int, children.read_text().split())
    return pids


def kill(pid: int) -> None:
    """Kill the process and all its descendants at the same time, like a power failure or the kernel's memory limit, and
    wait until all have ended. Until then, PostgreSQL would not start again, because they use its shared memory.
    """
    killed = process_tree(pid)
    for each in killed:
        _signal(each, signal.SIGKILL)
    while not all(map(_has_ended, killed)):
        time.sleep(0.01)


def _has_ended(pid: int) -> bool:
    """Return whether the process has ended, even if its parent has not asked for its exit status yet."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] in "ZX"


@contextmanager
def hung(pid: int) -> Iterator[None]:
    """Stop the process and all its descendants during the block, so that connections stay open but get no response."""
    stopped = process_tree(pid)
    for each in stopped:
        _signal(each, signal.SIGSTOP)
    try:
        yield
    finally:
        for each in stopped:
            _signal(each, signal.SIGCONT)


@contextmanager
def full_disk(pid: int, *, at_most: int = 0) -> Iterator[None]:
    """Prevent the files of the process and its descendants from growing beyond `at_most` bytes during the block.

    The first `at_most` bytes of a file can still be read and overwritten. The limit also applies to processes that the
    block starts later. A test on SQLite measures the database's write-ahead log to find a useful limit. A limit of 0
    prevents all writes.
    """
    before, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    _limit_files(pid, (at_most, hard))
    try:
        yield
    finally:
        _limit_files(pid, (before, hard))


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount a file system of this size at the folder during the block. The calling process must be root."""
    library = ctypes.CDLL(None, use_errno=True)

    def call(function: str, *arguments: object) -> None:
        if getattr(library, function)(*arguments) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"{function} of a small disk, which needs root: {os.strerror(number)}", str(folder))

    call("mount", b"tmpfs", bytes(folder), b"tmpfs", ctypes.c_ulong(0), f"size={megabytes}m,mode=0755".encode())
    try:
        yield
    finally:
        call("umount2", bytes(folder), DETACH)


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Leave no space on the small disk at the folder during the block."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 65_536)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
    try:
        yield
    finally:
        ballast.unlink()


@contextmanager
def half_sent_requests(host: str, port: int, number: int = 40) -> Iterator[None]:
    """Keep `number` connections open during the block, each of which has sent only the beginning of a request."""
    beginnings = (
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Never-Ends: ",
        (
            b"POST /api/v1/studies HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000\r\n\r\n{"
        ),
        b"G",
    )
    with ExitStack() as stack:
        for index in range(number):
            connection = stack.enter_context(closing(socket.create_connection((host, port), timeout=10)))
            connection.sendall(beginnings[index % len(beginnings)])
        yield


def with_clock(environment: Mapping[str, str], offset: str | Path) -> dict[str, str]:
    """Return the environment of a process whose clock differs by `offset`, for example "+6h" or "-2d". If `offset` is a
    file, the process reads the offset from the file every second, so that its clock can jump.

    Intervals (`time.monotonic`) are not changed.
    """
    library = clock_library()
    if library is None:
        raise RuntimeError("libfaketime is missing; as root: apt-get install libfaketime")
    jumping = {"FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_CACHE_DURATION": "1"}
    return {
        **environment,
        "LD_PRELOAD": str(library),
        "PYTHONPATH": str(Path(__file__).with_name("wrong_clock")),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        **(jumping if isinstance(offset, Path) else {"FAKETIME": offset}),
    }


def clock_library() -> Path | None:
    """Return the path of the multi-threaded libfaketime library, or None if the library is not installed."""
    return next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)


def _limit_files(pid: int, limits: tuple[int, int]) -> None:
    for each in process_tree(pid):
        with suppress(ProcessLookupError):  # it ended by itself in the meantime
            resource.prlimit(each, resource.RLIMIT_FSIZE, limits)


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return  # it ended by itself in the meantime
