"""The load of two web hosts and two worker hosts with one PostgreSQL and one Redis behind a proxy.

Each host is a network namespace on this machine, so that all traffic between hosts crosses a network. All hosts share
the cores of this machine. The benchmark measures the CPU time per host, and calculates from it how many cores each part
needs. 1,000 simulated annotators work at the pace of a person (one HIT of six questions in two minutes): a draft and an
answer for each question, then one request that submits the HIT and claims the next one.

    script/bench hosts              needs root, iproute2, haproxy, pgbouncer
    ANNOTATORS=200 script/bench hosts
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import psycopg

from bench._network import HOSTS, haproxy, network, pgbouncer, postgres, redis, run, start
from bench.cycles import MAKE

BIN = Path(sys.executable).parent
ANNOTATORS = int(os.environ.get("ANNOTATORS", "1000"))
SECONDS = float(os.environ.get("SECONDS", "60"))
RAMP = 20.0  # seconds over which the annotators arrive
HIT_SECONDS = 120.0
ITEMS = 12_000
POOLERS = ("persistent connections", "PgBouncer")


def main() -> None:
    """Print the response times and the CPU time of each host, with and without PgBouncer."""
    if os.geteuid() != 0:
        raise SystemExit("script/bench hosts needs root, because it creates network namespaces")
    print(f"{ANNOTATORS:,} annotators at one HIT in {HIT_SECONDS:.0f} s, measured for {SECONDS:.0f} s")
    results = {}
    for pooler in POOLERS:
        with ExitStack() as stack:
            results[pooler] = _measure(pooler, stack)
        _print(pooler, results[pooler])
    best = min(results, key=lambda name: sum(results[name].processor.values()))
    print(f"least CPU time: {best}")
    _forecast(results[best])


@dataclass
class Measured:
    """The measurements of one run."""

    seconds: float
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)
    errors: int = 0
    connections: int = 0


def _measure(pooler: str, stack: ExitStack) -> Measured:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="accord-hosts-", dir="/tmp")))
    folder.chmod(0o755)
    stack.enter_context(network())
    postgres(stack, folder)
    redis(stack, folder)
    env = os.environ | {
        "DATABASE_URL": f"postgresql://accord@{HOSTS['database']}:5432/accord",
        "REDIS_URL": f"redis://{HOSTS['redis']}:6379/0",
        "ACCORD_DATA": str(folder / "data"),
        "ACCORD_STATIC": str(folder / "static"),
        "SECRET_KEY": "for the benchmark only, long enough, 0123456789 abcdefgh",
        "ACCORD_HOSTS": "*",
        "ACCORD_PROXIES": "1",
        "ACCORD_THROTTLE_ANNOTATE": "1000000/min",
        "ACCORD_PRIVACY_NOTICE": "Simulated annotators only.",
        "ACCORD_CONTACT": "Bench, bench@example.org",
        "DJANGO_SETTINGS_MODULE": "annotate.settings",
    }
    for command in (("manage.py", "migrate", "-v0"), ("manage.py", "collectstatic", "--no-input", "-v0")):
        run("web1", env, sys.executable, *command)
    tokens = json.loads(run("web1", env, sys.executable, "-c", MAKE, str(ITEMS), str(ANNOTATORS)).splitlines()[-1])
    web = env | {"ACCORD_DB_PERSISTENT": "true"}
    if pooler == "PgBouncer":
        web |= {"DATABASE_URL": pgbouncer(stack, folder), "ACCORD_DB_PREPARE": "false"}
    command = [BIN / "accord", "serve", "--processes=web", "--web-processes=2"]
    for host in ("web1", "web2"):
        start(stack, host, folder, *command, f"--host={HOSTS[host]}", env=web)
    for host in ("worker1", "worker2"):
        start(
            stack,
            host,
            folder,
            BIN / "celery",
            "-A",
            "annotate",
            "worker",
            "--concurrency=1",
            "--loglevel=ERROR",
            f"--hostname=worker@{host}",
            env=env,
        )
    haproxy(stack, folder)
    return asyncio.run(_work(tokens))


# ── the annotators ────────────────────────────────────────────────────────────────────────────────────────────
async def _work(tokens: list[str]) -> Measured:
    """Let all annotators arrive, then measure. The client runs in this process, in the annotators' namespace."""
    _enter("annotators")
    measured = Measured(SECONDS)
    people = [asyncio.create_task(_annotator(token, number, measured)) for number, token in enumerate(tokens)]
    await asyncio.sleep(RAMP + 5)
    measured.milliseconds, measured.errors = {}, 0
    before, started = _processor_times(), time.monotonic()
    await asyncio.sleep(SECONDS)
    measured.seconds = time.monotonic() - started
    after = _processor_times()
    measured.processor = {host: after[host] - before[host] for host in HOSTS}
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    with psycopg.connect(f"postgresql://accord@{HOSTS['database']}:5432/accord") as connection:
        rows = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = 'accord'").fetchone()
        measured.connections = rows[0] - 1 if rows else 0
    return measured


