"""Test that the tables of fields in docs/formats.md are up to date."""

from tests.project.file_reference import FORMATS, document


def test_the_tables_of_fields_are_up_to_date() -> None:
    assert FORMATS.read_text(encoding="utf-8") == document(), "Run script/reference."
