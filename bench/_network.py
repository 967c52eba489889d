"""Hosts in network namespaces of this machine, each with its own programs, for benchmarks that need a network."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
HOSTS = {
    name: f"10.213.7.{number}"
    for number, name in enumerate(
        ("annotators", "proxy", "web1", "web2", "worker1", "worker2", "database", "redis"), start=1
    )
}


@contextmanager
def network() -> Iterator[None]:
    """A namespace for each host and one that connects them, all removed at the end."""
    try:
        _ip("netns", "add", "switch")
        _ip("-n", "switch", "link", "add", "bridge", "type", "bridge")
        _ip("-n", "switch", "link", "set", "bridge", "up")
        for number, (host, address) in enumerate(HOSTS.items()):
            _ip("netns", "add", host)
            _ip("-n", host, "link", "set", "lo", "up")
            _ip("-n", host, "link", "add", "eth0", "type", "veth", "peer", "name", f"port{number}", "netns", "switch")
            _ip("-n", host, "addr", "add", f"{address}/24", "dev", "eth0")
            _ip("-n", host, "link", "set", "eth0", "up")
            _ip("-n", "switch", "link", "set", f"port{number}", "master", "bridge", "up")
        yield
    finally:
        for host in ("switch", *HOSTS):
            subprocess.run(["ip", "netns", "del", host], check=False, stderr=subprocess.DEVNULL)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


def run(host: str, env: dict[str, str], *command: object) -> str:
    done = subprocess.run(
        ["ip", "netns", "exec", host, *map(str, command)],
        cwd=ROOT,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def start(
    stack: ExitStack,
    host: str,
    folder: Path,
    program: object,
    *arguments: object,
    env: dict[str, str] | None = None,
    account: str = "",
) -> subprocess.Popen[bytes]:
    """Start a program on a host. The program ends with the stack."""
    command = ["ip", "netns", "exec", host]
    command += ["runuser", "-u", account, "--"] if account else []
    log = stack.enter_context((folder / f"{host}-{Path(str(program)).name}.log").open("wb"))
    process = subprocess.Popen(
        [*command, str(program), *map(str, arguments)], cwd=ROOT if env else folder, env=env, stdout=log, stderr=log
    )
    stack.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def redis(stack: ExitStack, folder: Path) -> None:
    """Run Redis on its host."""
    options = ("--bind", HOSTS["redis"], "--save", "", "--protected-mode", "no")
    start(stack, "redis", folder, servers.redis_program(), *options)


def postgres(stack: ExitStack, folder: Path) -> None:
    """Run PostgreSQL with an empty database `accord` on its host."""
    programs, data = servers.postgres_programs(), folder / "postgres"
    if programs is None:
        raise SystemExit("PostgreSQL is missing: apt-get install postgresql")
    data.mkdir()
    os.chown(data, pwd.getpwnam("postgres").pw_uid, -1)
    options = ("--username=accord", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
    subprocess.run(
        ["runuser", "-u", "postgres", "--", programs / "initdb", "-D", data, *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (data / "pg_hba.conf").write_text("host all all 10.213.7.0/24 trust\n")
    settings = {
        "listen_addresses": HOSTS["database"],
        "unix_socket_directories": "",
        "max_connections": "200",
        "fsync": "off",
    }
    start(
        stack,
        "database",
        folder,
        programs / "postgres",
        "-D",
        data,
        *(part for name, value in settings.items() for part in ("-c", f"{name}={value}")),
        account="postgres",
    )
    wait(lambda: query("database", "postgres", "SELECT 1"))
    query("database", "postgres", "CREATE DATABASE accord")


def query(host: str, database: str, statement: str) -> str:
    script = (
        "import sys, psycopg\n"
        "with psycopg.connect(sys.argv[1], autocommit=True) as c:\n"
        "    r = c.execute(sys.argv[2])\n    print(r.fetchone()[0] if r.description else '')\n"
    )
    url = f"postgresql://accord@{HOSTS['database']}:5432/{database}"
    return run(host, dict(os.environ), sys.executable, "-c", script, url, statement).strip()


def pgbouncer(stack: ExitStack, folder: Path) -> str:
    """Run PgBouncer next to PostgreSQL with transaction pooling, and return the address of the pooled database."""
    config = folder / "pgbouncer.ini"
    config.write_text(
        f"[databases]\naccord = host={HOSTS['database']} port=5432 user=accord\n"
        f"[pgbouncer]\nlisten_addr = {HOSTS['database']}\nlisten_port = 6432\nauth_type = any\n"
        "pool_mode = transaction\nmax_client_conn = 500\ndefault_pool_size = 20\nunix_socket_dir =\n"
    )
    start(stack, "database", folder, "/usr/sbin/pgbouncer", config, account="postgres")
    return f"postgresql://accord@{HOSTS['database']}:6432/accord"


def haproxy(stack: ExitStack, folder: Path) -> None:
    """Run HAProxy in front of both web hosts, and wait until a web host responds."""
    config = folder / "haproxy.cfg"
    backends = "".join(f"    server {host} {HOSTS[host]}:8000 check\n" for host in ("web1", "web2"))
    config.write_text(
        "global\n    maxconn 5000\ndefaults\n    mode http\n    timeout connect 5s\n    timeout client 300s\n"
        "    timeout server 60s\n    option forwardfor\n    option http-server-close\n"
        f"frontend site\n    bind {HOSTS['proxy']}:80\n    default_backend web\n"
        f"backend web\n    balance leastconn\n    option httpchk GET /readyz\n"
        f"    http-check send hdr Host {HOSTS['proxy']}\n{backends}"
    )
    start(stack, "proxy", folder, "/usr/sbin/haproxy", "-f", config)
    script = f"from urllib.request import urlopen; urlopen('http://{HOSTS['proxy']}/readyz', timeout=3)"
    wait(lambda: run("annotators", dict(os.environ), sys.executable, "-c", script))


def wait(works: Callable[[], object]) -> None:
    for attempt in range(120):
        try:
            works()
        except subprocess.CalledProcessError:
            if attempt == 119:
                raise
            time.sleep(0.5)
        else:
            return
