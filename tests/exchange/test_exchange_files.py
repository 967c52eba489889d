"""Tests that files are written completely or not at all."""

import os
import stat
import threading

import pytest

from accord_core.exchange.files import write_whole


def broken():
    yield "half"
    raise RuntimeError("the computation failed")


def test_a_failure_leaves_the_old_file_and_no_litter(tmp_path):
    target = tmp_path / "scores.csv"
    target.write_text("old")
    with pytest.raises(RuntimeError):
        write_whole(str(target), broken())
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["scores.csv"]


def test_text_is_written_as_utf_8_and_bytes_as_they_are(tmp_path):
    target = tmp_path / "scores.csv"
    write_whole(str(target), ["é\n", b"b\r\n\xff"])
    assert target.read_bytes() == "é\nb\r\n".encode() + b"\xff"


def test_permissions_are_those_of_any_new_file_or_of_the_old_one(tmp_path):
    mask = os.umask(0o022)
    try:
        target = tmp_path / "scores.csv"
        write_whole(str(target), ["a"])
        assert stat.S_IMODE(target.stat().st_mode) == 0o644
        target.chmod(0o600)
        write_whole(str(target), ["b"])
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
    finally:
        os.umask(mask)


def test_a_link_stays_a_link(tmp_path):
    real = tmp_path / "real.csv"
    real.write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to(real)
    write_whole(str(link), ["new"])
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    write_whole(str(pipe), ["through"])
    reader.join(timeout=60)
    assert received == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_missing_folder_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(str(tmp_path / "none" / "scores.csv"), ["a"])
