"""The memory of the web process while a researcher uploads and imports a large file. A job in another process reads and
imports the file.

script/bench imports [ROWS]
"""

from __future__ import annotations

import http.client
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.serving import printed, serving

ROWS = 1_000_000
BLOCK = 1 << 16
BOUNDARY = "----accord-bench"
AIM = 200  # MiB

PREPARE = """
import json, django; django.setup()
from annotate.models import User
from annotate.core.services.credentials import new_api_token
from annotate.studies.services.study import create_study
user = User.objects.create_user("bench@example.org")
study = create_study(user=user, title="large", task_type="bws")
print(json.dumps({"study": study.public_id, "token": new_api_token(user, "bench")[1]}))
"""
WORK = """
import json, resource, django; django.setup()
from annotate.models import Job
from annotate.core.services.jobs import run
for job in Job.objects.filter(state="waiting"):
    run(job.pk)
print(json.dumps(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))
"""


def main() -> None:
    """Upload and import the file, and print the time of each step and the peak memory of the web process after it."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        path = Path(folder, "items.csv")
        with path.open("w", encoding="utf-8") as file:
            file.write("id,sentence1,sentence2,source\n")
            file.writelines(
                f"i{n},The {n}th boat left the harbour.,Boat {n} was out at sea.,s{n % 7}\n" for n in range(rows)
            )
        with serving({}, PREPARE, workers=1) as (port, prepared, env):
            measure(path, port, prepared, env)


def measure(path: Path, port: int, prepared: dict[str, str], env: dict[str, str]) -> None:
    process = _worker_of(port)
    before = peak_memory(process)
    home = f"/api/v1/studies/{prepared['study']}"

    def step(name: str, action: Callable[[], Any]) -> Any:
        started = time.perf_counter()
        result = action()
        print(f"{name:<46}{time.perf_counter() - started:7.1f} s   web process {peak_memory(process):6.0f} MiB")
        return result

    def ask(method: str, place: str, body: Any = None, **headers: str) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        connection.request(method, home + place, body, {"Authorization": f"Token {prepared['token']}"} | headers)
        response = connection.getresponse()
        content = response.read()
        if response.status >= 400:
            raise RuntimeError(f"{method} {place}: {response.status} {content[:300]!r}")
        return json.loads(content)

    print(f"{path.stat().st_size / 2**20:.0f} MiB of CSV, web process before the upload {before:.0f} MiB")
    form = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Content-Length": str(_length(path))}
    upload = step("upload", lambda: ask("POST", "/uploads", _multipart(path), **form))
    child = step("preview by a job", lambda: printed(env, WORK))
    shown = step("preview requested", lambda: ask("GET", f"/uploads/{upload['id']}"))
    step("import requested", lambda: ask("POST", f"/uploads/{upload['id']}/import"))
    child = max(child, step("import by a job", lambda: printed(env, WORK)))
    count = step("items listed", lambda: ask("GET", "/items?page_size=50"))["count"]
    if not shown["importable"] or count != shown["rows"]:
        raise RuntimeError(f"{count:,} of {shown['rows']:,} rows were imported")
    peak = peak_memory(process)
    print(f"peak of the web process {peak:.0f} MiB (aim {AIM} MiB), of the job’s reading process {child:.0f} MiB")


def peak_memory(process: int) -> float:
    """Return the largest resident size of a process so far, in MiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def _worker_of(port: int) -> int:
    """Return the process ID of the server's only worker, whose parent has the port on its command line."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue  # the process has ended
        if f"127.0.0.1:{port}".encode() not in command:
            del parents[int(folder.name)]
    return next(process for process, parent in parents.items() if int(parent) in parents)


def _multipart(path: Path) -> Iterator[bytes]:
    """Yield the body of the upload in blocks, so that the file is never completely in memory."""
    yield _head()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block
    yield _tail()


def _length(path: Path) -> int:
    return len(_head()) + path.stat().st_size + len(_tail())


def _head() -> bytes:
    fields = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nitems\r\n'
    fields += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="filename"\r\n\r\nitems.csv\r\n'
    return f'{fields}--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="items.csv"\r\n\r\n'.encode()


def _tail() -> bytes:
    return f"\r\n--{BOUNDARY}--\r\n".encode()


if __name__ == "__main__":
    main()
