"""Tests of the help, the start and the progress bar of `accord bws`."""

import errno
import os
import pty
import re
import resource
import subprocess
import sys
import textwrap

import pytest

from tests.bws.cli import ACCORD, accord


class TestHelp:
    @pytest.mark.parametrize("arguments", [[], ["bws"], ["bws", "tuples"], ["bws", "score"], ["bws", "reliability"]])
    def test_help_everywhere(self, arguments):
        result = accord(*arguments, "--help")
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: {' '.join(['accord', *arguments])} ")

    @pytest.mark.parametrize("command", ["tuples", "score", "reliability"])
    def test_every_command_shows_examples(self, command):
        assert f"accord bws {command} " in accord("bws", command, "--help").stdout.partition("Examples:")[2]

    def test_without_a_command(self):
        result = accord()
        assert result.exit_code == 2
        assert "Build best–worst tuples" in result.stderr

    def test_version(self):
        assert re.fullmatch(r"accord \d+\.\d+\.\d+\n", accord("--version").stdout)


STARTS = [
    (["--help"], ["numpy", "scipy", "django", "celery"]),
    (["bws", "--help"], ["numpy", "scipy", "django", "celery"]),
    (["bws", "tuples", "--help"], ["numpy", "scipy", "django", "celery"]),
    (["bws", "tuples", "items.txt"], ["scipy", "django", "celery"]),
    (["bws", "score", "annotations.csv"], ["scipy", "django", "celery"]),
    (["bws", "reliability", "annotations.csv", "--splits", "2"], ["scipy", "django", "celery"]),
]


class TestStart:
    LIMIT = 0.5

    @pytest.mark.nightly
    @pytest.mark.parametrize(("arguments", "heavy"), STARTS)
    def test_nothing_heavy_is_imported(self, folder, arguments, heavy):
        code = textwrap.dedent("""
            import sys
            from annotate.commands.main import main
            try:
                main(sys.argv[2:])
            finally:
                loaded = {name.partition(".")[0] for name in sys.modules}
                print("LOADED", *sorted(loaded & set(sys.argv[1].split(","))), file=sys.stderr)
        """)
        run = subprocess.run(
            [sys.executable, "-c", code, ",".join(heavy), *arguments],
            capture_output=True,
            cwd=folder,
            text=True,
            check=True,
        )
        assert run.stderr.splitlines()[-1] == "LOADED"

    @pytest.mark.nightly
    @pytest.mark.parametrize(("arguments", "heavy"), STARTS)
    def test_it_starts_in_half_a_second(self, folder, arguments, heavy):
        """A busy machine gets three attempts. If it is slower even then, the test compares the CPU time with the time
        of the imports that every command needs.
        """
        seconds = []
        for _ in range(3):
            seconds.append(self.seconds([*ACCORD, *arguments], folder))
            if seconds[-1] < self.LIMIT:
                return
        bare = "import click, importlib.metadata" if "numpy" in heavy else "import click, importlib.metadata, numpy"
        imported = min(self.seconds([sys.executable, "-c", bare], folder) for _ in range(3))
        assert min(seconds) < 2.5 * imported

    def seconds(self, command, folder):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, cwd=folder, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class TestProgress:
    @pytest.mark.nightly
    def test_a_bar_on_a_terminal_and_nothing_in_a_pipe(self, folder):
        command = [*ACCORD, "bws", "reliability", "annotations.csv", "--splits", "50", "--json"]
        piped = subprocess.run(command, capture_output=True, cwd=folder, check=True)
        assert piped.stderr == b""
        shown, stdout = self.on_a_terminal(command, folder)
        assert b"Splitting judgements" in shown
        assert b"100%" in shown
        assert stdout == piped.stdout

    def on_a_terminal(self, command, folder):
        controller, terminal = pty.openpty()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, cwd=folder) as run:
            os.close(terminal)
            stdout = run.stdout.read()
            run.wait(timeout=30)
        shown = b""
        try:
            while part := os.read(controller, 4096):
                shown += part
        except OSError as error:
            # Linux tells the end of a terminal in this way.
            if error.errno != errno.EIO:
                raise
        finally:
            os.close(controller)
        return shown, stdout
