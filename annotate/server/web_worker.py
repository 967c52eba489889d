"""The web worker, for which gunicorn manages the processes and waitress handles HTTP.

    gunicorn annotate.wsgi --worker-class=annotate.server.web_worker.BufferingWorker --threads=8

gunicorn's own threaded worker reads each request in the thread that answers it, so a few half-sent requests can occupy
all threads. waitress reads all connections in one loop, and threads only get complete requests. Replies to slow clients
are sent from the same loop. Requests for static files and health checks have threads of their own, so that they are
answered even if all other threads wait for the database.
"""

from __future__ import annotations

import atexit
import logging
import os
import time
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from .connections import Channel

CONNECTIONS = 900  # per process, including idle connections; below the usual limit of 1,024 open files
IDLE = 60  # seconds until a connection without a complete request is closed
HEADER_BYTES = 32 * 1024
OWN_THREADS = 2  # for requests that need no database


class BufferingWorker(Worker):
    """A gunicorn worker whose threads receive only complete requests."""

    def run(self) -> None:
        """Serve requests until the arbiter stops this worker or the arbiter process itself ends."""
        from django.conf import settings

        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every request that waits
        channels: dict[int, Any] = {}
        server = new_server(
            self.wsgi,
            channels,
            sockets=[listener.sock for listener in self.sockets],
            _dispatcher=Dispatcher(self.cfg.threads, without_database=(settings.STATIC_URL, "/healthz")),
            max_request_body_size=settings.LIMIT_UPLOAD_BYTES + 1024 * 1024,  # a form around the largest file
        )
        while self.alive and self.ppid == os.getppid():
            self.notify()
            wasyncore.loop(timeout=1.0, map=channels, use_poll=True, count=1)
        self._finish(server, channels)
        # Python would take half a second to free the memory of this process, and the arbiter waits before it restarts.
        atexit.register(os._exit, 0)

    def _finish(self, server: Any, channels: dict[int, Any]) -> None:
        """Answer all complete requests, and stop after gunicorn's `graceful_timeout` at the latest."""
        for listener in [channel for channel in channels.values() if channel.accepting]:
            listener.del_channel()
            listener.socket.close()
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while any(_busy(channel) for channel in channels.values()) and time.monotonic() < deadline:
            self.notify()
            wasyncore.loop(timeout=0.2, map=channels, use_poll=True, count=1)
        server.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(channels)


def new_server(application: Any, channels: dict[int, Any], **options: Any) -> Any:
    """Return a waitress server that adds its listeners and connections to `channels`."""
    server = create_server(
        application,
        map=channels,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE,
        cleanup_interval=5,
        max_request_header_size=HEADER_BYTES,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=False,  # Django decides which proxies it trusts
        ident=None,
        **options,
    )
    for listener in [channel for channel in channels.values() if channel.accepting]:
        listener.channel_class = Channel
    return server


class Dispatcher:
    """A dispatcher with separate threads for the paths that need no database."""

    def __init__(self, threads: int, *, without_database: tuple[str, ...]) -> None:
        self._paths = without_database
        self._pages, self._files = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        self._pages.set_thread_count(threads)
        self._files.set_thread_count(OWN_THREADS)

    def add_task(self, task: Any) -> None:
        """Queue the next request of a connection, or a question about it."""
        path = getattr(task.requests[0], "path", "") if isinstance(task, HTTPChannel) else ""
        (self._files if path.startswith(self._paths) else self._pages).add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> None:
        """Wait up to `timeout` seconds for the threads to end."""
        self._pages.shutdown(cancel_pending, timeout)
        self._files.shutdown(cancel_pending, timeout)


def _busy(channel: Any) -> bool:
    return isinstance(channel, HTTPChannel) and bool(channel.requests or channel.total_outbufs_len)
