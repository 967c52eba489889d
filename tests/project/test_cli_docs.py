"""docs/cli.md contains the help texts, options and examples of all commands."""

import pytest

from tests.project import cli_reference


@pytest.mark.nightly
def test_the_reference_shows_the_current_help() -> None:
    shown = cli_reference.CLI.read_text(encoding="utf-8")
    assert shown == cli_reference.document(), "run script/reference"


@pytest.mark.nightly
def test_every_command_has_a_section_with_its_options() -> None:
    text = cli_reference.document()
    paths = [path for path, _ in cli_reference.commands_of(cli_reference.main, "accord")][1:]
    assert len(paths) > 80
    assert [path for path in paths if f"# `{path}`\n" not in text] == []
    scored = text.partition("### `accord bws score`\n")[2].partition("\n### ")[0]
    assert "    accord bws score [OPTIONS] ANNOTATIONS.csv\n" in scored
    assert "| `--method` [counting\\|maxdiff] | " in scored
    assert "(default: counting) |" in scored
    assert "| `-o`, `--output` | See [Common options](#common-options). |" in scored


@pytest.mark.nightly
def test_an_option_that_many_commands_share_is_described_once() -> None:
    text = cli_reference.document()
    assert text.count("| Print JSON. |") == 1
    assert text.index("| Print JSON. |") < text.index("## `accord plan`")
