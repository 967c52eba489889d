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
    "alignment_ui/chunks/numerics/agreement.py _with_intervals": "report of chunk alignment",
    "alignment_ui/chunks/numerics/chunk_scores.py chunk_scores": "ists score-chunks",
    "alignment_ui/chunks/numerics/gold_scores.py method_scores": "ists score",
    "alignment_ui/chunks/numerics/score_sums.py f1_measures": "ists score",
    "alignment_ui/chunks/numerics/soft_scores.py expected_f1": "soft scores of chunks",
    "alignment_ui/chunks/pilot.py measured": "report of chunk alignment",
    "alignment_ui/words/anchoring.py _suggested": "report of word alignment, suggested links",
    "alignment_ui/words/evaluate.py _held_out": "soft scores of links",
    "alignment_ui/words/evaluate.py compare": "align score",
    "alignment_ui/words/evaluate.py evaluate": "align score",
    "alignment_ui/words/numerics/agreement.py _row": "align agreement",
    "alignment_ui/words/numerics/cell_annotators.py link_rates": "align aggregate",
    "alignment_ui/words/numerics/system_scores.py compared_sums": "align score",
    "alignment_ui/words/numerics/system_scores.py figures_of_sums": "align score-phrases",
    "alignment_ui/words/selectors/phrase_review.py review_of": SHARES,
    "annotate/numerics/assisted.py _coefficient": "evaluate assisted",
    "annotate/numerics/agreement.py _coefficients": "report of layouts",
    "annotate/numerics/careless.py _test": SHARES,
    "annotate/numerics/cohen.py cohen_kappa_means": "labels agreement",
    "annotate/numerics/corrected_precision.py corrected_precision": "align corrected-precision",
    "annotate/numerics/copying.py test": "page Programs, copied answers",
    "annotate/numerics/crossed.py jackknife_intervals": "labels agreement",
    "annotate/numerics/error_sample.py remaining_share": "sample of final labels",
    "annotate/numerics/generalising.py agreement_over": "labels agreement",
    "annotate/numerics/grouped.py _with_intervals": "labels groups",
    "annotate/numerics/group_agreement.py agreement_of_counts": "page Programs, votes",
    "annotate/numerics/pace.py _ends": "overview of a study",
    "annotate/numerics/rank_correlation.py rank_correlation": "page Programs, choices",
    "annotate/numerics/repeated_answers.py agreement_of_repeats": "report, repeated questions",
    "annotate/numerics/repeated_answers.py share_of_repeats": "report, repeated questions",
    "annotate/numerics/repeated_answers.py _wilson": "report, repeated questions",
    "annotate/numerics/intervals.py wilson_rank": SHARES,
    "annotate/people/selectors/annotators.py annotator_rows": SHARES,
    "annotate/questions/selectors/flags.py below_pass_mark": SHARES,
    "annotate/console/selectors/overview.py moving_share": SHARES,
    "annotate/console/selectors/overview.py share_by_hour": SHARES,
    "annotate/web/pages/charts.py people_chart": SHARES,
    "bws/numerics/annotator_checks.py check_annotators": SHARES,
    "paraphrase/console/labels.py _ranked": SHARES,
    "bws/numerics/annotator_reliability.py annotator_reliabilities": "bws score --annotators",
    "bws/numerics/annotator_reliability.py held_out_check": "bws score --annotators",
    "bws/numerics/ceiling.py _with_intervals": "evaluate ceiling",
    "bws/numerics/largest_error.py largest_standard_error": "report of best–worst scaling",
    "bws/numerics/reliability_intervals.py reliability_intervals": "bws reliability",
    "evaluation/label_scores.py _measures": "evaluate labels",
    "evaluation/label_scores.py system_differences": "evaluate labels",
    "evaluation/numerics/correlation.py spearman": "evaluate relatedness",
    "evaluation/numerics/differences.py paired_difference": "evaluate relatedness",
    "evaluation/numerics/differences.py paired_mean_difference": "comparison of paraphrase sets",
    "evaluation/numerics/relatedness.py _mean": "evaluate relatedness",
    "evaluation/perspective_scores.py baseline": "evaluate perspectives",
    "evaluation/perspective_scores.py differences": "evaluate perspectives",
    "evaluation/perspective_scores.py measures": "evaluate perspectives",
    "reporting/methods/counts.py _gold": SHARES,
    "releases/compare/numerics/scores.py score_agreement": "compare",
    "reporting/statement.py _gold": SHARES,
    "paraphrase/console/charts.py accuracy_chart": SHARES,
    "paraphrase/evaluate.py compare": "evaluate paraphrase-tables",
    "paraphrase/evaluate.py evaluate": "evaluate paraphrase-tables",
    "paraphrase/people.py worker_accuracy": SHARES,
    "paraphrase/systems/numerics/cluster_intervals.py cluster_intervals": "evaluate paraphrase-sets",
    "paraphrase/systems/numerics/para_nonpara.py _mean": "evaluate paraphrase-sets",
    "paraphrase/systems/numerics/paraphrase_tables.py _figures": "evaluate paraphrase-tables",
    "paraphrase/systems/numerics/thresholds.py _coefficients": "evaluate paraphrase-tables",
}
PARTS = frozenset(
    {
        # These functions calculate parts of intervals, which the functions above return.
        "annotate/numerics/bootstrap.py _expanded_tail",
        "annotate/numerics/bootstrap.py _interval",
        "annotate/numerics/crossed.py _part",
        "annotate/numerics/jackknife.py crossed_errors",
        "annotate/numerics/jackknife.py part",
        "evaluation/measures.py _intervals",
        # These standard errors are printed without an interval.
        "alignment_ui/chunks/numerics/annotator_rates.py annotator_rates",
        # Percentiles of a population of pairs, which are not an interval.
        "bws/sampling/numerics/sampling.py percentile_buckets",
    }
)
