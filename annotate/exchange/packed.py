"""Compressed text that a page decompresses itself, for pages of limited size that run without the Accord server.

A task type's modules and style sheets, inlined, take more than half of what Mechanical Turk allows a page; deflated and
in base64 they take half of that. Browsers inflate with `DecompressionStream`, which all have had since 2023.
"""

import base64
import json
import zlib

# The code runs in a module script, so it is deferred, runs in order and can use `await`.
_UNPACK = """const packed=PACKED;
const bytes=Uint8Array.from(atob(packed),(letter)=>letter.charCodeAt(0));
const stream=new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
for(const [tag,attributes,text] of await new Response(stream).json()){
const element=document.createElement(tag);
for(const [name,value] of Object.entries(attributes))element.setAttribute(name,value);
element.textContent=text;
document.head.append(element);
}"""

Part = tuple[str, dict[str, str], str]
"""An element to add: its tag, its attributes, and its text."""


def unpacking_script(parts: list[Part]) -> str:
    """Return the text of a module script that adds elements to the page’s head in the given order.

    It can stand in HTML, in XML's CDATA, and in a template of `${…}` placeholders.
    """
    plain = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()
    return _UNPACK.replace("PACKED", f'"{base64.b64encode(zlib.compress(plain, 9)).decode()}"')