def _enter(host: str) -> None:
    """Move this thread into the host's network."""
    import ctypes

    with open(f"/run/netns/{host}", encoding="ascii") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0x40000000):
            raise OSError(ctypes.get_errno(), "setns")


async def _annotator(token: str, number: int, measured: Measured) -> None:
    chance = random.Random(number)
    await asyncio.sleep(chance.uniform(0, RAMP))
    client = _Client(token, measured)
    reply = await client.send("claim", "POST", "/claims", {})
    assignment, revision = reply["assignment"], 0
    while assignment:
        answers = f"/assignments/{assignment['id']}/answers"
        for question in assignment["questions"]:
            place, value = question["position"], {"best": 1, "worst": 2}
            await asyncio.sleep(chance.expovariate(2 * len(assignment["questions"]) / HIT_SECONDS))
            revision += 1
            await client.send("draft", "PUT", f"{answers}/{place}/draft", {"draft": value, "revision": revision})
            await asyncio.sleep(chance.expovariate(2 * len(assignment["questions"]) / HIT_SECONDS))
            answered = await client.send("answer", "PUT", f"{answers}/{place}", {"value": value, "seconds": 15})
            if answered["feedback"]:
                await client.send("acknowledge", "POST", f"{answers}/{place}/acknowledgement", {})
        reply = await client.send("submit", "POST", f"/assignments/{assignment['id']}/submission", {"next": True})
        assignment = reply["next"]["assignment"]


class _Client:
    """Act as one annotator over one persistent connection."""

    def __init__(self, token: str, measured: Measured) -> None:
        self.token, self.measured = token, measured
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, name: str, method: str, path: str, body: object) -> dict:  # type: ignore[type-arg]
        """Send one request. Repeat it on a new connection if the server has closed the persistent one."""
        started = time.perf_counter()
        while True:
            try:
                status, reply = await self._exchange(method, path, json.dumps(body).encode())
            except (OSError, asyncio.IncompleteReadError):
                self.streams = None
                continue
            break
        self.measured.milliseconds.setdefault(name, []).append(1000 * (time.perf_counter() - started))
        if status >= 300:
            self.measured.errors += 1
            raise RuntimeError(f"{name}: {status} {reply[:200]!r}")
        return json.loads(reply) if reply else {}

    async def _exchange(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection(HOSTS["proxy"], 80)
        reader, writer = self.streams
        head = [
            f"{method} /api/v1{path} HTTP/1.1",
            f"Host: {HOSTS['proxy']}",
            f"Authorization: Participation {self.token}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "",
            "",
        ]
        writer.write("\r\n".join(head).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        length = next((int(line.split(":")[1]) for line in head if line.lower().startswith("content-length:")), 0)
        return int(head[0].split()[1]), await reader.readexactly(length)


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────
def _processor_times() -> dict[str, float]:
    """Return the seconds of CPU time that the processes of each host have used."""
    tick = os.sysconf("SC_CLK_TCK")
    times = {}
    for host in HOSTS:
        pids = subprocess.run(["ip", "netns", "pids", host], check=True, capture_output=True, text=True).stdout.split()
        used = 0
        for pid in pids:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # the process has ended
            used += int(fields[11]) + int(fields[12])
        times[host] = used / tick
    return times


def _print(pooler: str, measured: Measured) -> None:
    requests = sum(map(len, measured.milliseconds.values()))
    print(f"\n{pooler}: {requests / measured.seconds:.0f} requests/s, {measured.errors} errors")
    print(f"  {measured.connections} connections to PostgreSQL")
    for name, times in sorted(measured.milliseconds.items()):
        cuts = quantiles(times, n=20) if len(times) > 1 else times * 19
        print(
            f"  {name:<12}{len(times) / measured.seconds:>8.1f}/s  median {cuts[9]:>6.1f} ms  p95 {cuts[18]:>7.1f} ms"
        )
    for host, seconds in measured.processor.items():
        print(f"  {host:<12}{100 * seconds / measured.seconds:>6.1f} % of a core")


def _forecast(measured: Measured) -> None:
    """Print the cores that 10,000 annotators need, if the cost of every part is proportional."""
    share = {host: seconds / measured.seconds for host, seconds in measured.processor.items()}
    parts = {
        "web": share["web1"] + share["web2"],
        "database": share["database"],
        "Redis": share["redis"],
        "proxy": share["proxy"],
    }
    print(f"\ncores for {'':<9}{ANNOTATORS:>8,} annotators{10_000:>10,} annotators")
    for name, cores in parts.items():
        print(f"  {name:<12}{cores:>14.2f}{cores * 10_000 / ANNOTATORS:>22.2f}")


if __name__ == "__main__":
    main()
