"""The main program of `script/film`."""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.film.captions import transcript, web_vtt
from tests.film.pictures import LARGEST, PICTURES, make_pictures
from tests.film.scenes import SCENES, Film, Scene, captions, record
from tests.film.stage import Frame, Stage
from tests.screenshots import ROOT, chromium, prepare, serving, window

SIZE = {"width": 1280, "height": 720}
ENCODER = ROOT / ".film" / "bin" / "python"
IMAGES = ROOT / "docs" / "img"
GUIDE = ROOT / "docs" / "film.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/film", description="Record the film, or make the moving pictures.")
    parser.add_argument("--scenes", type=int, metavar="N", help="Record only the first N scenes.")
    parser.add_argument("--pictures", nargs="*", metavar="NAME", help=f"Moving pictures: {', '.join(PICTURES)}.")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="The folder of the film or of the pictures.")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.pictures or ()) - set(PICTURES)):
        parser.error(f"There is no moving picture {unknown[0]}. Moving pictures: {', '.join(PICTURES)}.")
    place = IMAGES if arguments.pictures is not None else ROOT / "build" / "film"
    folder = (arguments.folder or place).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        if arguments.pictures is not None:
            made = make_pictures(arguments.pictures or PICTURES, Path(data), folder)
            return 1 if [file for file in made if file.stat().st_size > LARGEST] else 0
        make_film(SCENES[: arguments.scenes], Path(data), folder)
    if arguments.scenes is None:
        GUIDE.write_text(transcript(captions(SCENES)), encoding="utf-8")
    return 0


def make_film(scenes: tuple[Scene, ...], data: Path, folder: Path) -> None:
    """Record the scenes on an empty installation in `data`, and write the film and its captions to the folder."""
    subtitles = web_vtt(captions(scenes))
    port, site = prepare(data)
    from django.core.management import call_command

    from annotate.core.services.credentials import login_path
    from annotate.models import User

    call_command("migrate", verbosity=0)
    owner = User.objects.create_superuser("mara@accord.example", name="Mara Lindqvist")
    frames = data / "frames"
    frames.mkdir()
    with (frames / "frames.csv").open("w", encoding="utf-8", newline="") as lines:
        rows = csv.writer(lines)

        def show(frame: Frame) -> None:
            name = f"{lines.tell()}.png"
            frame.picture.save(frames / name, compress_level=1)
            rows.writerow([name, round(frame.seconds * 1000)])

        with serving(port, data), chromium() as browser:
            page = window(browser, site)
            page.set_viewport_size(SIZE)
            page.goto(login_path(owner))
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/console/**")
            record(Film(Stage(page, show), browser, site, owner, data), scenes)
    film = folder / "accord.webm"
    subprocess.run([ENCODER, Path(__file__).with_name("encode.py"), frames, film], check=True)
    film.with_suffix(".vtt").write_text(subtitles, encoding="utf-8")
    seconds = sum(scene.seconds for scene in scenes)
    sys.stdout.write(f"{film}: {seconds:g} s, {film.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    sys.exit(main())
