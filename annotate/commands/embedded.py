"""The embedded server runs Accord in one process for a single user or a small group.

gunicorn runs one worker process. It contains the web threads, a Celery worker thread for each in-memory queue, and a
beat thread that queues waiting jobs. Jobs that were interrupted by a crash or a restart are queued again at the start,
because their state is in the database. With Redis, `accord serve` runs several processes instead (see services.py).
"""

import logging
import os
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from annotate.server.own_names import bracketed
from annotate.server.site_address import record_address

if TYPE_CHECKING:
    from celery import Celery

THREADS = 16
STOP_WITHIN = 5.0  # seconds for a job in progress to finish when the server stops; otherwise it starts again later


def run_server(
    host: str, port: int, threads: int = THREADS, *, ready: str = "", at_end: Callable[[], None] = lambda: None
) -> None:
    """Run the embedded server, after `prepare`, until it is stopped. When the server is ready, print the text `ready`
    or, by default, the server's address. `at_end` is called after the web process has ended.
    """
    bind = f"{bracketed(host)}:{port}"
    ready = ready or f"Accord is running at http://{bind}. Press Ctrl-C to stop Accord.{_first_account()}"
    _application(bind, threads, ready, at_end).run()


def _first_account() -> str:
    """Return how to create an account if nobody can sign in yet."""
    from django.db import connections

    from annotate.models import User

    has_accounts = User.objects.exists()
    connections.close_all()  # the web process must not inherit connections
    if has_accounts:
        return ""
    return (
        "\nThere is no account yet. To create yours, run `accord account invite EMAIL` in another terminal, and open "
        "the link that it prints."
    )


def prepare() -> None:
    """Set up Django and update the database. Raises a `ClickException` if the database cannot be used.

    The web process inherits everything that this loads. It must not inherit connections.
    """
    # The embedded server reads static files from their source folders, so it does not need a folder of collected files.
    warnings.filterwarnings("ignore", "No directory at", UserWarning)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import CommandError, call_command
    from django.db import connection, connections

    from annotate.server.database_faults import reported

    with reported():
        if "annotate_study" not in connection.introspection.table_names():
            click.echo("accord: note: creating the database, which can take half a minute", err=True)
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except CommandError as error:
            raise click.ClickException(str(error)) from error
    connections.close_all()
    try:
        record_address(settings.DATA_DIR, settings.SITE_URL)
    except OSError as error:  # the data folder can be read-only if the database is elsewhere
        click.echo(f"accord: note: the address of this server cannot be recorded: {error}", err=True)


def refuse_taken_port(host: str, port: int) -> None:
    """Raise a `ClickException` if the port is in use. Without this check, gunicorn would repeatedly try to open the
    port for five seconds.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            f"cannot listen on {host}:{port}: {reason}. Choose another port with --port."
        ) from error


def _application(bind: str, threads: int, ready: str, at_end: Callable[[], None]) -> Any:
    from gunicorn.app.base import BaseApplication

    jobs = JobThreads()
    hangs_up = signal.getsignal(signal.SIGHUP) != signal.SIG_IGN  # not under nohup

    def start(server: Any) -> None:
        if hangs_up:  # gunicorn would start new processes, although nobody can press Ctrl-C in a closed terminal
            signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        click.echo(ready)

    class Embedded(BaseApplication):  # type: ignore[misc, unused-ignore]
        def load_config(self) -> None:
            options = {
                "bind": bind,
                "worker_class": "annotate.server.web_worker.BufferingWorker",
                "workers": 1,  # SQLite has one writer, and the queue is in the memory of this process
                "threads": threads,
                "preload_app": False,  # threads do not survive a fork
                "timeout": 300,  # a job in numpy may hold the interpreter for a while
                "graceful_timeout": 10,
                "loglevel": "warning",
                "control_socket_disable": True,
                "when_ready": start,
                "on_exit": lambda server: at_end(),
                # Ctrl-C reaches both processes. The worker ignores Ctrl-C and waits for the arbiter's signal, because
                # gunicorn can deadlock if both signals arrive at the same time.
                "post_fork": lambda server, worker: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}),
                "post_worker_init": lambda worker: jobs.start(),
                "worker_exit": lambda server, worker: jobs.stop(),
            }
            for name, value in options.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            from annotate.wsgi import application

            return application

    return Embedded()


class JobThreads:
    """A Celery worker per queue and a beat scheduler. They run in threads of this process, and start and stop
    together.
    """

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._beat: Any = None

    def start(self) -> None:
        """Start the threads."""
        from celery.beat import EmbeddedService, Scheduler
        from django.conf import settings

        from annotate.celery import app, application

        app.send_task("annotate.tasks.start_again_after_restart")
        # `application` makes its result the current application of the thread that calls it.
        long = application()
        app.set_current()
        for each in (app, long):  # a task that one thread imports would change the tasks that another one is reading
            each.loader.import_default_modules()
            each.finalize()
        workers = [
            threading.Thread(target=_work, args=(worker_app, queue), name=f"celery-worker-{queue}", daemon=True)
            for worker_app, queue in ((app, settings.CELERY_TASK_DEFAULT_QUEUE), (long, settings.LONG_QUEUE))
        ]
        self._beat = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)  # its schedule is not stored
        self._threads = [*workers, self._beat]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop the threads. A running job has `STOP_WITHIN` seconds to finish before the process ends."""
        if not self._threads:
            return
        from annotate.celery import app
        from annotate.core.services.job_leases import release_all

        self._beat.service.stop(wait=False)
        logging.getLogger("celery.worker.control").setLevel(logging.ERROR)  # it warns of a shutdown "from remote"
        app.control.shutdown()  # a message, because it wakes the workers from waiting for one
        deadline = time.monotonic() + STOP_WITHIN
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        release_all()  # a job in progress starts again with the server; this does not count as a failure of the job
        self._threads = []


def _work(app: "Celery", queue: str) -> None:
    """Run a Celery worker for one queue in this thread.

    Unlike Celery's other workers, `WorkController` does not install any signal handlers.
    """
    from celery.worker import WorkController

    WorkController(
        app=app,
        hostname=f"{queue}@localhost",
        queues=[queue],
        pool_cls="solo",
        concurrency=1,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    ).start()
