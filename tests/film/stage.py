"""A stage: one page of Chromium whose pictures become the frames of a film, with a visible pointer and key presses.

The time of the film is not the time of the program. A still picture lasts as long as a scene wants, and the pointer is
drawn on still pictures. So a slow machine makes the same film.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Point = tuple[float, float]
ARROW = [(0, 0), (0, 17), (4, 13.4), (6.6, 19.4), (9.4, 18.2), (6.8, 12.4), (12, 12.2)]  # px, the tip is the origin
SHARP = 4  # drawings are made this many times larger, and reduced, so that their edges are smooth
SLOWEST = 120_000  # ms until a page has opened
PRESSED, INK, PAPER = (34, 68, 143), (20, 24, 33), (255, 255, 255)


@dataclass(frozen=True)
class Frame:
    """A picture and the seconds for which it is shown."""

    picture: Image.Image
    seconds: float


class Stage:
    """The page, its last picture and the pointer. `show` receives each frame; `step` is the shortest frame in
    seconds. `seconds` is the length of the film so far.
    """

    def __init__(self, page: Page, show: Callable[[Frame], None], *, step: float = 0.05) -> None:
        self.page, self.step, self.seconds = page, step, 0.0
        self._slow = max(step, 0.1)  # seconds of a frame for which the page has to be drawn
        self._show = show
        self._at: Point | None = None
        self._still: Image.Image | None = None
        self._carried: Image.Image | None = None

    def goto(self, address: str) -> None:
        """Open a page and show it."""
        self.page.goto(address)
        self.page.wait_for_load_state("networkidle")
        self.look()

    def look(self, pause: int = 150) -> None:
        """Take a picture of the page, `pause` milliseconds after its fonts have loaded."""
        self.page.evaluate("document.fonts.ready.then(() => true)")
        self.page.wait_for_timeout(pause)
        taken = self.page.screenshot(animations="disabled", caret="hide")
        self._still = Image.open(io.BytesIO(taken)).convert("RGB")

    def hold(self, seconds: float, keys: str = "", pressed: bool = False) -> None:
        """Show the last picture for some seconds, with the names of the pressed keys or a pressed mouse button."""
        steps = round(seconds / self.step)
        if steps > 0:
            self._show(Frame(self._drawn(keys, pressed), steps * self.step))
            self.seconds += steps * self.step

    def until(self, second: float) -> None:
        """Show the last picture until this second of the film."""
        self.hold(second - self.seconds)

    def point(self, target: Locator, seconds: float = 0.6, place: Point = (0.5, 0.5)) -> None:
        """Move the pointer to a part of the element: `place` is (0, 0) at its upper left corner, (1, 1) at the lower
        right one.
        """
        target.scroll_into_view_if_needed()
        self.look(0)
        box = target.bounding_box()
        assert box is not None, "the element is not visible"
        self.glide((box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"]), seconds)

    def glide(self, end: Point, seconds: float = 0.6) -> None:
        """Move the pointer to a point of the window, slower at both ends, and let the page react."""
        size = self.page.viewport_size
        assert size is not None
        start = self._at or (size["width"] * 0.6, size["height"] * 0.8)
        steps = max(1, round(seconds / self.step))
        for number in range(1, steps + 1):
            share = (number / steps) ** 2 * (3 - 2 * number / steps)
            self._at = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            self.hold(self.step)
        self.page.mouse.move(*end)
        self.look(0)

    def click(self, target: Locator, seconds: float = 0.6, *, opens: bool = False) -> None:
        """Move the pointer to the element, click it, and show the result. `opens` says that the click opens a page."""
        self.point(target, seconds)
        self.hold(0.2, pressed=True)
        with self.page.expect_navigation(timeout=SLOWEST) if opens else nullcontext():
            target.click()
        self.page.wait_for_load_state("networkidle")
        self.look()

    def drag(self, start: Locator, end: Locator, seconds: float = 0.8) -> None:
        """Drag from one element to another, and show what the page draws on the way."""
        end.scroll_into_view_if_needed()
        self.point(start)
        self.hold(0.2, pressed=True)
        self.page.mouse.down()
        box = end.bounding_box()
        assert box is not None, "the element is not visible"
        assert self._at is not None
        to, origin = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), self._at
        steps = max(2, round(seconds / self._slow))
        for number in range(1, steps + 1):
            share = number / steps
            self._at = (origin[0] + share * (to[0] - origin[0]), origin[1] + share * (to[1] - origin[1]))
            self.page.mouse.move(*self._at)
            self.look(0)
            self.hold(self._slow, pressed=True)
        self.page.mouse.up()
        self.look()

    def press(self, key: str, name: str, seconds: float = 0.7, *, opens: bool = False) -> None:
        """Press a key and show its name with the result. `opens` says that the key opens a page."""
        self.hold(0.2, keys=name)
        with self.page.expect_navigation(timeout=SLOWEST) if opens else nullcontext():
            self.page.keyboard.press(key)
        self.page.wait_for_load_state("networkidle")
        self.look()
        self.hold(seconds - 0.2, keys=name)

    def type(self, target: Locator, text: str, at_once: int = 2) -> None:
        """Click the field and type the text, some characters per frame."""
        self.click(target, 0.5)
        target.fill("")
        for start in range(0, len(text), at_once):
            self.page.keyboard.insert_text(text[start : start + at_once])
            self.look(0)
            self.hold(self._slow)

    def scroll(self, pixels: int, seconds: float = 0.8) -> None:
        """Scroll the page down by some pixels."""
        steps = max(1, round(seconds / self._slow))
        for number in range(steps):
            distance = pixels * (number + 1) // steps - pixels * number // steps
            self.page.evaluate("pixels => window.scrollBy({top: pixels, behavior: 'instant'})", distance)
            self.look(0)
            self.hold(self._slow)

    def carry(self, name: str | None) -> None:
        """Draw a file with this name at the pointer from now on, or none."""
        self._carried = None if name is None else _file(name)

    def hide_pointer(self) -> None:
        """Draw no pointer until it moves again."""
        self._at = None

    def _drawn(self, keys: str, pressed: bool) -> Image.Image:
        assert self._still is not None, "the stage has shown no page yet"
        picture = self._still.copy()
        if self._at is not None:
            if self._carried is not None:
                picture.paste(self._carried, (round(self._at[0]) + 8, round(self._at[1]) + 10))
            _draw_pointer(picture, self._at, pressed)
        if keys:
            _draw_keys(picture, keys.split("+"))
        return picture


def _draw_pointer(picture: Image.Image, at: Point, pressed: bool) -> None:
    half = 24
    layer = Image.new("RGBA", (2 * half * SHARP, 2 * half * SHARP))
    draw = ImageDraw.Draw(layer)
    if pressed:
        inner, outer = (half - 14) * SHARP, (half + 14) * SHARP
        draw.ellipse((inner, inner, outer, outer), fill=(*PRESSED, 70), outline=(*PRESSED, 220), width=2 * SHARP)
    shape = [((half + x * 1.25) * SHARP, (half + y * 1.25) * SHARP) for x, y in ARROW]
    draw.polygon(shape, fill=INK, outline=PAPER, width=2 * SHARP)
    layer = layer.resize((2 * half, 2 * half), Image.Resampling.LANCZOS)
    picture.paste(layer, (round(at[0]) - half, round(at[1]) - half), layer)


def _draw_keys(picture: Image.Image, names: list[str]) -> None:
    """Draw key caps in the middle of the lower edge."""
    font = ImageFont.load_default(22)
    widths = [max(44, round(font.getlength(name)) + 28) for name in names]
    draw = ImageDraw.Draw(picture)
    left = (picture.width - sum(widths) - 12 * (len(names) - 1)) / 2
    top = picture.height - 64
    for name, width in zip(names, widths, strict=True):
        draw.rounded_rectangle((left, top, left + width, top + 44), 8, fill=INK, outline=PAPER, width=2)
        draw.text((left + width / 2, top + 22), name, fill=PAPER, font=font, anchor="mm")
        left += width + 12


def _file(name: str) -> Image.Image:
    """Return the drawing of a file with its name."""
    font = ImageFont.load_default(15)
    width = round(font.getlength(name)) + 50
    picture = Image.new("RGB", (width, 36), PAPER)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, width - 1, 35), outline=PRESSED, width=2)
    draw.rectangle((10, 8, 27, 27), outline=(24, 120, 70), width=2)
    for line in (14, 20):
        draw.line((10, line, 27, line), fill=(24, 120, 70), width=2)
    draw.line((18, 8, 18, 27), fill=(24, 120, 70), width=2)
    draw.text((38, 18), name, fill=INK, font=font, anchor="lm")
    return picture
