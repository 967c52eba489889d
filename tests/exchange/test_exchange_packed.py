"""Tests of text that a page decompresses itself. tests/mturk/test_batch_page.py tests the same in a browser."""

import base64
import json
import re
import zlib

from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.packed import Part, unpacking_script

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
PARTS = st.lists(st.tuples(st.sampled_from(["style", "script"]), st.dictionaries(st.just("type"), TEXT), TEXT))


@given(PARTS)
def test_what_is_packed_comes_out_again(parts: list[Part]) -> None:
    packed = re.search(r'"([^"]*)"', unpacking_script(parts))
    assert packed
    deflated = base64.b85decode(packed[1].translate(str.maketrans(",./:[", "$&<>`")))
    assert [tuple(part) for part in json.loads(zlib.decompressobj().decompress(deflated))] == parts


@given(PARTS)
def test_it_can_stand_in_html_in_xml_and_in_a_template(parts: list[Part]) -> None:
    script = unpacking_script(parts)
    assert not re.search(r"</|<!--|\$\{|\]\]>|&", script)
    assert script.isascii()


def test_it_is_much_smaller_than_programs() -> None:
    source = "\n".join(f"export function part{n}(state) {{ return state.parts.at({n}); }}" for n in range(500))
    assert len(unpacking_script([("script", {}, source)])) < len(source) / 3
