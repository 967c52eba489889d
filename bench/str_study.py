"""A complete study as large as STR-2021, simulated through the services that a browser uses.

The study has 5,500 items and 11,000 tuples with two judgements each. 10% of the annotators answer at random, and gold
questions stop them. The benchmark prints time, peak memory, split-half reliability and the Spearman correlation with
the simulated truth. A second run without a quality rule shows the effect of careless annotators.

    script/bench str_study            on SQLite in a temporary folder, or DATABASE_URL
"""

from __future__ import annotations

import resource
import sys
import time

from bench._own_process import on_empty_database

ITEMS, ANNOTATORS, CARELESS = 5_500, 389, 0.10


def main() -> None:
    """Run both studies in separate processes, so that peak memory is measured separately."""
    if len(sys.argv) > 1:
        run(float(sys.argv[1]))
        return
    for threshold, name in ((0.7, "with the rule"), (0.0, "without it")):
        print(f"— {name}", flush=True)
        on_empty_database("bench.str_study", [str(threshold)])


def run(threshold: float) -> None:
    """Create the study, let the annotators answer, and calculate the results."""
    import django

    django.setup()
    from accord_core.bws.numerics.scoring import spearman
    from annotate.annotator.simulation import draw_truth, simulate
    from annotate.core.permissions import SYSTEM
    from annotate.data.services.design import build_design
    from annotate.data.services.imports import import_file
    from annotate.models import User
    from annotate.results.services import make_report
    from annotate.studies.services.study import create_study, open_study

    started = time.perf_counter()
    user = User.objects.create_user("bench@example.org")
    study = create_study(
        user=user, title="STR", task_type="bws", instructions="x", seed=2021, rule_threshold=str(threshold)
    )
    items = "".join(f"p{n},The first sentence of {n}.,The second one of {n}.,\n" for n in range(ITEMS))
    gold = "".join(f"g{n},A sentence for gold {n}.,Another for gold {n}.,yes\n" for n in range(400))
    data = f"id,sentence1,sentence2,gold_only\n{items}{gold}".encode()
    import_file(study, purpose="items", filename="items.csv", data=data, user=user)
    truth = draw_truth(study, 1)
    # Authors agree on clear cases, so gold questions use held-out items whose true values are far apart.
    truth |= {f"g{n}": (0.95, 0.55, 0.45, 0.05)[n % 4] for n in range(400)}
    rows = "".join(f"g{n},g{n + 1},g{n + 2},g{n + 3},g{n},g{n + 3},because\n" for n in range(0, 400, 4))
    header = "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"
    import_file(study, purpose="gold", filename="gold.csv", data=(header + rows).encode(), user=user)
    build_design(study.pk, user=user)
    study = open_study(study.pk, user=user)
    ready = time.perf_counter()
    done = simulate(study, user=SYSTEM, annotators=ANNOTATORS, careless=CARELESS, seed=1, truth=truth)
    answered = time.perf_counter()
    report = make_report(study.pk, kind="results", parameters={}, user=user, progress=lambda share, message: None)
    reported = time.perf_counter()
    scores = report.result["scores"]
    judged = [n for n, score in enumerate(scores["score"]) if score is not None]
    against_truth = spearman([scores["score"][n] for n in judged], [truth[scores["key"][n]] for n in judged])
    reliability = {name: report.result["reliability"][name]["spearman"]["mean"] for name in ("whole", "within")}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"making the study          {ready - started:8.1f} s")
    print(
        f"answering                 {answered - ready:8.1f} s   {done.hits:,} HITs, {done.stopped} annotators stopped"
    )
    print(f"report (1,000 splits)     {reported - answered:8.1f} s   {report.result['judgements']:,} judgements")
    print(f"peak memory               {peak:8.0f} MiB")
    print(
        f"split-half reliability    {reliability['whole']:.3f} (whole tuples) to {reliability['within']:.3f} (within)"
    )
    print(f"Spearman with the truth   {against_truth:.3f}", flush=True)


if __name__ == "__main__":
    main()
