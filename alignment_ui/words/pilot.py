"""The alignments of a study as a pilot, and the agreement between annotators."""

from __future__ import annotations

from accord_core.numerics.unfinished import Measured, PilotAnswers, require_answers
from accord_core.words.numerics.agreement import word_agreement
from accord_core.words.numerics.pilot import Pilot
from alignment_ui.words.columns import collected
from alignment_ui.words.report import QUICK_RESAMPLES
from annotate.tasktypes import Columns


def pilot(columns: Columns) -> PilotAnswers:
    """Return the design's alignments of all sentence pairs with at least two annotators as a pilot. Raises
    TooFewAnswers if the pilot would be too small.
    """
    inputs = collected(columns)
    numbers = {judgement.annotator for judgement in inputs.judgements}
    require_answers([len(each) for each in inputs.design_answers.values()], len(numbers), questions="sentence pairs")
    several = {place: answers for place, answers in inputs.design_answers.items() if len(answers) > 1}
    pairs = [inputs.pairs[place] for place in several]
    start = [pair.shown for pair in pairs]
    return PilotAnswers(
        Pilot(
            [(len(pair.source), len(pair.target)) for pair in pairs],
            [[judgement.annotator for judgement in answers] for answers in several.values()],
            [[judgement.alignment for judgement in answers] for answers in several.values()],
            start if any(each is not None for each in start) else None,
        ),
        inputs.design_judgements,
        len(inputs.design_answers),
        len(numbers),
    )


def measured(columns: Columns, seed: int) -> Measured:
    """Return F1 of all links between annotators. Unlike the figures of reports, this F1 always includes links between
    identical words, as the figure of a plan does.
    """
    pairs = [two.aligned(corrected=False) for two in collected(columns).compared]
    row = word_agreement(pairs, ignore_identical=False, resamples=QUICK_RESAMPLES, samples=0, seed=seed)
    f1 = row["possible"]["f1"]
    return Measured(f1["value"], f1["low"], f1["high"])
