"""Explanations of the figures in a word-alignment report, with formulas and references."""

from __future__ import annotations

from annotate.tasktypes import Explanation

_REPORT = "alignment#4-read-the-report"
_COHN = "Cohn, Callison-Burch and Lapata (2008), Constructing corpora for the development of paraphrase systems."

EXPLANATIONS = {
    "headline": Explanation(
        "F1 of word links between annotators",
        "F1 = 2PR / (P + R). One annotator's sure links are compared with all of the other annotator's links. The 95% "
        "interval is based on resampled sentence pairs.",
        "Och and Ney (2003), A systematic comparison of various statistical alignment models.",
        _REPORT,
    ),
    "pairs": Explanation(
        "aligned pairs",
        "Number of sentence pairs with at least one alignment that counts, out of all sentence pairs in the design.",
        "the alignments that count.",
        _REPORT,
    ),
    "words": Explanation(
        "agreement on words",
        "F1 = 2 × shared links / all links of both annotators. C = (π − π₀) / (1 − π₀). π is the number of links that "
        "two annotators have in common, divided by the smaller of their numbers of links. π₀ is the same figure for "
        "random changes to the pre-alignment.",
        _COHN,
        _REPORT,
    ),
    "phrases": Explanation(
        "agreement on phrase pairs",
        "F1 compares one annotator's atomic phrase pairs with all of the other annotator's phrase pairs. C compares "
        "the atomic phrase pairs of both annotators and is corrected for chance, as for words.",
        _COHN,
        _REPORT,
    ),
    "against_start": Explanation(
        "agreement with the pre-alignment",
        "Precision, recall and F1 of each alignment that counts, compared with the links that its annotator started "
        "with.",
        _COHN,
        _REPORT,
    ),
    "aligned": Explanation(
        "final alignments",
        "Numbers of words and links in the final alignments. If no decision has been made, a final alignment contains "
        "the links that more than half of the annotators drew.",
        "the alignments that count.",
        _REPORT,
    ),
    "model": Explanation(
        "precision and recall of each annotator",
        "Estimates from a Dawid–Skene model of the cells in the alignment matrix. The ± values are standard errors "
        "from a jackknife over 20 groups of sentence pairs. The share of wrong initial links kept is undefined if the "
        "expected number of wrong initial links is below 1.",
        "Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm.",
        _REPORT,
    ),
    "gold_methods": Explanation(
        "combined alignments compared with gold questions",
        "Precision = |A ∩ P| / |A|, recall = |A ∩ S| / |S|, F1 = 2PR / (P + R), AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + "
        "|S|). A contains the combined alignments' links, S the sure links in the expected answers, and P all links "
        "in them. The 95% intervals are based on resampled gold questions.",
        "Och and Ney (2003), A systematic comparison of various statistical alignment models.",
        _REPORT,
    ),
    "anchoring": Explanation(
        "influence of the pre-alignment",
        "Share of suggested links in answers that started with these links, minus their share in answers that started "
        "without links. The 95% interval is based on resampled sentence pairs.",
        "the alignments that count.",
        _REPORT,
    ),
}
