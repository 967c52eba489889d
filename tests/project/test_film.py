"""Tests of the film and of the moving pictures that `script/film` makes."""

from __future__ import annotations

import json
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from tests.film.captions import LINE, LINES, Caption, transcript, web_vtt
from tests.film.pictures import LARGEST, PICTURES, SIZE
from tests.film.scenes import SCENES, captions
from tests.project.test_docs_names import DOCUMENTS, ROOT, text_of

IMAGES = ROOT / "docs" / "img"
SHORT = 2  # scenes
CUE = re.compile(r"(\d\d):(\d\d):([\d.]{6}) --> (\d\d):(\d\d):([\d.]{6})\n((?:.+\n?)+)")
PROBE = """
import json, sys, av
with av.open(sys.argv[1]) as film:
    video = film.streams.video[0]
    frames = [frame.time for frame in film.decode(video=0)]
    print(json.dumps([film.duration / 1e6, video.width, video.height, frames]))
"""


def cues(text: str) -> list[tuple[float, float, list[str]]]:
    """Return the start, the end and the lines of each cue of a WebVTT file."""
    return [
        (int(a) * 3600 + int(b) * 60 + float(c), int(d) * 3600 + int(e) * 60 + float(f), lines.splitlines())
        for a, b, c, d, e, f, lines in CUE.findall(text)
    ]


def check_cues(text: str, seconds: float) -> None:
    """Check that the captions cover the whole film without gaps, and fit on the screen."""
    read = cues(text)
    assert text.startswith("WEBVTT\n\n")
    assert (read[0][0], read[-1][1]) == (0, pytest.approx(seconds, abs=0.1))
    assert all(first[1] == second[0] for first, second in pairwise(read))
    assert all(len(lines) <= LINES and max(map(len, lines)) <= LINE for _, _, lines in read)
    assert all(sum(map(len, lines)) / (end - start) < 17 for start, end, lines in read), "too fast to read"


def test_captions_cover_a_film_of_90_seconds() -> None:
    seconds = sum(scene.seconds for scene in SCENES)
    assert 85 <= seconds <= 95
    check_cues(web_vtt(captions(SCENES)), seconds)


def test_a_caption_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="has 3 lines"):
        web_vtt([Caption(0, 5, "word " * 20)])


def test_the_transcript_is_up_to_date() -> None:
    assert text_of("docs/film.md") == transcript(captions(SCENES)), "run script/film"


@pytest.mark.parametrize("name", PICTURES)
def test_moving_pictures_move_and_have_a_still_first_frame(name: str) -> None:
    file = IMAGES / f"moving-{name}.webp"
    with Image.open(file) as moving, Image.open(IMAGES / f"moving-{name}-still.webp") as still:
        assert file.stat().st_size <= LARGEST
        assert moving.size == still.size == (SIZE["width"], SIZE["height"])
        assert 10 <= moving.n_frames <= 200
        assert not getattr(still, "is_animated", False)
        moving.seek(0)
        assert moving.convert("RGB").tobytes() == still.convert("RGB").tobytes()
        moving.seek(moving.n_frames - 1)
        assert moving.convert("RGB").tobytes() != still.convert("RGB").tobytes()


def test_each_moving_picture_is_shown_once() -> None:
    shown = [name for document in DOCUMENTS for name in re.findall(r"moving-(\w+)\.webp", text_of(document))]
    assert sorted(shown) == sorted(PICTURES)


@pytest.mark.nightly
def test_script_film_records_its_first_scenes(tmp_path: Path) -> None:
    command = [ROOT / "script" / "film", "--scenes", str(SHORT), "--folder", tmp_path]
    subprocess.run(command, check=True, capture_output=True, timeout=800)
    film, seconds = tmp_path / "accord.webm", sum(scene.seconds for scene in SCENES[:SHORT])
    probe = subprocess.run(
        [ROOT / ".film" / "bin" / "python", "-c", PROBE, film], check=True, capture_output=True, text=True
    )
    duration, width, height, times = json.loads(probe.stdout)
    assert (duration, width, height) == (pytest.approx(seconds, abs=0.1), 1280, 720)
    assert times[0] == 0
    assert all(0 < later - earlier <= 0.51 for earlier, later in pairwise(times))
    assert len(times) > 100  # the pointer moves
    assert film.stat().st_size < 10_000_000
    check_cues(film.with_suffix(".vtt").read_text(encoding="utf-8"), seconds)
