"""The captions of the film and its transcript, from one list of timed texts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

LINE, LINES = 42, 2  # characters of a line, lines of a caption
TRANSCRIPT = """\
# A study in 90 seconds

`script/film` records a film of a small best–worst study from its file to its release, and writes it to `build/film`
with captions. These are the texts of the captions. [Your first study](best-worst.md) explains each step.

| from | to | what the film shows |
|---|---|---|
"""


@dataclass(frozen=True)
class Caption:
    """A text and the seconds between which it is shown."""

    start: float
    end: float
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines of the caption. Raises `ValueError` if they are too many."""
        lines = textwrap.wrap(self.text, LINE)
        if len(lines) > LINES:
            raise ValueError(f"This caption has {len(lines)} lines of {LINE} characters, not {LINES}: {self.text}")
        return lines


def web_vtt(captions: Iterable[Caption]) -> str:
    """Return the captions as a WebVTT file."""
    cues = ["\n".join([f"{_time(each.start)} --> {_time(each.end)}", *each.lines]) for each in captions]
    return "\n\n".join(["WEBVTT", *cues]) + "\n"


def transcript(captions: Iterable[Caption]) -> str:
    """Return the guide that contains the texts of the captions as a table."""
    return TRANSCRIPT + "".join(
        f"| {_time(each.start)[3:8]} | {_time(each.end)[3:8]} | {each.text} |\n" for each in captions
    )


def _time(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"00:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"
