"""Small web servers inside the test process, for pages that Accord itself does not serve."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SHUTDOWN_POLL = 0.02  # seconds. The default of 0.5 s delays the end of each server.


class Handler(SimpleHTTPRequestHandler):
    """A request handler without a log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Suppress the log."""


class _Server(ThreadingHTTPServer):
    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer the request in a thread with a different name from those of the live server, which tests wait for.

        Chromium opens connections in advance. The thread of such a connection lives as long as the browser's context.
        """
        arguments = (request, client_address)
        threading.Thread(target=self.process_request_thread, args=arguments, name="local site", daemon=True).start()


@contextmanager
def local_site(handler: Any) -> Iterator[str]:
    """Serve requests with this handler on a free port until the block ends. Yields the address without a slash."""
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(SHUTDOWN_POLL,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
