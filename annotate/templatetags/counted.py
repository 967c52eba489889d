"""The template tag `counted` passes a text with plural forms to JavaScript.

    {% counted "links" %}
        {% blocktranslate trimmed count n=n %}{n} link{% plural %}{n} links{% endblocktranslate %}
    {% endcounted %}

The tag renders its content for sample numbers, such as `<span data-string="links" data-n="1">{n} link</span>`. In the
browser, `Intl.PluralRules` chooses the sample with the same plural category as the number.
"""

from __future__ import annotations

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
SAMPLES = (1, 2, 3, 5, 11, 100, 0)  # one number for each plural category of any language


class CountedNode(template.Node):
    def __init__(self, name: str, nodelist: NodeList) -> None:
        self.name = name
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        forms = {}
        for number in SAMPLES:
            with context.push(n=number):
                forms[number] = self.nodelist.render(context).strip()
        if len({form for number, form in forms.items() if number != 1}) == 1:
            forms = {number: forms[number] for number in (1, 2)}  # the language has a singular and one plural
        spans = (
            format_html('<span data-string="{}" data-n="{}">{}</span>', self.name, number, mark_safe(form))  # noqa: S308
            for number, form in forms.items()
        )
        return mark_safe("\n".join(spans))  # noqa: S308


@register.tag
def counted(parser: Parser, token: Token) -> CountedNode:
    _tag, name = token.split_contents()
    nodelist = parser.parse(("endcounted",))
    parser.delete_first_token()
    return CountedNode(name.strip("\"'"), nodelist)
