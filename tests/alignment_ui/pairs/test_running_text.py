"""Tests for sentences as running text."""

from __future__ import annotations

import pytest

from alignment_ui.pairs.running_text import running_text


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("El perro corre , según « El País » .", "El perro corre, según «El País»."),
        ("It 's ( not ) a dog 's , is n't it ?", "It's (not) a dog's, isn't it?"),
        ("said ' tomorrow '", "said ' tomorrow '"),
        ("", ""),
    ],
)
def test_spaces_are_where_a_reader_expects_them(tokens, text):
    assert running_text(tokens.split()) == text
