"""Plans from simulated studies: predicted figures for a number of answers, and the number of answers that a target
needs.

Each function `…_studies` returns a model of one kind of study. Its ranges describe what the researcher does not know,
and a pilot narrows them.

>>> from accord_core.planning import best_worst_studies, forecast
>>> model = best_worst_studies(20, factor=2.0)
>>> predicted = forecast(model, [2, 8], studies=30, seed=1)
>>> few, many = (level.figures[model.target_figure] for level in predicted.levels)
>>> few.value < many.value <= 1  # the reliability of the scores
True
"""

from accord_core.bws.numerics.planning import BestWorstStudies, best_worst_studies
from accord_core.chunks.numerics.planning import ChunkStudies, chunk_studies
from accord_core.numerics.planning import Assumption, Forecast, Level, Needed, StudyModel, answers_needed, forecast
from accord_core.numerics.predictions import Prediction
from accord_core.paraphrase.numerics.planning import LabelStudies, label_studies
from accord_core.words.numerics.planning import WordStudies, word_studies

__all__ = [
    "Assumption",
    "BestWorstStudies",
    "ChunkStudies",
    "Forecast",
    "LabelStudies",
    "Level",
    "Needed",
    "Prediction",
    "StudyModel",
    "WordStudies",
    "answers_needed",
    "best_worst_studies",
    "chunk_studies",
    "forecast",
    "label_studies",
    "word_studies",
]
