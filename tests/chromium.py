"""A real Chromium for tests, with pages that fail a test if the console, the policy or the network reports an error."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from tests import servers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
WCAG_2_2_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
QUIET = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]

# How long tests wait for what a page must show. Pages take less than a second, but test processes share the cores.
WAIT = 30_000  # ms

# Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for the whole run of this process."""
    program = servers.chromium_program()
    if program is None:
        pytest.fail("Chromium is missing; as root: apt-get install chromium")
    # pytest imports hypothesis at the end of a run. Python 3.11 can no longer compile modules after an exception in one
    # of Playwright's greenlets ("AST constructor recursion depth mismatch"), so the import must come first.
    import hypothesis  # noqa: F401
    from playwright.sync_api import expect, sync_playwright  # a slow import, which only tests with a browser need

    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def expected_errors() -> list[str]:
    """Regular expressions of the complaints that this test provokes on purpose; append to it."""
    return []


@pytest.fixture
def open_page(chromium: Browser, live_server: Any, expected_errors: list[str]) -> Iterator[Callable[..., Page]]:
    """`open_page(width=1280, **context_options)`: a page of a new person, on the live server.

    Pages have no service worker unless the test passes `service_workers="allow"`, because a worker takes over the page
    at a moment that tests do not control.

    At the end the test fails if a page logged an error, threw one, broke its content security policy or asked another
    host for something, unless `expected_errors` has a pattern for it.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def logged(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def check_host(request: Request) -> None:
        host = urlsplit(request.url).hostname
        if host not in (None, "localhost", "127.0.0.1"):
            complaints.append(f"another host: {request.url}")

    def new(width: int = 1280, **options: Any) -> Page:
        viewport = {"width": width, "height": 844 if width < 768 else 900}
        usual = {"base_url": live_server.url, "viewport": viewport, "service_workers": "block"}
        context = chromium.new_context(**usual | options)
        contexts.append(context)
        context.set_default_timeout(WAIT)
        context.on("console", logged)
        context.on("weberror", lambda error: complaints.append(f"uncaught: {error.error}"))
        context.on("request", check_host)
        return context.new_page()

    yield new
    for context in contexts:
        context.close()
    _await_requests()
    unexpected = [text for text in complaints if not any(re.search(pattern, text) for pattern in expected_errors)]
    if unexpected:
        pytest.fail("the browser complained:\n" + "\n".join(unexpected), pytrace=False)


def _await_requests() -> None:
    """Let the live server end what closed pages still asked for, while it may use the database."""
    deadline = time.monotonic() + WAIT / 1000
    while time.monotonic() < deadline:
        if not any("process_request_thread" in thread.name for thread in threading.enumerate()):
            return
        time.sleep(0.01)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A page 1,280 px wide."""
    return open_page()


@pytest.fixture
def phone_page(open_page: Callable[..., Page]) -> Page:
    """A page on a phone 390 px wide, with touch."""
    return open_page(390, has_touch=True, is_mobile=True, device_scale_factor=2)


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """`axe(page)`: every WCAG 2.2 A and AA rule that axe-core knows, none switched off, on what is shown now."""
    return check_accessibility


def check_accessibility(page: Page) -> None:
    """Fail the test with what axe-core finds, one line an element."""
    page.wait_for_load_state()  # a click ends when the next page begins to arrive
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # A colour on its way to another has a contrast of its own.
    page.evaluate("() => Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    options = {"runOnly": {"type": "tag", "values": WCAG_2_2_AA}, "resultTypes": ["violations"]}
    violations = page.evaluate("options => axe.run(document, options).then(found => found.violations)", options)
    lines = [
        f"{rule['id']} ({rule['impact']}): {' '.join(map(str, node['target']))}\n    "
        + node["failureSummary"].replace("\n", "\n    ")
        for rule in violations
        for node in rule["nodes"]
    ]
    if lines:
        pytest.fail(f"axe finds on {page.url}:\n" + "\n".join(lines), pytrace=False)
