"""Explanations of the console figures that all task types share."""

from __future__ import annotations

from annotate.tasktypes import Explanation

EXPLANATIONS = {
    "headline": Explanation(
        "main figure of the study",
        "The study's task type calculates the main figure from all judgements that count.",
        "the documentation of the task type.",
        "task-types#results",
    ),
    "judgements": Explanation(
        "counted judgements",
        "Number of answers to regular questions in submitted HITs. Surplus HITs, repeated questions, excluded "
        "answers, stopped annotators, and annotators who withdrew and excluded their answers do not count. The "
        "target is the number of judgements that the study’s HITs require, including added ones.",
        "Accord’s allocation of HITs.",
        "allocation",
    ),
    "gold_accuracy": Explanation(
        "gold accuracy",
        "Number of answers to gold questions that are as expected, or close enough / number of answers to gold "
        "questions. Answers from stopped annotators are included. The 95% interval is the Wilson score interval.",
        "Wilson (1927), Probable inference, the law of succession, and statistical inference.",
        "methods#annotators",
    ),
    "repeats": Explanation(
        "same answer again",
        "Number of repeated questions with the same answer / number of repeated questions. For comparison, the share "
        "of other annotators whose answer to the same question equals the first answer.",
        "Abercrombie and others (2025), Consistency is key: disentangling label variation in natural language "
        "processing with intra-annotator agreement.",
        "methods#repeated-questions",
    ),
    "operating_curve": Explanation(
        "quality rule as a test",
        "Probability that the quality rule stops an annotator within the stated number of gold answers, if the gold "
        "questions are in random order. The accuracy of a careful annotator is estimated from the answers so far. A "
        "half-careless annotator guesses every second answer on average. The figures are exact if each answer is "
        "either right or wrong, and simulated otherwise.",
        "Wald (1947), Sequential Analysis; Bühlmann and Straub (1970), Glaubwürdigkeit für Schadensätze.",
        "methods#quality-rules",
    ),
    "target": Explanation(
        "judgements still needed",
        "The noise falls in proportion to the number of judgements. It is (1 − r)/r for a reliability r, and the "
        "square of a width or a standard error. The study has reached its target when the one-sided 80% limit of the "
        "figure reaches it.",
        "Spearman (1910), Correlation calculated from faulty data; Brown (1910), Some experimental results in the "
        "correlation of mental abilities.",
        "methods#judgements-still-needed",
    ),
    "spent": Explanation(
        "amount spent",
        "Sum of the rewards for credited HITs, bonuses and corrections. Stopped annotators keep their credit for "
        "submitted HITs. Platform fees are not included.",
        "the pay records of the study.",
        "pay#how-the-amount-owed-is-calculated",
    ),
    "owed": Explanation(
        "amount owed",
        "Rewards for credited HITs + bonuses − payments, for each annotator. The total excludes annotators who were "
        "overpaid.",
        "the pay records of the study.",
        "pay#how-the-amount-owed-is-calculated",
    ),
    "paid": Explanation(
        "amount paid",
        "Sum of all recorded payments and their corrections.",
        "the pay records of the study.",
        "pay#recording-payments",
    ),
    "bonuses": Explanation(
        "bonuses",
        "Sum of all bonuses and their corrections.",
        "the pay records of the study.",
        "pay#bonuses",
    ),
    "hourly_wage": Explanation(
        "actual hourly wage",
        "Reward per HIT / median time of a submitted HIT in hours. The time of a HIT is the sum of its questions' "
        "times.",
        "the times that annotators’ pages measured.",
        "pay#hourly-wage",
    ),
    "assignments": Explanation(
        "submitted HITs",
        "Number of HITs that the annotator submitted. The credited amount is the sum of the rewards for these HITs.",
        "Accord’s allocation of HITs.",
        "allocation",
    ),
    "model_estimate": Explanation(
        "estimate for one annotator",
        "The share shown in this column, as estimated by the annotator model in the latest results report. The model "
        "uses this annotator’s answers and other annotators’ answers to the same questions.",
        "the latest results report.",
        "methods#annotators",
    ),
    "annotator_agreement": Explanation(
        "agreement with other annotators",
        "Mean agreement between the annotator’s answers and other annotators’ answers to the same questions. Each task "
        "type uses its own measure, which can differ from the agreement in the report even if there are only two "
        "annotators.",
        "the latest results report.",
        "methods#annotators",
    ),
    "places": Explanation(
        "chosen positions",
        "Number of times that the annotator chose each screen position. Positions are shuffled, so a careful annotator "
        "chooses all of them about equally often.",
        "the latest results report.",
        "methods#annotators",
    ),
    "median_time": Explanation(
        "median time per question",
        "Median time that the annotator spent on a question, as measured by the annotator’s page.",
        "the latest results report.",
        "methods#annotators",
    ),
    "design_counts": Explanation(
        "counts of the design",
        "The height of a bar is the number of items or questions in the category.",
        "the questions that Accord built for the study.",
        "designs",
    ),
}
