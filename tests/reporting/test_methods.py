"""Tests that a methods section holds for its study, and that each of its numbers comes from the report or the study."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.core.management import call_command

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.management.commands.demo import STUDIES
from annotate.models import Study
from annotate.server.software import versions
from releases.contents.folder import About
from releases.contents.raw import study_data
from releases.contents.seal import SEALED
from releases.contents.verify import verify
from releases.services.releases import make_release
from reporting.methods.document import MethodsSection
from reporting.methods.section import OPEN, methods_section
from reporting.sentences import Figure, value_at
from tests.console_study import report_on
from tests.latex import definitions, typeset

pytestmark = pytest.mark.django_db

DEMONSTRATION = [name if name == "layout" else pytest.param(name, marks=pytest.mark.nightly) for name in STUDIES]
# Numbers in the templates that describe a method: 95% intervals, the measure F1, and the range of scores.
OF_METHODS = {"95", "1", "0"}
ANSWERS = {"rationale": "We took 7 texts from\n“A & B_C”, 50% of {all}", "ethics": "The board of X approved it."}
ABOUT = About("1.0", "CC-BY-4.0", date(2026, 11, 21), statement=ANSWERS)


def released(name: str) -> Mapping[str, bytes]:
    call_command("demo", name, verbosity=0)
    study = Study.objects.get()
    report_on(study)
    return make_release(study.pk, ABOUT, user=SYSTEM).files


def section_of(files: Mapping[str, bytes], answers: Mapping[str, str]) -> MethodsSection:
    data = study_data(files)
    result = json.loads(files["report/results.json"])["result"]
    return methods_section(tasktypes.get(data.facts["task_type"]), data, result, answers)


@pytest.mark.parametrize("name", DEMONSTRATION)
def test_each_number_is_a_number_of_the_study(name: str) -> None:
    files = released(name)
    section = section_of(files, ANSWERS)
    values = {**recounted(files), "answers": {key: " ".join(text.split()) for key, text in ANSWERS.items()}}
    figures = {figure.path: figure for each in section.sentences for figure in each.figures.values()}
    assert len(figures) > 25
    assert [figure for figure in figures.values() if not equals(figure, value_at(values, figure.path))] == []
    unexplained = {
        number for each in section.sentences for number in re.findall(r"\d+", re.sub(r"\{.*?\}", "", each.template))
    }
    assert unexplained <= OF_METHODS
    assert_formats_agree(section, files)
    assert_gaps_are_filled(section)
    assert verify(files, versions=versions()).faults == []
    for path in ("methods/methods.tex", "methods/numbers.tex", "methods/methods.md", "methods/methods.html"):
        assert any(fault.startswith(f"{path}, line") for fault in verify(with_change(files, path), versions={}).faults)


def with_change(files: Mapping[str, bytes], path: str) -> dict[str, bytes]:
    place = re.search(rb"judgements", files[path], re.IGNORECASE)
    assert place is not None
    return {**files, path: files[path][: place.start()] + b"Labels" + files[path][place.end() :]}


def recounted(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Read the release again and count its rows, without the code that wrote the section."""
    rows = {
        path: [json.loads(line) for line in files[f"raw/{path}.jsonl"].decode().split("\n") if line]
        for path in ("items", "gold", "annotations", "decisions")
    }
    facts = json.loads(files["raw/study.json"])
    counted = [row for row in rows["annotations"] if row["counts"]]
    gold = [row["passed"] for row in rows["annotations"] if row["kind"] == "gold" and row["passed"] is not None]
    numbers = sorted(sum(row["pseudonym"] == name for row in counted) for name in {row["pseudonym"] for row in counted})
    middle = (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2
    days = sorted(row["given_at"][:10] for row in counted)
    accuracy, n, z = sum(gold) / len(gold), len(gold), 1.959964
    centre, half = accuracy + z * z / (2 * n), z * (accuracy * (1 - accuracy) / n + z * z / (4 * n * n)) ** 0.5
    stopped = [row for row in rows["annotations"] if row["reason"] == "void: stopped" and row["kind"] == "regular"]
    counts = {
        "items": sum(not row["held_out"] for row in rows["items"]),
        "languages": "English",
        "instructions_language": "English",
        "questions": len({row["ref"] for row in counted}),
        "judgements": len(counted),
        "gold_per_hit": -(-facts["questions_per_hit"] // facts["gold_block"]),
        "first_day": days[0],
        "last_day": days[-1],
        "decided": sum(not row.get("keep_both") for row in rows["decisions"]),
        "kept": sum(bool(row.get("keep_both")) for row in rows["decisions"]),
        "annotators": len(numbers),
        "fewest_judgements": numbers[0],
        "median_judgements": middle,
        "most_judgements": numbers[-1],
        "void_stopped": len(stopped),
        "gold_questions": len(rows["gold"]),
        "gold_answers": n,
        "gold_accuracy": accuracy,
        "gold_low": (centre - half) / (1 + z * z / n),
        "gold_high": (centre + half) / (1 + z * z / n),
    }
    return {"facts": facts, "counts": counts, "result": json.loads(files["report/results.json"])["result"]}


def equals(figure: Figure, value: Any) -> bool:
    """Compare a printed figure with its value, up to the digits that are printed."""
    if isinstance(value, list):
        return figure.text == str(len(value))
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        day = date.fromisoformat(value)
        return figure.text == f"{day.day} {day.strftime('%B %Y')}"
    number = re.fullmatch(r"(?:less than |more than )?[$€]?(−?[\d,]*\.?\d+)(%?)", figure.text)
    if number is None:
        return figure.text.rstrip(".") == str(value).rstrip(".")
    digits, share = number[1].replace("−", "-").replace(",", ""), number[2] == "%"
    printed, exact = float(digits), float(value) * (100 if share else 1)
    if figure.text.startswith(("less than ", "more than ")):
        return exact < printed if figure.text.startswith("less") else exact > printed
    places = len(digits.partition(".")[2])
    return abs(printed - exact) <= 0.5 * 10**-places + 1e-9


def assert_formats_agree(section: MethodsSection, files: Mapping[str, bytes]) -> None:
    """The LaTeX shows the same text as the sentences, defines each macro, and cites what the bibliography contains."""
    tex, bib = (files[f"methods/{name}"].decode() for name in ("methods.tex", "methods.bib"))
    numbers = definitions(files["methods/numbers.tex"].decode())
    assert set(re.findall(r"\\accord[a-zA-Z]+", tex)) == set(numbers)
    for sentence in section.sentences:
        cited = [
            f"({'; '.join(sentence.citations[key] for key in keys.split(','))})" for keys in keys_in(sentence.template)
        ]
        plain = sentence.plain()
        for text in cited:
            plain = plain.replace(text, "", 1)
        assert typeset(sentence.latex(), numbers).split() == plain.split()
        assert sentence.latex() in tex
    cited_keys = {key for keys in re.findall(r"\\citep\{(.*?)\}", tex) for key in keys.split(",")}
    assert cited_keys == set(re.findall(r"^@\w+\{(.*),$", bib, re.MULTILINE))
    assert tex.count("{") == tex.count("}")
    assert "[state how annotators heard of the study]" in tex.replace("{[}", "[")


def keys_in(template: str) -> list[str]:
    return re.findall(r"\{@(.*?)\}", template)


def assert_gaps_are_filled(section: MethodsSection) -> None:
    """Each topic that papers on annotated data often omit has a sentence: training, language, pay, demographics,
    adjudication and agreement.
    """
    texts = {part.name: " ".join(sentence.plain() for sentence in part.sentences) for part in section.parts}
    for part, text in (
        ("training", "finished the practice questions"),
        ("annotators", "The instructions were in English"),
        ("pay", "the actual hourly wage is"),
        ("annotators", "demographics"),
        ("adjudication", "decided"),
        ("agreement", "95% confidence interval"),
    ):
        assert text in texts[part], part
    assert len(section.open) == len(OPEN) - len(ANSWERS)


def test_a_release_with_sealed_gold_questions_states_the_same_quality_control() -> None:
    complete = released("layout")
    sealed = make_release(Study.objects.get().pk, replace(ABOUT, gold=SEALED), user=SYSTEM).files
    assert b'"kind": "gold"' in complete["raw/annotations.jsonl"]
    assert b'"kind": "gold"' not in sealed["raw/annotations.jsonl"]
    quality = [section_of(files, ANSWERS).parts[5].sentences for files in (complete, sealed)]
    assert [sentence.plain() for sentence in quality[0]] == [sentence.plain() for sentence in quality[1]]
    assert any("were mixed with the other questions" in sentence.plain() for sentence in quality[1])
    assert verify(sealed, versions=versions()).faults == []
