"""The files about the program in the release of a study in which people answered a random part of the questions.

All labels, scores and links of a release come from people. A program's answers are kept separate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import StudyData
from releases.contents.raw import answer_lines, question_lines

ANSWERS, QUESTIONS, FIGURES = "programs/answers.jsonl", "programs/questions.jsonl", "programs/assisted.json"


def program_files(program: StudyData, figures: Mapping[str, Any]) -> dict[str, tuple[bytes, str]]:
    """Return a mapping from paths to contents and notes, for the answers of one program and its `figures`."""
    document = json.dumps(figures, ensure_ascii=False, indent=1) + "\n"
    return {
        QUESTIONS: (question_lines(program), "all questions, of which people answered a random part"),
        ANSWERS: (answer_lines(program), "the answers of a program, which no label, score or link in data/ contains"),
        FIGURES: (document.encode(), "program-assisted figures, with the name of the program"),
    }
