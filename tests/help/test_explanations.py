"""Tests of the question marks: each figure of a report has an explanation with a formula, a source and a guide."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from annotate import tasktypes
from annotate.help.guides import guide
from annotate.web.explanations import EXPLANATIONS

REPORTS = [
    *Path(settings.BASE_DIR).glob("*/templates/*/report.html"),
    *Path(settings.BASE_DIR).glob("alignment_ui/*/templates/*/report.html"),
]
PAGES = [
    Path(settings.BASE_DIR, "templates", name)
    for name in ("people/annotator.html", "pay/totals.html", "pay/annotator.html")
]
SHOWN = re.compile(r'{% explain "(\w+)" %}')


@pytest.mark.parametrize("template", PAGES, ids=lambda path: "/".join(path.parts[-2:]))
def test_each_figure_of_a_page_has_an_explanation(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    figures = re.findall(r"<dt>(.*?)</dd>", text, re.DOTALL)
    assert len(figures) == text.count('<div class="fig">') > 0
    for figure in figures:
        assert len(SHOWN.findall(figure)) == 1, figure
    assert set(SHOWN.findall(text)) <= set(EXPLANATIONS)


@pytest.mark.parametrize("template", REPORTS, ids=lambda path: "/".join(path.parts[-2:]))
def test_question_marks_of_a_report_open_explanations(template: Path) -> None:
    """The figures at the top have theirs in Python, where `Figure` requires one."""
    own = {task.module.split("/")[0]: task.reports.explanations for task in tasktypes.installed()}
    known = EXPLANATIONS | dict(own.get(template.parent.name, {}))
    assert set(SHOWN.findall(template.read_text(encoding="utf-8"))) <= set(known)


def test_each_explanation_names_a_heading_of_a_guide() -> None:
    texts = [each for task in tasktypes.installed() for each in task.reports.explanations.values()]
    assert len(texts) > 20
    for each in (*texts, *EXPLANATIONS.values()):
        assert each.formula.endswith("."), each
        assert each.source.endswith("."), each
        slug, _, anchor = each.guide.partition("#")
        described = guide(slug)
        assert described is not None, each.guide
        assert not anchor or anchor in {section.anchor for section in described.sections}, each.guide


def test_every_task_type_explains_its_main_figure() -> None:
    for task in tasktypes.installed():
        assert "headline" in task.reports.explanations, task.slug
