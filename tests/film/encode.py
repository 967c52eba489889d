"""Encode pictures as a WebM film. `script/film` runs this file with the Python of `.film`, which has PyAV only.

    python encode.py FOLDER FILM

FOLDER contains `frames.csv` with one row per picture: its file name and its length in milliseconds.
"""

import csv
import sys
from fractions import Fraction
from pathlib import Path

import av

LONGEST = 500  # ms of a frame; longer pictures are repeated, so that players can seek
STEP = 50  # ms of the last frame
OPTIONS = {"crf": "34", "deadline": "realtime", "cpu-used": "6", "row-mt": "1", "tune-content": "screen"}


def encode(folder: Path, film: Path) -> None:
    """Write the pictures of the folder as a film with VP9 pictures and a variable frame rate."""
    with (folder / "frames.csv").open(encoding="utf-8", newline="") as lines:
        pictures = [(name, int(length)) for name, length in csv.reader(lines)]
    with av.open(str(film), "w", format="webm") as container:
        stream = container.add_stream("libvpx-vp9", rate=1000 // STEP, options=OPTIONS)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        stream.gop_size = 100
        stream.bit_rate = 0  # constant quality
        start = 0
        for place, (name, length) in enumerate(pictures):
            with av.open(str(folder / name)) as file:
                picture = next(file.decode(video=0)).reformat(format="yuv420p", dst_color_range=1)
            picture.pict_type = 0  # the encoder decides which frames are complete
            if place == 0:
                stream.width, stream.height = picture.width, picture.height
            times = [*range(start, start + length, LONGEST)]
            start += length
            if place == len(pictures) - 1 and times[-1] < start - STEP:
                times.append(start - STEP)  # a player shows the last frame for one step
            for time in times:
                picture.pts, picture.time_base = time, Fraction(1, 1000)
                container.mux(stream.encode(picture))
        container.mux(stream.encode())


if __name__ == "__main__":
    encode(Path(sys.argv[1]), Path(sys.argv[2]))
