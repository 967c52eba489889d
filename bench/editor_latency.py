"""The editor's response times on a processor 4 × slower: 60 by 60 words, 200 links.

    python -m bench.editor_latency [--tokens 60] [--links 200] [--rounds 3] [--actions 20]

A response ends when the next frame has been prepared for painting. The benchmark measures it as time on the clock and
as CPU time of the page's main thread, on the slowed and on the full processor. Other load on the machine affects the
clock more: the first line is a key press that changes nothing, and shows what the machine itself takes. The aims are 50
ms for choosing, linking and each frame of a drag and 100 ms for undo (95th percentile), and 100 ms for the longest
frame of a drag. Printed are medians of the rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

import django
from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.editor import cpu, p95, show
from tests import servers
from tests.aligning import centre, site

SLOWER = 4
NOTHING = "nothing"
AIMS = {
    NOTHING: 50,
    "choose a word": 50,
    "link it": 50,
    "undo": 100,
    "choose by keys": 50,
    "link by keys": 50,
    "drag": 50,
}
LONGEST_FRAME = 100  # ms while dragging
MOVES = 60

# The time from each input to the frame that shows its effect.
RECORD = """() => {
  window.responses = [];
  for (const type of ["pointerdown", "pointerup", "pointermove", "keydown"])
    addEventListener(type, ({ timeStamp }) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.responses.push(performance.now() - timeStamp);
      channel.port2.postMessage(0);
    }), true);
}"""
DRAWN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  setTimeout(() => done(window.responses.splice(0)));
})))"""


class Response(NamedTuple):
    """What one action, or one move of a drag, takes in ms."""

    clock: float
    processor: float


def main() -> None:
    """Print the figures of both processors, with the aims that are not reached on the slow one."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("tokens", 60), ("links", 200), ("rounds", 3), ("actions", 20)):
        options.add_argument(f"--{name}", type=int, default=usual)
    size = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()  # the editor's texts are in templates
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=["--no-sandbox"])
        for width, layout in ((1280, "columns"), (5000, "rows")):
            figures = {}
            for rate in (1, SLOWER):
                page = browser.new_page(viewport={"width": width, "height": 1700})
                show(page, address, size.tokens, size.links)
                if layout == "rows":
                    page.add_style_tag(content=".an-main:has(.align) { max-inline-size: none }")
                    page.wait_for_selector(".board.rows")
                figures[rate] = measured(page, rate, size)
                page.close()
            report(layout, size, figures)
        browser.close()


def measured(page: Page, rate: int, size: argparse.Namespace) -> dict[str, list[list[Response]]]:
    """Return the responses to each kind of action by round."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    client.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.evaluate(RECORD)
    found: dict[str, list[list[Response]]] = {name: [] for name in AIMS}
    for _ in range(size.rounds):
        for name, responses in one_round(page, client, size).items():
            found[name].append(responses)
    return found


def one_round(page: Page, client: CDPSession, size: argparse.Namespace) -> dict[str, list[Response]]:
    """Choose words, link them with far and near words, undo each link, and drag a link over the whole board."""
    mouse, keyboard = page.mouse, page.keyboard
    found: dict[str, list[Response]] = {name: [] for name in AIMS}
    firsts, seconds = cycle(range(3, size.tokens, 7)), cycle(range(5, size.tokens, 11))

    def spent(act: Callable[[], Any]) -> Response:
        before = cpu(client)
        act()
        clock = page.evaluate(DRAWN)
        return Response(max(clock, default=0), 1000 * (cpu(client) - before))

    own = statistics.median(spent(lambda: None).processor for _ in range(9))  # what the measurement itself takes

    def timed(name: str, *acts: Callable[[], Any]) -> None:
        responses = [spent(act) for act in acts]  # a press and its release are two inputs
        clock, processor = (max(times) for times in zip(*responses, strict=True))
        found[name].append(Response(clock, processor - own))

    for _ in range(size.actions):
        timed(NOTHING, lambda: keyboard.press("F9"))
        first, second = centre(page, 0, next(firsts)), centre(page, 1, next(seconds))
        mouse.move(*first)
        page.evaluate(DRAWN)
        timed("choose a word", mouse.down, mouse.up)
        mouse.move(*second)
        page.evaluate(DRAWN)
        timed("link it", mouse.down, mouse.up)
        timed("undo", lambda: keyboard.press("z"))
        timed("choose by keys", lambda: keyboard.press("ArrowDown"))
        keyboard.press("Space")
        keyboard.press("ArrowLeft")
        page.evaluate(DRAWN)
        timed("link by keys", lambda: keyboard.press("Space"))
        keyboard.press("Escape")
        keyboard.press("z")
        page.evaluate(DRAWN)
    mouse.move(*centre(page, 0, size.tokens // 2))
    mouse.down()
    box = page.locator(".board").bounding_box()
    assert box
    for number in range(MOVES):
        share = number / MOVES
        x, y = box["x"] + box["width"] * (1 - share % 0.1), box["y"] + box["height"] * share
        timed("drag", partial(mouse.move, x, y))
    keyboard.press("Escape")
    mouse.up()
    page.evaluate(DRAWN)
    return found


def report(layout: str, size: argparse.Namespace, figures: dict[int, dict[str, list[list[Response]]]]) -> None:
    print(f"{layout}, {size.tokens} × {size.tokens} words, {size.links} links; median and p95 in ms")
    print(f"  {'':<16}{'processor ÷ ' + str(SLOWER):>15}{'on the clock':>15}{'full processor':>18}{'on the clock':>15}")
    for name, limit in AIMS.items():
        cells = []
        for rate in (SLOWER, 1):
            for part in ("processor", "clock"):
                rounds = [sorted(getattr(each, part) for each in one) for one in figures[rate][name]]
                cells.append(f"{of(statistics.median, rounds):5.1f} {of(p95, rounds):6.1f}")
        slow = [sorted(each.processor for each in one) for one in figures[SLOWER][name]]
        note = f"  aim {limit}" if of(p95, slow) > limit else ""
        print(f"  {name:<16}{cells[0]:>15}{cells[1]:>15}{cells[2]:>18}{cells[3]:>15}{note}")
    longest = of(max, [[each.processor for each in one] for one in figures[SLOWER]["drag"]])
    print(f"  longest frame of the drag: {longest:.1f} ms (aim {LONGEST_FRAME})")


def of(figure: Callable[[list[float]], float], rounds: list[list[float]]) -> float:
    """Return the median of this figure over the rounds."""
    return statistics.median(figure(times) for times in rounds)


if __name__ == "__main__":
    main()
