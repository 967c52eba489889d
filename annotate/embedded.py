"""`accord serve`: the whole of Accord in one process, for a laptop or a small group.

gunicorn keeps one worker process; in it are the web threads, a Celery worker thread on the in-memory broker and the
beat thread that rings for waiting jobs. Jobs that a crash or a restart interrupted are rung again at the start:
their rows are the truth, the queue in memory is not. With Redis the same code runs as several processes
(`docs/deployment.md`).
"""

import logging
import os
import signal
import socket
import threading
import warnings
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from celery import Celery

STOP_WITHIN = 5.0  # seconds that a job in progress is given when the server stops; then it is rung again at the start


@click.command(short_help="Serve pages, API and jobs from this one process.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="TCP port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--threads", type=click.IntRange(1), default=16, show_default=True, help="Requests answered at once.")
def serve(port: int, host: str, threads: int) -> None:
    """Serve pages, API and jobs from this one process, bringing the database up to date first.

    Data are in SQLite below ACCORD_DATA unless DATABASE_URL names another database. Ctrl-C ends it.
    """
    if os.environ.get("REDIS_URL"):
        raise click.ClickException(
            "REDIS_URL is set, and `accord serve` keeps its queue in memory; unset it, "
            "or run gunicorn, the Celery worker and beat as docs/deployment.md says."
        )
    refuse_taken_port(host, port)
    _application(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", threads).run()


def refuse_taken_port(host: str, port: int) -> None:
    """Raise a `ClickException` of one line when nobody could listen there; gunicorn would retry for five seconds."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(f"cannot listen on {host}:{port}: {reason}; choose another with --port.") from error


def _application(bind: str, threads: int) -> Any:
    from gunicorn.app.base import BaseApplication

    jobs = JobThreads()
    # Static files are served from where they are; that nobody has collected them is as it should be.
    warnings.filterwarnings("ignore", "No directory at", UserWarning)

    def start(worker: Any) -> None:
        from django.core.management import call_command
        from django.db import connections

        from annotate.services.jobs import start_again_after_restart

        call_command("migrate", verbosity=0, interactive=False)
        start_again_after_restart()
        connections.close_all()  # this thread goes on to accept requests, and asks the database no more
        jobs.start()

    class Embedded(BaseApplication):  # type: ignore[misc, unused-ignore]
        def load_config(self) -> None:
            options = {
                "bind": bind,
                "worker_class": "annotate.web.BufferingWorker",
                "workers": 1,  # SQLite has one writer, and the queue is in this process's memory
                "threads": threads,
                "preload_app": False,  # threads do not survive a fork
                "timeout": 300,  # a job in numpy may hold the interpreter for a while
                "graceful_timeout": 10,
                "loglevel": "warning",
                "control_socket_disable": True,
                "when_ready": lambda server: click.echo(f"Accord listens on http://{bind} (Ctrl-C ends it)."),
                # Ctrl-C reaches both processes. The first one tells the second; twice at once, gunicorn can deadlock.
                "post_fork": lambda server, worker: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}),
                "post_worker_init": start,
                "worker_exit": lambda server, worker: jobs.stop(),
            }
            for name, value in options.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            from annotate.wsgi import application

            return application

    return Embedded()


class JobThreads:
    """A Celery worker and beat as two threads of this process, started and stopped together."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._beat: Any = None

    def start(self) -> None:
        """Start both."""
        from celery.beat import EmbeddedService, Scheduler

        from annotate.celery import app

        app.send_task("annotate.tasks.start_again_after_restart")
        worker = threading.Thread(target=_work, args=(app,), name="celery-worker", daemon=True)
        self._beat = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)  # its times need not outlive us
        self._threads = [worker, self._beat]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let a job in progress end, for `STOP_WITHIN` seconds; the threads are daemons, and go with the process."""
        if not self._threads:
            return
        from annotate.celery import app
        from annotate.services.job_leases import release_all

        self._beat.service.stop(wait=False)
        logging.getLogger("celery.worker.control").setLevel(logging.ERROR)  # it warns of a shutdown "from remote"
        app.control.shutdown()  # a message, because it wakes the worker from waiting for one
        for thread in self._threads:
            thread.join(STOP_WITHIN)
        release_all()  # a job in progress starts again with the server; this does not count as a failure of the job
        self._threads = []


def _work(app: "Celery") -> None:
    """Run a worker in this thread: `WorkController` is the one that installs no signal handlers."""
    from celery.worker import WorkController

    WorkController(
        app=app,
        hostname="embedded@localhost",
        pool_cls="solo",
        concurrency=1,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    ).start()
