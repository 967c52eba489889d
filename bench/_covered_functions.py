"""The functions that calculate intervals, each with the rows of the coverage table that measure it.

A test compares this list with the code: each function that calls one of the `CONSTRUCTORS` must be named here or in
`PARTS`, and each row must exist in the table.
"""

from __future__ import annotations

CONSTRUCTORS = frozenset(
    {
        "differences_of_sums",
        "fisher_interval",
        "jackknife_intervals",
        "jackknife_part",
        "most_wrong",
        "measures_of_sums",
        "percentile",
        "percentile_intervals",
        "stdtrit",
        "t_quantile",
        "wilson_interval",
    }
)
SHARES = "accuracy on gold questions"
COVERED = {
    "alignment_ui/chunks/evaluate.py _held_out": "soft scores of chunks",
    "alignment_ui/chunks/evaluate.py compare": "ists score",
    "alignment_ui/chunks/evaluate.py evaluate": "ists score",
    "accord_core/chunks/numerics/agreement.py _with_intervals": "report of chunk alignment",
    "accord_core/chunks/numerics/chunk_scores.py chunk_scores": "ists score-chunks",
    "accord_core/chunks/numerics/gold_scores.py method_scores": "ists score",
    "accord_core/chunks/numerics/score_sums.py f1_measures": "ists score",
    "accord_core/chunks/numerics/soft_scores.py expected_f1": "soft scores of chunks",
    "alignment_ui/chunks/pilot.py measured": "report of chunk alignment",
    "alignment_ui/words/anchoring.py _suggested": "report of word alignment, suggested links",
    "alignment_ui/words/evaluate.py _held_out": "soft scores of links",
    "alignment_ui/words/evaluate.py compare": "align score",
    "alignment_ui/words/evaluate.py evaluate": "align score",
    "accord_core/words/numerics/agreement.py _row": "align agreement",
    "accord_core/words/numerics/cell_annotators.py link_rates": "align aggregate",
    "accord_core/words/numerics/system_scores.py compared_sums": "align score",
    "accord_core/words/numerics/system_scores.py figures_of_sums": "align score-phrases",
    "alignment_ui/words/selectors/phrase_review.py review_of": SHARES,
    "accord_core/numerics/assisted.py _coefficient": "evaluate assisted",
    "accord_core/numerics/agreement.py _coefficients": "report of layouts",
    "accord_core/numerics/careless.py _test": SHARES,
    "accord_core/numerics/cohen.py cohen_kappa_means": "labels agreement",
    "accord_core/numerics/corrected_precision.py corrected_precision": "align corrected-precision",
    "accord_core/numerics/copying.py test": "page Programs, copied answers",
    "accord_core/numerics/crossed.py jackknife_intervals": "labels agreement",
    "accord_core/numerics/error_sample.py remaining_share": "sample of final labels",
    "accord_core/numerics/generalising.py agreement_over": "labels agreement",
    "accord_core/numerics/grouped.py _with_intervals": "labels groups",
    "accord_core/numerics/group_agreement.py agreement_of_counts": "page Programs, votes",
    "accord_core/numerics/pace.py _ends": "overview of a study",
    "accord_core/numerics/rank_correlation.py rank_correlation": "page Programs, choices",
    "accord_core/numerics/repeated_answers.py agreement_of_repeats": "report, repeated questions",
    "accord_core/numerics/repeated_answers.py share_of_repeats": "report, repeated questions",
    "accord_core/numerics/repeated_answers.py _wilson": "report, repeated questions",
    "accord_core/numerics/intervals.py wilson_rank": SHARES,
    "annotate/people/selectors/annotators.py annotator_rows": SHARES,
    "annotate/questions/selectors/flags.py below_pass_mark": SHARES,
    "annotate/console/selectors/overview.py moving_share": SHARES,
    "annotate/console/selectors/overview.py share_by_hour": SHARES,
    "annotate/web/pages/charts.py people_chart": SHARES,
    "accord_core/bws/numerics/annotator_checks.py check_annotators": SHARES,
    "paraphrase/console/labels.py _ranked": SHARES,
    "accord_core/bws/numerics/annotator_reliability.py annotator_reliabilities": "bws score --annotators",
    "accord_core/bws/numerics/annotator_reliability.py held_out_check": "bws score --annotators",
    "accord_core/bws/numerics/ceiling.py _with_intervals": "evaluate ceiling",
    "accord_core/bws/numerics/largest_error.py largest_standard_error": "report of best–worst scaling",
    "accord_core/bws/numerics/reliability_intervals.py reliability_intervals": "bws reliability",
    "evaluation/label_scores.py _measures": "evaluate labels",
    "evaluation/label_scores.py system_differences": "evaluate labels",
    "accord_core/evaluation/numerics/correlation.py spearman": "evaluate relatedness",
    "accord_core/evaluation/numerics/differences.py paired_difference": "evaluate relatedness",
    "accord_core/evaluation/numerics/differences.py paired_mean_difference": "comparison of paraphrase sets",
    "accord_core/evaluation/numerics/relatedness.py _mean": "evaluate relatedness",
    "evaluation/perspective_scores.py baseline": "evaluate perspectives",
    "evaluation/perspective_scores.py differences": "evaluate perspectives",
    "evaluation/perspective_scores.py measures": "evaluate perspectives",
    "reporting/methods/counts.py _gold": SHARES,
    "accord_core/compare/scores.py score_agreement": "compare",
    "reporting/statement.py _gold": SHARES,
    "paraphrase/console/charts.py accuracy_chart": SHARES,
    "paraphrase/evaluate.py compare": "evaluate paraphrase-tables",
    "paraphrase/evaluate.py evaluate": "evaluate paraphrase-tables",
    "paraphrase/people.py worker_accuracy": SHARES,
    "accord_core/paraphrase/systems/numerics/cluster_intervals.py cluster_intervals": "evaluate paraphrase-sets",
    "accord_core/paraphrase/systems/numerics/para_nonpara.py _mean": "evaluate paraphrase-sets",
    "accord_core/paraphrase/systems/numerics/paraphrase_tables.py _figures": "evaluate paraphrase-tables",
    "accord_core/paraphrase/systems/numerics/thresholds.py _coefficients": "evaluate paraphrase-tables",
}
PARTS = frozenset(
    {
        # These functions calculate parts of intervals, which the functions above return.
        "accord_core/numerics/bootstrap.py _expanded_tail",
        "accord_core/numerics/bootstrap.py _interval",
        "accord_core/numerics/crossed.py _part",
        "accord_core/numerics/jackknife.py crossed_errors",
        "accord_core/numerics/jackknife.py part",
        "accord_core/evaluation/measures.py _intervals",
        # These standard errors are printed without an interval.
        "accord_core/chunks/numerics/annotator_rates.py annotator_rates",
        # Percentiles of a population of pairs, which are not an interval.
        "accord_core/bws/sampling/numerics/sampling.py percentile_buckets",
    }
)
