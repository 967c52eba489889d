"""The `accord serve` command: one process on SQLite or, with Redis, the processes of a larger installation."""

import os

import click

from annotate.cli.types import WholeRange
from annotate.server.own_names import bracketed
from annotate.server.site_address import address_of

from .embedded import THREADS, prepare, refuse_taken_port, run_server
from .services import NAMES, Size, run_services

SIZE = Size(web_processes=3, threads=8, jobs=2)  # unless options change it
ALL = "all"


@click.command(short_help="Run the pages, the API and the jobs.")
@click.option("--port", type=WholeRange(1, 65535), default=8000, show_default=True, help="TCP port to listen on.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--threads",
    type=WholeRange(1),
    help="Number of requests that each web process can handle at the same time.",
    show_default=f"{THREADS}, or {SIZE.threads} with Redis",
)
@click.option(
    "--web-processes",
    type=WholeRange(1),
    show_default=str(SIZE.web_processes),
    help="With Redis, number of web processes.",
)
@click.option(
    "--jobs",
    type=WholeRange(1),
    show_default=str(SIZE.jobs),
    help="With Redis, number of jobs that the worker runs at the same time, besides one long job.",
)
@click.option(
    "--processes",
    type=click.Choice([ALL, *NAMES]),
    show_default=ALL,
    help="With Redis, run only these processes, for example in a container of their own.",
)
@click.pass_context
def serve(
    ctx: click.Context,
    port: int,
    host: str,
    threads: int | None,
    web_processes: int | None,
    jobs: int | None,
    processes: str | None,
) -> None:
    """Run Accord's pages, API and background jobs. The command updates the database first. The data is stored in SQLite
    in the folder ACCORD_DATA unless DATABASE_URL names another database. Press Ctrl-C to stop.

    Without REDIS_URL, Accord runs in one process. With REDIS_URL, it runs several web processes, a worker for jobs, a
    worker for imports and other long jobs, and beat, which starts periodic jobs.
    """
    if os.environ.get("REDIS_URL"):
        names = NAMES if processes in (None, ALL) else (processes,)
        if "web" in names:
            refuse_taken_port(host, port)
        size = Size(web_processes or SIZE.web_processes, threads or SIZE.threads, jobs or SIZE.jobs)
        ctx.exit(run_services(names, f"{bracketed(host)}:{port}", size))
    if web_processes or jobs or processes:
        raise click.UsageError(
            "--web-processes, --jobs and --processes need REDIS_URL. Without it, everything runs in one process"
        )
    refuse_taken_port(host, port)
    os.environ.setdefault("ACCORD_SITE_URL", address_of(host, port))  # before the settings are read
    prepare()
    run_server(host, port, threads or THREADS)
