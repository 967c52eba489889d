"""Previews of alignment files: they are not tables, so the preview neither guesses a header row nor lists columns."""

from typing import Any

import pytest

from accord_core.exchange.layout import Layout
from annotate.core.permissions import SYSTEM
from annotate.data.services.uploads import preview, receive, set_layout
from annotate.models import Study
from annotate.server.refusals import Refused
from tests.factories import make_study

pytestmark = pytest.mark.django_db

GIZA = (
    "# Sentence pair (1) source length 3 target length 3 alignment score : 3.2e-05\n"
    "They left . \nNULL ({ }) They ({ 1 }) left ({ 2 }) . ({ 3 }) \n"
)
WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n#T_RL=custom.Link|label|BT_custom.Span\n\n\n"
    "#Text=A cat\n1-1\t0-1\tA\t_\t_\t_\t\n1-2\t2-5\tcat\t*\t_\t_\t\n\n"
    "#Text=A tomcat\n2-1\t6-7\tA\t_\t_\t_\t\n2-2\t8-14\ttomcat\t*\tsure\t1-2\t\n"
)
GOLDALIGN = "p1\tA cat\t\tA tomcat\t\tY\tY\t0-0 1-1\t\t\n"


@pytest.mark.parametrize("task_type", ["words", "chunks"])
@pytest.mark.parametrize(("filename", "text"), [("giza.A3", GIZA), ("gold.tsv", GOLDALIGN), ("links.txt", "0-0 1-1\n")])
def test_an_alignment_file_has_no_columns_to_choose(task_type: str, filename: str, text: str) -> None:
    study: Study = make_study(task_type=task_type, items=0, state="draft")
    upload = receive(study, purpose="items", filename=filename, data=text.encode(), user=SYSTEM)
    shown = preview(upload)
    assert (shown.layout, shown.first_row) == (None, "")
    assert bool(shown.faults) == (filename == "links.txt")
    with pytest.raises(Refused, match="not a table"):
        set_layout(upload.pk, Layout(columns={"A cat": "source"}), user=SYSTEM)


def test_a_document_of_inception_is_read_as_it_is() -> None:
    study: Study = make_study(task_type="words", items=0, state="draft")
    upload = receive(study, purpose="items", filename="webanno.tsv", data=WEBANNO.encode(), user=SYSTEM)
    shown = preview(upload)
    assert (shown.layout, shown.faults) == (None, [])
    content: Any = shown.sample[0]["content"]
    assert content["prealignment"] == {"sure": [[1, 1]], "possible": []}


def test_a_table_of_pairs_still_has_columns() -> None:
    study: Study = make_study(task_type="words", items=0, state="draft")
    upload = receive(study, purpose="items", filename="pairs.csv", data=b"id;source;target\n1;a b;c d\n", user=SYSTEM)
    layout = preview(upload).layout
    assert layout is not None
    assert layout.delimiter == ";"
