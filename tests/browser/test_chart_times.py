"""Test of the time axis of charts."""

from __future__ import annotations

from playwright.sync_api import Page

LABELS = """
    async ([first, last]) => {
        const { axisTime } = await import("/static/js/charts/frame.js");
        const domain = [new Date(first), new Date(last)];
        const chart = Plot.plot({ x: { type: "utc", domain }, marks: [axisTime(...domain)] });
        return [...chart.querySelectorAll("g.labels text")].map((text) => text.textContent.slice(0, 5));
    }
"""


def test_each_label_of_the_time_axis_states_the_time_of_its_tick(page: Page) -> None:
    page.goto("/healthz")
    for library in ("d3", "plot"):
        page.add_script_tag(url=f"/static/vendor/{library}.min.js")
    # The ticks are 15 seconds or 12 hours apart.
    assert page.evaluate(LABELS, ["2026-11-30T06:37:20Z", "2026-11-30T06:39:14Z"]) == ["06:38", "06:39"]
    assert page.evaluate(LABELS, ["2026-11-28T08:00Z", "2026-11-30T20:00Z"]) == ["29 No", "30 No"]
    assert page.evaluate(LABELS, ["2026-11-30T06:37:20Z", "2026-11-30T06:37:20Z"]) == ["06:37"]
