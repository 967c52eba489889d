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
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request

    from annotate.models import User

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
WCAG_2_2_AA = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOUR_RULES = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
QUIET = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]

# Chromium loads two pages for the suggestions of the address bar in every tab, and keeps a spare process in every
# context. Tests use neither, and both would take half of the time that Chromium needs to open a page.
UNUSED = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "PreloadTopChromeWebUI", "SpareRendererForSitePerProcess"]
# Playwright disables these features. The list of this option replaces Playwright's list.
UNUSED += ["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "MediaRouter"]
UNUSED += ["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "PaintHolding", "ThirdPartyStoragePartitioning"]
UNUSED += ["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"]
UNUSED += ["PreconnectToSearch"]
QUIET.append(f"--disable-features={','.join(UNUSED)}")

LIVE_SERVER = "localhost"  # the host of pytest-django's live server

# How long tests wait for what a page must show. Pages take less than a second, but test processes share the cores.
WAIT = 30_000  # ms

# What htmx logs for an aborted request. For a request that failed, it logs another line beside htmx:afterRequest.
GIVEN_UP = re.compile("htmx:(sendAbort|afterRequest), ")

# With TEST_SLOW_BROWSER=6, pages take six times as long. This finds tests that look at a page before it is ready.
SLOWED = float(os.environ.get("TEST_SLOW_BROWSER", "1"))

# Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that control a browser."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    """Start Playwright for all tests of this process."""
    # pytest imports hypothesis at the end of a run. Python 3.11 can no longer compile modules after an exception in one
    # of Playwright's greenlets ("AST constructor recursion depth mismatch"), so the import must come first.
    import hypothesis  # noqa: F401
    from playwright.sync_api import expect, sync_playwright  # a slow import, which only tests with a browser need

    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright_driver: Playwright) -> Iterator[Browser]:
    """Start one Chromium for all tests of this process. Its pages always have the focus."""
    yield from _browser(playwright_driver, servers.headless_shell() or servers.chromium_program())


@pytest.fixture(scope="session")
def chromium_with_windows(playwright_driver: Playwright) -> Iterator[Browser]:
    """Start a complete Chromium, in which a page loses the focus to another tab."""
    yield from _browser(playwright_driver, servers.chromium_program())


def _browser(playwright: Playwright, program: Path | None) -> Iterator[Browser]:
    if program is None:
        pytest.fail("Chromium is missing; as root: apt-get install chromium")
    browser = playwright.chromium.launch(executable_path=program, args=QUIET)
    yield browser
    browser.close()


@pytest.fixture
def expected_errors() -> list[str]:
    """Return a list of regular expressions for the errors that the test causes on purpose. Tests append to the list."""
    return []


@pytest.fixture
def open_page(chromium: Browser, live_server: Any, expected_errors: list[str]) -> Iterator[Callable[..., Page]]:
    """Return `open_page(width=1280, **context_options)`, which opens a page of a new person on the live server.

    Pages have no service worker unless the test passes `service_workers="allow"`, because a worker takes over the page
    at a moment that tests do not control.

    At the end, the test fails if a page logged or threw an error, violated its content security policy, or sent a
    request to another host, unless a pattern in `expected_errors` matches. Requests that htmx gives up are no errors:
    a newer search replaces the one before, and leaving a page ends what it still asks for.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    earlier = _request_threads()  # a connection that another test left open

    def logged(message: ConsoleMessage) -> None:
        if message.type == "error" and not GIVEN_UP.match(message.text):
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
        if SLOWED > 1:
            context.on("page", _slow_down)
        return context.new_page()

    yield new
    for context in contexts:
        context.close()
    _await_requests(earlier)
    unexpected = [text for text in complaints if not any(re.search(pattern, text) for pattern in expected_errors)]
    if unexpected:
        pytest.fail("the browser complained:\n" + "\n".join(unexpected), pytrace=False)


def _slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})


def add_cookie(page: Page, name: str, value: str, host: str = LIVE_SERVER) -> None:
    """Set a cookie of a host without a request.

    Playwright would keep the connection of a request open, and the server's thread would keep its database connection.
    """
    page.context.add_cookies([{"name": name, "value": value, "domain": host, "path": "/"}])


def add_session(page: Page, user: User) -> None:
    """Sign the user in without the form."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    add_cookie(page, "sessionid", client.cookies["sessionid"].value)


def _await_requests(earlier: set[threading.Thread]) -> None:
    """Let the live server finish the requests of closed pages while it can use the database."""
    deadline = time.monotonic() + WAIT / 1000
    while _request_threads() - earlier and time.monotonic() < deadline:
        time.sleep(0.01)


def _request_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if "process_request_thread" in thread.name}


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """Open a page with a width of 1,280 px."""
    return open_page()


@pytest.fixture
def phone_page(open_page: Callable[..., Page]) -> Page:
    """Open a page on a phone with a width of 390 px and touch input."""
    return open_page(390, has_touch=True, is_mobile=True, device_scale_factor=2)


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """Return `axe(page)`, which checks the visible page against every WCAG 2.2 A and AA rule of axe-core."""
    return check_accessibility


def on_each_screen(page: Page, widths: tuple[int, ...] = (390, 1280)) -> Iterator[int]:
    """Resize the page to each width, check that no element extends beyond the width, and yield the width."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844 if width < 768 else 900})
        check_width(page)
        yield width


def check_width(page: Page) -> None:
    """Check that no element extends beyond the width of the window.

    The check waits, because a new page can be empty at first, and because the editors draw themselves again only after
    the browser has resized the page.
    """
    page.wait_for_load_state()
    width = page.viewport_size["width"] if page.viewport_size else 0
    deadline = time.monotonic() + WAIT / 1000
    while not page.evaluate("width => document.body && document.documentElement.scrollWidth <= width", width):
        assert time.monotonic() < deadline, f"{page.url} is wider than {width} px"
        page.wait_for_timeout(50)


def check_in_both_themes(page: Page) -> None:
    """Check the visible page in the dark theme and in the light theme. The page stays in the light theme.

    The themes differ only in colours, so the light theme is checked only against the rules about colours. Colours
    change without transitions, because a transition in a closed `<details>` never ends.
    """
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    check_accessibility(page)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    check_accessibility(page, COLOUR_RULES)


def check_accessibility(page: Page, rules: dict[str, Any] = WCAG_2_2_AA) -> None:
    """Fail the test with the violations of these rules that axe-core reports, one line per element."""
    page.wait_for_load_state()  # a click ends when the next page begins to arrive
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # During a transition, a colour has a different contrast.
    page.evaluate("() => Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    violations = page.evaluate("options => axe.run(document, options).then(found => found.violations)", options)
    lines = [
        f"{rule['id']} ({rule['impact']}): {' '.join(map(str, node['target']))}\n    "
        + node["failureSummary"].replace("\n", "\n    ")
        for rule in violations
        for node in rule["nodes"]
    ]
    if lines:
        pytest.fail(f"axe finds on {page.url}:\n" + "\n".join(lines), pytrace=False)
