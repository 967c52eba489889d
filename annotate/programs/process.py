"""A local program that reads one line per question from its standard input and writes one line per answer."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Collection, Sequence
from types import TracebackType
from typing import IO, Self

from .lines import shown

LONGEST_LINE = 2_000_000  # bytes of an answer
SHOWN_LINES = 10  # last lines of standard error
FLUSH = "Check that the program flushes its output after each answer"
READ_AT_ONCE = 65_536
READS_AFTER_ERROR = 100  # a program that writes error messages without end must not prevent the report of its error
CLOSING_SECONDS = 5.0  # time in which a program must end after its last answer
POLLING_SECONDS = 0.05


class ProgramError(Exception):
    """Error raised if the program does not answer a question. `stderr` contains its last lines of standard error."""

    def __init__(self, message: str, stderr: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.stderr = list(stderr)


class Program:
    """A running program. Use the program in a `with` statement, which ends the program and its child processes.

    The program has `seconds` to answer each question. It gets the environment of `accord` except the variables
    `secrets`. Raises `ProgramError` if the program cannot be started.
    """

    def __init__(self, command: Sequence[str], seconds: float, *, secrets: Collection[str] = ()) -> None:
        self.seconds = seconds
        self._received = b""
        self._stderr_start = b""
        self._stderr: deque[str] = deque(maxlen=SHOWN_LINES)
        try:
            # The program gets a process group of its own, so that Ctrl-C does not reach it before `accord` stops it.
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name not in secrets},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ProgramError(f"The program {command[0]} cannot be started: {_reason(error)}.") from error
        self._stdin, self._stdout, self._errors = map(_pipe, self._pipes())
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdout, self._errors):
            self._selector.register(pipe, selectors.EVENT_READ)

    def ask(self, line: str) -> str:
        """Send a line and return the program's next line. Raises `ProgramError`."""
        self._transfer(0)
        if self._received:
            line = self._received.partition(b"\n")[0].decode(errors="replace")
            raise self._error(f"The program wrote a line before it received this question: {shown(line)}")
        unsent = f"{line}\n".encode()
        deadline = time.monotonic() + self.seconds
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        while b"\n" not in self._received:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._error(f"The program did not answer within {self.seconds:g} seconds. {FLUSH}")
            unsent = self._transfer(left, unsent)
            if len(self._received) > LONGEST_LINE:
                raise self._error(f"The answer is longer than {LONGEST_LINE:,} bytes")
        if unsent:
            raise self._error("The program answered before it had read the whole question")
        answer, _, self._received = self._received.partition(b"\n")
        try:
            return answer.decode()
        except UnicodeDecodeError as error:
            raise self._error(f"Byte {error.start + 1} of the answer is not valid UTF-8") from error

    def close(self) -> int | None:
        """Close the program's standard input and wait until the program ends. Return its exit status, or None if the
        program is still running after five seconds.
        """
        self._process.stdin.close()  # type: ignore[union-attr]  # a pipe
        deadline = time.monotonic() + CLOSING_SECONDS
        while (status := self._process.poll()) is None and time.monotonic() < deadline:
            self._discard_output()
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program and all processes that it started."""
        for ending in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, ending)
                self._process.wait(1)
            except (ProcessLookupError, PermissionError):  # macOS denies signals to processes that have ended
                break
            except subprocess.TimeoutExpired:
                continue
        self._process.wait()
        self._selector.close()
        for pipe in self._pipes():
            pipe.close()

    def _discard_output(self) -> None:
        """Read the output after the last answer, because a program cannot end while a pipe is full."""
        for key, _events in self._selector.select(POLLING_SECONDS):
            if not os.read(key.fd, READ_AT_ONCE):
                self._selector.unregister(key.fd)

    def _transfer(self, seconds: float, unsent: bytes = b"") -> bytes:
        """Wait until a pipe is ready, then read from or write to all pipes that are ready. Return the unsent bytes."""
        for key, _events in self._selector.select(seconds):
            if key.fd == self._stdin:
                unsent = self._send(unsent)
            elif key.fd == self._errors:
                self._read_errors()
            else:
                data = os.read(self._stdout, READ_AT_ONCE)
                if not data:
                    raise self._ended()
                self._received += data
        return unsent

    def _send(self, unsent: bytes) -> bytes:
        """Write as many bytes as the pipe accepts. A program that closes its input can still be about to report why, so
        the end of its output decides.
        """
        try:
            unsent = unsent[os.write(self._stdin, unsent) :]
        except BrokenPipeError:
            unsent = b""
        if not unsent:
            self._selector.unregister(self._stdin)
        return unsent

    def _read_errors(self) -> None:
        data = os.read(self._errors, READ_AT_ONCE)
        if not data:
            self._selector.unregister(self._errors)
        *lines, self._stderr_start = (self._stderr_start + data).split(b"\n")
        self._stderr_start = self._stderr_start[-READ_AT_ONCE:]
        self._stderr.extend(line.decode(errors="replace").rstrip() for line in lines)

    def _ended(self) -> ProgramError:
        """Return the error for a program that has closed its standard output."""
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return self._error("The program closed its standard output")
        if status < 0:
            return self._error(f"The program was ended by signal {-status} ({signal.strsignal(-status)})")
        return self._error(f"The program ended with exit status {status} before it answered")

    def _error(self, message: str) -> ProgramError:
        for _ in range(READS_AFTER_ERROR):
            if not any(key.fd == self._errors for key, _events in self._selector.select(0)):
                break
            self._read_errors()
        last = [self._stderr_start.decode(errors="replace")] if self._stderr_start else []
        return ProgramError(f"{message}.", [*self._stderr, *last][-SHOWN_LINES:])

    def _pipes(self) -> list[IO[bytes]]:
        process = self._process
        return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]


def _pipe(file: IO[bytes]) -> int:
    """Return the file descriptor of a pipe, which from now on never blocks."""
    os.set_blocking(file.fileno(), False)
    return file.fileno()


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
