"""The table in ARCHITECTURE.md shows the rooms that requests run through, and no request has more returns than it says.

The numbers of functions and files change with every second commit, and `script/walks` prints them.
"""

import re
import sys
from pathlib import Path

import pytest

from annotate.pay.forms import read_amount
from tests.size import ROOT
from tests.walked_requests import walks
from tests.walks import Tracer, Walk

WALK = Walk(
    "answer stored",
    (
        ("annotate/annotator/api/annotation.py", "AnswerView.put"),
        ("annotate/core/services/answer.py", "give_answer"),
        ("annotate/models/answer.py", "AnswerQuerySet.counting"),
        ("annotate/core/services/log.py", "record"),
        ("annotate/core/services/answer.py", "lock"),
        ("alignment_ui/words/answer.py", "validate"),
        ("annotate/core/services/grading.py", "grade"),
    ),
)


def test_a_return_is_a_step_back_into_a_room_that_was_left() -> None:
    assert WALK.rooms == ["annotator", "core", "words"]
    assert WALK.returns == 1, "from the task type to core. The models and the log are no rooms"
    assert WALK.row == "| answer stored | 7 | 6 | 1 | 2 | `annotator`, `core`, `words` |"


def test_functions_count_once_and_libraries_do_not_count() -> None:
    tracer = Tracer()
    with tracer.walk("amounts", job=True):
        [read_amount(text) for text in ("1.50", "2")]
    file = "packages/core/accord_core/exchange/numbers.py"
    assert tracer.walks[0].functions[:2] == (("annotate/pay/forms.py", "read_amount"), (file, "read_decimal"))
    assert len(set(tracer.walks[0].functions)) == len(tracer.walks[0].functions)
    assert {Path(file).parent.name for file, _ in tracer.walks[0].functions} == {"pay", "exchange"}
    assert sys.getprofile() is None


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_table_shows_the_rooms_of_every_request() -> None:
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+?) \| \d+ \| \d+ \| (\d+ \| \d+ \| .*?) \|$", table, re.MULTILINE))
    followed = walks()
    for walk in followed:
        returns, _, rooms = rows.pop(walk.name).split(" | ")
        assert present(rooms) == walk.rooms, f"{walk.name}: run script/walks and update the table"
        late = walk.name.endswith("calculated")  # a job reports progress when time has passed, in one room or the next
        assert walk.returns <= int(returns) + late, f"{walk.name}: {walk.returns} returns. {walk.functions}"
    assert not any(present(rooms) for rooms in rows.values()), "script/walks does not follow these requests"


def present(rooms: str) -> list[str]:
    """Return the names of the rooms that are present, or an empty list if the first room has been removed."""
    names = re.findall(r"`(\w+)`", rooms)
    exists = [any(ROOT.glob(f"*/{name}")) or (ROOT / name).is_dir() for name in names]
    return [name for name, each in zip(names, exists, strict=True) if each] if all(exists[:1]) else []
