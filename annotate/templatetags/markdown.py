"""Template filters that convert researchers' texts to safe HTML: `{{ text|markdown }}`, and
`{{ text|first_paragraph }}` for their beginning.
"""

from __future__ import annotations

from django import template

from annotate.web.markdown import first_paragraph, safe_html

register = template.Library()
register.filter("markdown", safe_html)
register.filter("first_paragraph", first_paragraph)
