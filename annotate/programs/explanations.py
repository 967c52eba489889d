"""Explanations of the figures on the page Programs."""

from annotate.tasktypes import Explanation

EXPLANATIONS = {
    "program_agreement": Explanation(
        "agreement with programs",
        "Agreement between people, between people and programs, and between programs. Each question has the same "
        "weight. The 95% intervals come from resampled questions.",
        "Efron and Tibshirani (1993), An Introduction to the Bootstrap.",
        "methods#agreement-with-programs",
    ),
    "program_scores": Explanation(
        "correlation of scores",
        "Spearman’s correlation between the counting scores from the answers of a program and of people to the same "
        "questions. The correlation is calculated only for programs that have answered all questions. The 95% interval "
        "comes from resampled items.",
        "Spearman (1904), The proof and measurement of association between two things.",
        "methods#agreement-with-programs",
    ),
    "alt_test": Explanation(
        "alternative annotator test",
        "Each annotator is left out in turn, and the annotator and the program are compared with the other annotators. "
        "The winning rate is the share of annotators against whom the program wins. The average advantage probability "
        "is the mean share of questions on which the program agrees with the others at least as well as the left-out "
        "annotator. With fewer than 30 questions, the published procedure uses another test.",
        "Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge.",
        "methods#alternative-annotator-test",
    ),
    "copied_answers": Explanation(
        "copied answers",
        "The test compares each annotator’s agreement with a program to the agreement of an honest annotator of "
        "the same ability, given the other annotators’ answers, the difficulty of the questions and the likeliest "
        "wrong answers. An annotator is worth a look if at most 1% of honest annotators would agree as much. The "
        "result is “inconclusive” if the program has fewer than 8 expected errors in these answers, or if even an "
        "annotator who copies every answer would be noticed in less than 80% of cases.",
        "McLachlan and Peel (2000), Finite Mixture Models.",
        "methods#answers-copied-from-a-program",
    ),
}
