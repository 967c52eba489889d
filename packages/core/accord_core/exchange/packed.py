"""Compressed text for pages that have a size limit, run without the Accord server and decompress the text themselves.

Uncompressed, the modules and style sheets of a task type take up more than half of the page size that Mechanical Turk
allows. Deflating them and encoding them in base 85 halves their size. Browsers decompress the text with
`DecompressionStream`, which all current browsers have supported since 2023.
"""

import base64
import json
import string
import zlib

# The digits of Python's base-85 encoding, in order. Digits with a special meaning in HTML, scripts or templates are
# replaced with other characters.
_DIGITS = (string.digits + string.ascii_uppercase + string.ascii_lowercase + "!#$%&()*+-;<=>?@^_`{|}~").translate(
    _SAFE := str.maketrans("$&<>`", ",./:[")
)
# The code is a module script, so it is deferred, runs in order and can use `await`.
_UNPACK = """const packed=PACKED,digits=DIGITS;
const view=new DataView(new ArrayBuffer(packed.length/5*4));
for(let at=0;at<packed.length;at+=5){
let word=0;
for(const digit of packed.slice(at,at+5))word=word*85+digits.indexOf(digit);
view.setUint32(at/5*4,word);
}
const stream=new Blob([view.buffer.slice(0,LENGTH)]).stream().pipeThrough(new DecompressionStream("deflate"));
for(const [tag,attributes,text] of await new Response(stream).json()){
const element=document.createElement(tag);
for(const [name,value] of Object.entries(attributes))element.setAttribute(name,value);
element.innerHTML=text;
document.head.append(element);
}"""

Part = tuple[str, dict[str, str], str]
"""An element to add, with its tag, its attributes, and its contents as HTML. Scripts and style sheets contain plain
text.
"""


def _deflated(plain: bytes, memory: int) -> bytes:
    """Compress with blocks of a size that depends on `memory`. Smaller blocks suit parts of different kinds better."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, memory)
    return compressor.compress(plain) + compressor.flush()


def unpacking_script(parts: list[Part]) -> str:
    """Return the text of a module script that adds elements to the page’s head in the given order.

    The text can be embedded in HTML, in CDATA sections of XML, and in a template with `${…}` placeholders.
    """
    plain = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()
    deflated = min((_deflated(plain, memory) for memory in (6, 7, 8)), key=len)
    packed = base64.b85encode(deflated, pad=True).decode().translate(_SAFE)
    script = _UNPACK.replace("DIGITS", json.dumps(_DIGITS)).replace("LENGTH", str(len(deflated)))
    return script.replace("PACKED", f'"{packed}"')
