"""The judgements that a program saves, before a study."""

from __future__ import annotations

from math import ceil, floor


def saved_share(correlation: float, reliability: float, share: float) -> float:
    """Return the share of judgements that a program saves for a mean or a label share with the same interval width.

    `correlation` is the program's correlation with the true scores, `reliability` that of people's answers to one
    question, and `share` the share f of questions that people alone would judge. With r² = correlation²·reliability,
    the saving is r²(1 − f)/(1 − r²f). A program with a negative correlation saves nothing. Raises ValueError for a
    value outside its range.
    """
    if not (-1 <= correlation <= 1 and 0 < reliability <= 1 and 0 < share <= 1):
        raise ValueError("The correlation must be from −1 to 1, and the reliability and the share above 0, up to 1.")
    explained = max(0.0, correlation) ** 2 * reliability
    return explained * (1 - share) / (1 - explained * share) if explained * share < 1 else 0.0


def judged_with_program(judged: int, saved: float) -> int:
    """Return the number of questions that people judge if a program saves this share of the judgements."""
    return ceil(judged * (1 - saved) - 1e-9)


def judged_alone(with_program: int, questions: int, correlation: float, reliability: float) -> int:
    """Return the number of questions that people alone would have to judge to match the interval width of a study in
    which people judge `with_program` of the questions and a program answers all of them.

    This is the inverse of `saved_share`, rounded down: with the share s of judged questions and r² as above, the result
    is s/(1 − r²(1 − s)) of all questions. Raises ValueError for a value outside its range.
    """
    if not 0 < with_program <= questions:
        raise ValueError("People must judge at least one question, and at most all.")
    if not (-1 <= correlation <= 1 and 0 < reliability <= 1):
        raise ValueError("The correlation must be from −1 to 1, the reliability above 0, up to 1.")
    explained, share = max(0.0, correlation) ** 2 * reliability, with_program / questions
    return floor(with_program / (1 - explained * (1 - share)) + 1e-9)
