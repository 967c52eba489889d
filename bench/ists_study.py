"""A study with the 250 pairs of image captions of the shared task: one annotator repeats gold, another a noisy copy.

    CORPORA=folder python -m bench.ists_study

Each of the five `.wa` files is imported into a study whose annotators start with its links. The study is exported
before any answer, and again after an annotator has submitted every pair unchanged. Pairs that break the guidelines, as
in the damaged copies, cannot be submitted unchanged: they are fixed, and all other pairs must be exported byte for
byte. Two annotators then annotate the gold file, and a report is calculated. All steps use the same services as a
browser, on SQLite in a temporary folder. The benchmark prints the results and the time of each step.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from bench._own_process import INSIDE, on_empty_database
from bench._timing import Clock

PER_HIT = 25


def main() -> None:
    if INSIDE in sys.argv:
        run(Path(os.environ["CORPORA"]) / "ists")
        return
    on_empty_database("bench.ists_study", [INSIDE])


def run(folder: Path) -> None:
    import django

    django.setup()
    from accord_core.chunks.formats.ists import parse_wa
    from annotate.core.permissions import SYSTEM
    from annotate.models import Report
    from annotate.results.services import make_report, recompute

    clock = Clock()
    for path in sorted(folder.glob("*.wa")):
        data = path.read_bytes()
        study = opened(path.name, data)
        untouched = exported(study) == data
        as_they_came = answered(study, "as it came", slips=False)
        before, after = (parse_wa(file.decode()).pairs for file in (data, exported(study)))
        same_text = {pair.id for pair, old in zip(after, before, strict=True) if pair.text == old.text}
        clock.lap(
            f"{path.name}: untouched {'byte for byte' if untouched else 'NOT byte for byte'}; {len(as_they_came)} of "
            f"{len(before)} pairs submitted unchanged, {len(as_they_came & same_text)} of these byte for byte"
        )
    study = opened("gold, twice", (folder / "images.gold.wa").read_bytes())
    clock.lap("importing 250 pairs, building, creating HITs")
    answered(study, "as it came", slips=False)
    answered(study, "with slips", slips=True)
    clock.lap("answers by two annotators")
    report = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, message: None)
    clock.lap("the report with 1,000 resamples")
    assert recompute(Report.objects.get(pk=report.pk)) == report.result, "the same input gives different digits"
    clock.lap("the same report from its stored input")
    print_report(report.result)


def opened(name: str, data: bytes) -> Any:
    from annotate.core.permissions import SYSTEM
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.studies.services.study import create_study, open_study

    study = create_study(
        user=somebody(),
        title=name,
        task_type="chunks",
        options={"begin": "links", "guidelines": "warn"},  # two published NOALI chunks have scores
        seed=2015,
        judgements=2,
        questions_per_hit=PER_HIT,
        gold_block=0,
        rule_threshold=0,
        practice=False,
    )
    import_file(study, purpose="items", filename="images.wa", data=data, user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    return open_study(study.pk, user=SYSTEM)


def somebody() -> Any:
    from annotate.models import User

    return User.objects.filter(email="bench@example.org").first() or User.objects.create_user("bench@example.org")


def exported(study: Any) -> bytes:
    from annotate import tasktypes
    from annotate.questions.selectors.data import study_data

    [export] = [one for one in tasktypes.get("chunks").exports if one.filename == "alignment.wa"]
    return b"".join(export.write(study_data(study), None))


def answered(study: Any, name: str, *, slips: bool) -> set[str]:
    """Answer every pair as one annotator, optionally with noise. Return the IDs of pairs that are submitted
    unchanged."""
    from accord_core.numerics.draws import generator
    from alignment_ui.chunks.answer import clean_answer
    from alignment_ui.chunks.simulation import simulate_answer
    from annotate.core.services.claim import claim
    from annotate.core.services.submit import AnswerSent, submit
    from annotate.models import Annotator
    from annotate.recruiting.services.join import accept_consent, join
    from annotate.tasktypes import InvalidAnswer

    as_they_came: set[str] = set()
    person = join(study, platform=Annotator.Platform.SIMULATED, external_id=name)
    accept_consent(person.pk, None, eligible=True)
    while (assignment := claim(person.pk).assignment) is not None:
        sent = []
        for answer in assignment.answers.select_related("question").order_by("position"):
            question = answer.question
            raw = {part: question.payload[part] for part in ("chunks", "links", "left")}
            raw["log"] = [[0, "confirm", "button", []]]
            try:
                clean_answer(question.payload, raw, many_to_many=False)
                allowed = True
            except InvalidAnswer:
                allowed = False
            if slips or not allowed:
                raw = simulate_answer(question.payload, None, False, False, generator(1, question.ref))
            else:
                as_they_came.add(question.ref)
            sent.append(AnswerSent(answer.position, raw, seconds=60.0))
        submit(person.pk, assignment.public_id, sent)
    return as_they_came


def print_report(result: dict[str, Any]) -> None:
    print(f"{result['judgements']:,} judgements by {result['annotators']}; {result['said']['types']}")
    overall = result["agreement"]["overall"]
    for name in ("f1_ali", "f1_type", "f1_score", "f1_typ_sco", "score_difference"):
        figure = overall[name]
        print(f"  {name:18}{figure['value']:.3f} ({figure['low']:.3f}–{figure['high']:.3f})")
    worst = result["disagreements"][0]
    print(f"  {result['disagreements_in_all']:,} disagreements; the worst is {worst['ref']} with F1 {worst['f1']:.2f}")


if __name__ == "__main__":
    main()
