"""The texts of scripts, from the templates that mark them for translation.

Pages on the site contain these templates. Pages without a server, such as those of batches, contain the texts.
"""

from __future__ import annotations

import html
import re
from typing import Any

from django.template.loader import render_to_string

_STRING = re.compile(r'data-string="(\w+)"(?:\s+data-n="(\d+)")?\s*>(.*?)</span>', re.DOTALL)


def page_strings(scripts: str | None, *templates: str) -> dict[str, str | dict[str, str]]:
    """Return the texts in these templates, by name. If `scripts` is specified, return only texts that the scripts use.

    A text with plural forms is a dictionary from sample numbers to forms, see `annotate/templatetags/counted.py`.
    """
    texts: dict[str, Any] = {}
    for template_name in templates:
        for name, number, text in _STRING.findall(render_to_string(template_name)):
            if scripts is not None and not _names(scripts, name):
                continue
            plain = html.unescape(text.strip())
            if number:
                texts.setdefault(name, {})[number] = plain
            else:
                texts[name] = plain
    return texts


def _names(scripts: str, name: str) -> bool:
    return bool(re.search(rf"\b{name}\b", scripts))
