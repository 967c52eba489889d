"""The drawing time of the browser while a link is dragged: 50 by 50 words, 400 links.

    python -m bench.editor [--tokens 50] [--links 400] [--moves 300]

A scripted pointer moves over the other sentence like a mouse. The benchmark measures three times: the CPU time of the
page's main thread per move; the time for script, style, layout and the preparation of painting; and the time between
two frames. Other load on the machine affects the last two. A frame at 60 Hz takes 16.7 ms.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
from itertools import pairwise
from typing import Any

import django
from playwright.sync_api import CDPSession, Page, sync_playwright

from tests import servers
from tests.aligning import centre, open_editor, site

FRAME = 1000 / 60  # ms
STRETCH = 10  # number of moves between two readings of the processor clock

# Calls back for each frame, and again when the frame has been laid out and painted into the display list.
RECORD = """() => {
  window.frames = []; let before = 0;
  const tick = (at) => {
    const frame = { gap: before ? at - before : 0, work: 0 };
    before = at;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { frame.work = performance.now() - at; };
    channel.port2.postMessage(0);
    window.frames.push(frame);
    window.recording = requestAnimationFrame(tick);
  };
  window.recording = requestAnimationFrame(tick);
}"""


def main() -> int:
    """Print the figures for each layout. Return 1 if the 95th percentile of CPU time exceeds a frame."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("tokens", 50), ("links", 400), ("moves", 300)):
        options.add_argument(f"--{name}", type=int, default=usual)
    arguments = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()  # the editor's texts are in templates
    late = False
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=["--no-sandbox"])
        for layout, width in (("rows", 5000), ("columns", 1280)):
            page = browser.new_page(viewport={"width": width, "height": 1700})
            show(page, address, arguments.tokens, arguments.links)
            if layout == "rows":
                page.add_style_tag(content=".an-main:has(.align) { max-inline-size: none }")
                page.wait_for_selector(".board.rows")
            frames, spent = dragged(page, layout, arguments.moves)
            late |= report(layout, arguments, frames, spent)
            page.close()
        browser.close()
    return int(late)


def show(page: Page, address: str, tokens: int, links: int) -> None:
    """Return a pair of sentences with random links, which are the same in each run."""
    source, target = (" ".join(f"{name}{n}" for n in range(tokens)) for name in ("w", "v"))
    pairs = random.Random(50).sample([[i, j] for i in range(tokens) for j in range(tokens)], links)
    prealignment = {"sure": sorted(pairs[::2]), "possible": sorted(pairs[1::2])}
    open_editor(page, address, source, target, prealignment=prealignment)


def dragged(page: Page, layout: str, moves: int) -> tuple[list[dict[str, Any]], list[float]]:
    """Drag a link from the middle word over the other sentence. Return the frames, and processor ms per move."""
    start = centre(page, 0, len(page.locator(".toks").first.locator(".tok").all()) // 2)
    box = page.locator(".board").bounding_box()
    assert box
    page.mouse.move(*start)
    page.mouse.down()
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    spent = [cpu(client)]
    page.evaluate(RECORD)
    for number in range(moves):
        if number % STRETCH == 0:
            spent.append(cpu(client))
        along, across = abs(number % 100 - 50) / 50, 0.4 + 0.6 * abs(number % 34 - 17) / 17
        x, y = (along, across) if layout == "rows" else (across, along)
        page.mouse.move(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
    page.mouse.up()
    frames: list[dict[str, Any]] = page.evaluate("cancelAnimationFrame(window.recording), window.frames")
    return frames[2:-1], sorted(1000 * (b - a) / STRETCH for a, b in pairwise(spent[1:]))


def cpu(client: CDPSession) -> float:
    """Return the processor seconds of the page's main thread."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def report(layout: str, size: argparse.Namespace, frames: list[dict[str, Any]], spent: list[float]) -> bool:
    print(f"{layout}, {size.tokens} × {size.tokens} words, {size.links} links, {len(frames)} frames while dragging")
    parts = {
        "processor, main thread": spent,
        "script, style, layout, paint": sorted(frame["work"] for frame in frames),
        "time between frames": sorted(frame["gap"] for frame in frames),
    }
    for words, times in parts.items():
        print(
            f"  {words:<30} median {statistics.median(times):5.1f} ms, p95 {p95(times):5.1f} ms (a frame: {FRAME:.1f})"
        )
    return p95(spent) > FRAME


def p95(times: list[float]) -> float:
    return times[int(0.95 * len(times))]


if __name__ == "__main__":
    sys.exit(main())
