"""A study of paraphrases as large as the paper's: 15,000 sentences × 8 candidates × 5 annotators, 600,000 votes.

The study is built, answered by simulated annotators of whom 15% answer at random, and reported, through the services
and pages that people use. Each phase runs in a separate process, so that its peak memory is measured separately.

    script/bench paraphrase           on SQLite in a temporary folder, or DATABASE_URL
"""

from __future__ import annotations

import json
import resource
import sys
import time

from bench._own_process import on_empty_database

SENTENCES, CANDIDATES, EACH = 15_000, 8, 5
QUESTIONS_PER_HIT, QUALITY, ANNOTATORS, CARELESS = 20, 120, 60, 0.15
PAGES = ("results/1/", "results/1/labels/", "results/1/labels/?show=differ&page=3", "results/1/domains/", "results/")


def main() -> None:
    if len(sys.argv) > 1:
        phase(sys.argv[1])
        return
    on_empty_database("bench.paraphrase", *([name] for name in ("build", "answer", "report", "pages", "downloads")))


def phase(name: str) -> None:
    import django

    django.setup()
    started = time.perf_counter()
    summary = {"build": build, "answer": answer, "report": report, "pages": pages, "downloads": downloads}[name]()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:<10}{time.perf_counter() - started:8.1f} s {peak:6.0f} MiB   {summary}", flush=True)


def build() -> str:
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.models import User
    from annotate.studies.services.study import create_study, open_study

    user = User.objects.create_superuser("bench@example.org")
    study = create_study(
        user=user,
        title="Paraphrases",
        task_type="paraphrase",
        seed=2015,
        questions_per_hit=QUESTIONS_PER_HIT,
        gold_block=QUESTIONS_PER_HIT,
        judgements=EACH,
    )
    items = "".join(json.dumps(_item(number)) + "\n" for number in range(SENTENCES))
    quality = "id,sentence,phrase,synonyms,random_words\n" + "".join(
        f"q{n},They were happy and {n} of them sang.,happy,glad|pleased|content,oak|ladle|tin\n" for n in range(QUALITY)
    )
    for purpose, filename, text in (("items", "items.jsonl", items), ("gold", "gold.csv", quality)):
        import_file(study, purpose=purpose, filename=filename, data=text.encode(), user=user)
    design = build_design(study.pk, user=user)
    open_study(study.pk, user=user)
    return f"{len(items) / 2**20:.1f} MiB of items; {design.result['hits']:,} HITs, {design.result['slots']:,} slots"


def _item(number: int) -> dict[str, object]:
    phrase = f"word{number % 1_499}"
    paraphrases = [f"choice{number % 1_499}of{each}" for each in range(CANDIDATES)]
    # In every third biology sentence, other candidates are good: the first ones in the list.
    domain = ("biology", "general")[number % 2]
    turn = 3 if domain == "biology" and number % 3 else 0
    return {
        "id": f"s{number}",
        "sentence": f"In sentence {number} the {phrase} stands among other words.",
        "phrase": phrase,
        "paraphrases": paraphrases[turn:] + paraphrases[:turn],
        "domain": domain,
    }


def answer() -> str:
    from annotate.annotator.simulation import simulate
    from annotate.core.permissions import SYSTEM
    from annotate.models import Item

    study = _study()
    truth = dict.fromkeys(Item.objects.filter(study=study).values_list("key", flat=True), 0.375)
    done = simulate(study, user=SYSTEM, annotators=ANNOTATORS, careless=CARELESS, seed=1, truth=truth)
    return f"{done.hits:,} HITs by {done.annotators} annotators, {done.stopped} stopped"


def report() -> str:
    from annotate.core.permissions import SYSTEM
    from annotate.results.services import make_report

    stored = make_report(_study().pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, message: None)
    result = stored.result
    kappa = result["headline"]["ends"][0]["value"]
    return (
        f"{result['votes']:,} votes on {result['counts']['judged']:,} candidates, Fleiss' κ {kappa:.3f}, "
        f"{len(result['contrasts']):,} contrasts, {len(json.dumps(result)) / 2**20:.1f} MiB of JSON"
    )


def pages() -> str:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotate.models import User

    study, client = _study(), Client()
    client.force_login(User.objects.get(email="bench@example.org"))
    lines = []
    for page in PAGES:
        times = []
        for _ in range(4):
            began = time.perf_counter()
            with CaptureQueriesContext(
                connection,
            ) as queries:
                response = client.get(f"/console/{study.public_id}/{page}", headers={"host": "127.0.0.1"})
            times.append(time.perf_counter() - began)
            assert response.status_code == 200, (page, response.status_code)
        lines.append(
            f"\n  {page:<40}{1000 * min(times):6.0f} ms, {len(queries):2} queries, {len(response.content):,} bytes"
        )
    return "".join(lines)


def downloads() -> str:
    from annotate import tasktypes
    from annotate.models import Report
    from annotate.questions.selectors.data import study_data

    study = _study()
    data, result = study_data(study), Report.objects.get(study=study, kind="results").result
    lines = []
    for export in tasktypes.get("paraphrase").exports:
        if export.filename.endswith(".csv") and "batch" not in export.filename:
            began = time.perf_counter()
            size = sum(map(len, export.write(data, result)))
            lines.append(f"\n  {export.filename:<40}{time.perf_counter() - began:6.1f} s, {size / 2**20:.1f} MiB")
    return "".join(lines)


def _study():  # type: ignore[no-untyped-def]
    from annotate.models import Study

    return Study.objects.get(title="Paraphrases")


if __name__ == "__main__":
    main()
