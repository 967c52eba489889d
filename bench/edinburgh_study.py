"""A study with the 714 aligned pairs of the Edinburgh corpus: one annotator repeats the gold, another a noisy copy.

    CORPORA=folder python -m bench.edinburgh_study

The pairs are imported without their links, filtered as in the paper, and pre-aligned by the built-in aligner. A tenth
of the pairs start without links. Claims, answers and the report use the same services as a browser, on SQLite in a
temporary folder. The benchmark prints the tables of the report and the time of each step. The file with possible links
contains all links, so the possible links are those that the file of sure links does not contain.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from bench._own_process import INSIDE, on_empty_database
from bench._timing import Clock

PER_HIT = 20


def main() -> None:
    if INSIDE in sys.argv:
        run(Path(os.environ["CORPORA"]) / "edinburgh")
        return
    on_empty_database("bench.edinburgh_study", [INSIDE])


def run(folder: Path) -> None:
    import django

    django.setup()
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.models import Report, User
    from annotate.questions.selectors.data import study_data
    from annotate.results.services import make_report, recompute
    from annotate.studies.services.study import create_study, open_study

    items, gold = corpus(folder)
    clock = Clock()
    user = User.objects.create_user("bench@example.org")
    study = create_study(
        user=user,
        title="Edinburgh",
        task_type="words",
        options={"blank": 0.1},
        seed=2008,
        judgements=2,
        questions_per_hit=PER_HIT,
        gold_block=0,
        rule_threshold=0,
        practice=False,
        privacy_notice="The benchmark stores no personal data.",
        contact="Bench, bench@example.org",
    )
    upload = import_file(study, purpose="items", filename="items.jsonl", data=items, user=user)
    clock.lap(f"bringing {upload.items.count():,} pairs in")
    design = build_design(study.pk, user=user)
    clock.lap("filtering, pre-aligning, creating HITs")
    study = open_study(study.pk, user=user)
    answer(study, gold)
    clock.lap("answers by two annotators")
    report = make_report(study.pk, kind="results", parameters={}, user=user, progress=lambda share, message: None)
    clock.lap("the report with 1,000 resamples and 100 samples of agreement by chance")
    again = recompute(Report.objects.get(pk=report.pk))
    clock.lap("the same report from its stored input")
    assert again == report.result, "the same input gives different digits"
    data = study_data(study)
    sizes = {export.filename: sum(map(len, export.write(data, report.result))) for export in exports()}
    clock.lap("all exports")
    for check in design.result["checks"]:
        print(f"  {check['state']:7}{check['name']}: {check['value']}, {check['detail']}")
    print_report(report.result)
    print("exports: " + ", ".join(f"{name} {size / 1000:,.0f} kB" for name, size in sizes.items()))


def corpus(folder: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the pairs as JSON Lines without links, and their alignments by ID."""
    with_possible, sure = (
        json.loads((folder / f"gold.train.{name}.json").read_text(encoding="utf-8")) for name in ("sure+poss", "sure")
    )
    lines, gold = [], {}
    for pair, certain in zip(with_possible, sure, strict=True):
        key = pair["id"]
        assert key == certain["id"]
        lines.append({"id": key, "source": pair["source"], "target": pair["target"], "subcorpus": key.split("-")[0]})
        links = {which: set(alignment["sureAlign"].split()) for which, alignment in (("all", pair), ("sure", certain))}
        gold[key] = {"sure": as_links(links["sure"]), "possible": as_links(links["all"] - links["sure"])}
    return "".join(json.dumps(line) + "\n" for line in lines).encode(), gold


def as_links(tokens: set[str]) -> list[list[int]]:
    return sorted([int(token) for token in link.split("-")] for link in tokens)


def answer(study: Any, gold: dict[str, Any]) -> None:
    """Answer with the gold links as the first annotator, and with a noisy copy as the second."""
    from accord_core.numerics.draws import generator
    from accord_core.pairs.formats.corpus import notation
    from alignment_ui.words.answer import as_alignment
    from alignment_ui.words.simulation import simulate_answer
    from annotate.core.services.claim import claim
    from annotate.core.services.submit import AnswerSent, submit
    from annotate.models import Annotator
    from annotate.recruiting.services.join import accept_consent, join

    for name in ("gold", "copy"):
        person = join(study, platform=Annotator.Platform.SIMULATED, external_id=name)
        accept_consent(person.pk, None, eligible=True)
        while (assignment := claim(person.pk).assignment) is not None:
            sent = []
            for answer in assignment.answers.select_related("question").order_by("position"):
                question = answer.question
                raw = gold[question.ref] | {"log": [[0, "confirm", "button", []]]}
                if name == "copy":
                    truth = {question.ref: notation(as_alignment(raw))}
                    raw = simulate_answer(question.payload, truth[question.ref], False, generator(1, question.ref))
                sent.append(AnswerSent(answer.position, raw, seconds=60.0))
            submit(person.pk, assignment.public_id, sent)


def exports() -> Any:
    from annotate import tasktypes

    return tasktypes.get("words").exports


def print_report(result: dict[str, Any]) -> None:
    print(f"{result['judgements']:,} judgements by {result['annotators']}; pairs: {result['pairs']}")
    print_table("words (Table 3)", result["words"])
    print_table("phrase pairs (Table 4)", result["phrases"])
    print_table("phrase pairs against the pre-alignment (Table 5)", result["against_start"]["phrases"])
    for row in result["aligned"]:
        name = row["subcorpus"] or "all"
        print(f"  {name:8}" + ", ".join(f"{row[figure]:,} {figure}" for figure in row if figure != "subcorpus"))
    anchoring = result["anchoring"]
    for name in ("shown", "empty"):
        group = anchoring[name]
        print(
            f"  links {name}: {figure(group['suggested'])} of the suggested links among theirs, "
            f"{group['edits']:.1f} links changed per pair, F1 between annotators {figure(group['f1'])}"
        )
    print(f"  difference {figure(anchoring['difference'])}")
    worst = result["disagreements"][0]
    print(f"  {len(result['disagreements']):,} disagreements; the worst is {worst['ref']} with F1 {worst['f1']:.2f}")


def print_table(title: str, rows: list[dict[str, Any]]) -> None:
    print(f"{title}: possible | sure, with 95 % intervals")
    for row in rows:
        cells = [
            "  ".join(f"{name} {figure(row[kind][name])}" for name in ("precision", "recall", "f1", "c"))
            for kind in ("possible", "sure")
        ]
        print(f"  {row['subcorpus'] or 'all':8}{row['pairs']:5}  " + "  |  ".join(cells))


def figure(coefficient: dict[str, Any]) -> str:
    if coefficient["value"] is None:
        return "–"
    return f"{coefficient['value']:.3f} ({coefficient['low']:.2f}–{coefficient['high']:.2f})"


if __name__ == "__main__":
    main()
