"""The work page on slow connections: time to the first question, requests, bytes, layout shift, and the time of Next.

    script/bench pages [--checkout FOLDER] [--task bws]

The benchmark serves the demonstration from a checkout with `accord serve`, opens each study in an empty browser and
presses Take part. The time to the first question begins with this press and ends when the question has been painted.
The layout shift is the largest session window, as in Lighthouse. The time of Next is measured while every reply of the
server takes 3 seconds. The benchmark fails if a figure exceeds its limit.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
CONNECTIONS = {"slow 3G": (400, 400), "fast 3G": (1_600, 150)}  # kbit/s and ms
MOST_SECONDS = {"slow 3G": 8.0, "fast 3G": 3.0}
MOST_SHIFT = 0.05
SERVER_DELAY = 3_000  # ms
MOST_WAIT = 200  # ms from Next to the painted question
# The measured task types, by the names with which the demonstration prints their links.
TASKS = {"Best": "bws", "Paraphrase": "paraphrase", "Word": "words", "Chunk": "chunks"}

# Records layout shifts from the start, and the moment at which the first question is on screen.
RECORD = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, startTime } of list.getEntries())
    if (!hadRecentInput) window.shifts.push([startTime, value]);
}).observe({ type: "layout-shift", buffered: true });
const watch = () => {
  const question = document.getElementById("question");
  if (question?.textContent && question.offsetHeight)
    requestAnimationFrame(() => requestAnimationFrame(() => (window.firstQuestion ??= performance.now())));
  else requestAnimationFrame(watch);
};
watch();
"""
# Measures from a press of Enter until the next question has been painted.
NEXT = """() => {
  const bar = document.getElementById("progress");
  const before = bar.getAttribute("aria-valuenow");
  let pressed = null;
  addEventListener("keydown", ({ key }) => { if (key === "Enter") pressed ??= performance.now(); }, { capture: true });
  window.next = new Promise((resolve) => {
    const look = () => {
      if (bar.getAttribute("aria-valuenow") === before) requestAnimationFrame(look);
      else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - pressed)));
    };
    look();
  });
}"""


def main() -> int:
    """Print the figures of each task type. Return 1 if a figure exceeds its limit."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--checkout", type=Path, default=ROOT, help="Checkout whose server is measured.")
    options.add_argument("--task", action="append", help="Task type to measure, or `next` for the time of Next.")
    arguments = options.parse_args()
    within = True
    with serving(arguments.checkout) as links, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=["--no-sandbox"])
        print(f"{'task type':<12} {'connection':<10} {'seconds':>8} {'requests':>8} {'bytes':>8} {'shift':>6}")
        for task, link in links.items():
            if arguments.task and task not in arguments.task:
                continue
            for connection in CONNECTIONS:
                within &= first_question(browser, task, link, connection)
        if not arguments.task or "next" in arguments.task:
            within &= time_of_next(browser, links["bws"])
        browser.close()
    return int(not within)


@contextmanager
def serving(checkout: Path) -> Iterator[dict[str, str]]:
    """Serve the demonstration. Yield the link of each task type's study."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        port = servers.free_port()
        site = f"http://127.0.0.1:{port}"
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environment |= {"ACCORD_DATA": folder, "ACCORD_SITE_URL": site}
        program = checkout / ".venv" / "bin"
        for command in (["migrate", "--verbosity", "0"], ["demo"]):
            done = subprocess.run(
                [program / "python", "manage.py", *command],
                cwd=checkout,
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
        links = re.findall(r"^ +(.+?): +(http\S+/join/\S+)$", done.stdout, re.MULTILINE)
        server = subprocess.Popen([program / "accord", "serve", "--port", str(port)], cwd=checkout, env=environment)
        try:
            await_site(site)
            yield {task: link for name, link in links for start, task in TASKS.items() if name.startswith(start)}
        finally:
            server.terminate()
            server.wait(30)


def await_site(site: str) -> None:
    """Wait until the server responds."""
    end = monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(f"{site}/healthz"):  # noqa: S310 - the address of this benchmark's server
                return
        except (urllib.error.URLError, ConnectionError):
            if monotonic() > end:
                raise
            sleep(0.2)


def first_question(browser: Browser, task: str, link: str, connection: str) -> bool:
    """Measure and print the first question of a study. Return whether the figures are within the limits."""
    page = join_page(browser, link)
    client = page.context.new_cdp_session(page)
    kilobits, latency = CONNECTIONS[connection]
    sizes: list[float] = []
    client.send("Network.enable")
    client.send("Network.clearBrowserCache")
    client.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    throttle(client, kilobits * 1000 / 8, latency)
    page.add_init_script(RECORD)
    start(page)
    seconds = until_first_question(page) / 1000
    requests, size = len(sizes), sum(sizes)
    throttle(client, -1, 0)
    page.wait_for_timeout(1500)  # late shifts
    shift = largest_window(page.evaluate("window.shifts"))
    print(f"{task:<12} {connection:<10} {seconds:8.1f} {requests:8} {size:8,.0f} {shift:6.3f}", flush=True)
    page.context.close()
    return seconds <= MOST_SECONDS[connection] and shift < MOST_SHIFT


def until_first_question(page: Page) -> float:
    """Wait for the first question, and return its time in milliseconds."""
    for _ in range(600):
        page.wait_for_timeout(100)
        if page.url.find("/a/") > 0:
            moment = page.evaluate("window.firstQuestion ?? 0")
            if moment:
                return float(moment)
    raise SystemExit(f"The first question did not appear on {page.url} within a minute.")


def time_of_next(browser: Browser, link: str) -> bool:
    """Measure and print the time from Next to the next question while the server takes 3 seconds for each reply."""
    page = join_page(browser, link)
    start(page)
    page.locator("#question", has_text=re.compile(r"\w")).wait_for()
    page.wait_for_timeout(2000)
    throttle(page.context.new_cdp_session(page), -1, SERVER_DELAY)
    times = []
    total = int(page.locator("#progress").get_attribute("aria-valuemax") or 0)
    for _ in range(min(3, total - 1)):  # the last question submits the HIT, which waits for the reply
        page.keyboard.press("1")
        page.keyboard.press("Shift+Digit2")
        page.evaluate(NEXT)
        page.keyboard.press("Enter")
        times.append(page.evaluate("window.next"))
        if page.locator("#feedback h1").is_visible():
            break  # this practice or gold answer was answered differently
    page.context.close()
    print(
        f"Next to painted question, server {SERVER_DELAY / 1000:.0f} s: {', '.join(f'{time:.0f}' for time in times)} ms"
    )
    return max(times) <= MOST_WAIT


def join_page(browser: Browser, link: str) -> Page:
    """Return a page on which a new annotator can take part in the study."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(link)
    for box in page.locator("input[type=checkbox]").all():
        box.check()
    return page


def start(page: Page) -> None:
    page.locator("form .b-main").first.click(no_wait_after=True)


def throttle(client: CDPSession, bytes_per_second: float, latency: int) -> None:
    client.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": latency,
            "downloadThroughput": bytes_per_second,
            "uploadThroughput": bytes_per_second,
        },
    )


def largest_window(shifts: list[Any]) -> float:
    """Return the largest sum of shifts that are at most 1 s apart and within 5 s, as Lighthouse counts them."""
    largest = total = 0.0
    began = last = float("-inf")
    for moment, value in shifts:
        if moment - last > 1000 or moment - began > 5000:
            began, total = moment, 0.0
        total, last = total + value, moment
        largest = max(largest, total)
    return largest


if __name__ == "__main__":
    sys.exit(main())
