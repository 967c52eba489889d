"""What the hands of `editor_actions` have in common: their costs by the keystroke-level model, and the printed table.

The time is that of the keystroke-level model (Card, Moran and Newell 1980): K .28 s for a key or a press, P 1.1 s for
pointing, M 1.35 s for each decision. A drag is 2 P + K, and P + .5 s more if it turns.
Reading is not included.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

K, P, M = 0.28, 1.1, 1.35  # seconds
REST = 0.5  # seconds at a turn of a drag
MIDDLE = (22, 28)  # words per sentence of a pair of about 25 words
COLUMNS = {"changed": 9, "actions": 9, "each": 8, "a question": 12, "seconds": 9, "px/each": 9}


@dataclass
class Cost:
    """What one question has cost. `changed` counts what the actions are for, such as links."""

    changed: int = 0
    actions: int = 0
    seconds: float = 0.0
    travel: float = 0.0
    words: float = 0.0


@dataclass
class Hand:
    """A hand on the keyboard or the mouse, and what its actions have cost."""

    page: Page
    cost: Cost = field(default_factory=Cost, kw_only=True)
    at: tuple[float, float] = field(default=(640.0, 400.0), kw_only=True)

    def decide(self) -> None:
        self.cost.seconds += M

    def key(self, *keys: str) -> None:
        """Press keys one after the other. Shift counts as a key."""
        for each in keys:
            self.page.keyboard.press(each)
            self.count(2 if each.startswith("Shift+") else 1)

    def click(self, place: Locator | tuple[float, float]) -> None:
        self.move(place if isinstance(place, tuple) else centre(place))
        self.page.mouse.down()
        self.page.mouse.up()
        self.cost.seconds += P
        self.count()

    def drag(self, start: tuple[float, float], *places: tuple[float, float]) -> None:
        """Drag to a place, or rest at the others on the way to the last."""
        self.move(start)
        self.page.mouse.down()
        for place in places[:-1]:
            self.move(place)
            self.page.locator(".above .tie").wait_for(state="attached")
            self.page.wait_for_timeout(2_000 * REST)  # on a busy machine, the movement may have rested earlier, too
        self.move(places[-1])
        self.page.mouse.up()
        self.cost.seconds += (1 + len(places)) * P + (len(places) - 1) * REST
        self.count()

    def move(self, point: tuple[float, float]) -> None:
        (x, y), (to_x, to_y) = self.at, point
        self.cost.travel += ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        self.page.mouse.move(*point, steps=3)
        self.at = point

    def count(self, actions: int = 1) -> None:
        self.cost.actions += actions
        self.cost.seconds += K * actions


def centre(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def heading(name: str) -> None:
    print(f"{name:<38}" + "".join(f"{title:>{width}}" for title, width in COLUMNS.items()))


def report(name: str, costs: Sequence[Cost]) -> None:
    changed, actions = (sum(getattr(cost, figure) for cost in costs) for figure in ("changed", "actions"))
    seconds, travel = (statistics.mean(getattr(cost, figure) for cost in costs) for figure in ("seconds", "travel"))
    per = [changed, actions, f"{actions / changed:.2f}", f"{actions / len(costs):.1f}", f"{seconds:.1f}"]
    per.append(f"{travel * len(costs) / changed:.0f}" if travel else "–")
    print(f"{name:<38}" + "".join(f"{value:>{width}}" for value, width in zip(per, COLUMNS.values(), strict=True)))
    if middle := [cost.seconds for cost in costs if MIDDLE[0] <= cost.words <= MIDDLE[1]]:
        print(f"    {len(middle)} pairs of {MIDDLE[0]} to {MIDDLE[1]} words: {statistics.mean(middle):.1f} s")
