"""Tests of the variances of agreement coefficients, which generalise to other items and to other annotators."""

import numpy as np
import pytest
import scipy

from accord_core.numerics.agreement import (
    fleiss_kappa,
)
from accord_core.numerics.cohen import cohen_kappa_means
from accord_core.numerics.generalising import agreement_over
from accord_core.numerics.intervals import t_quantile
from tests.numerics.test_agreement import labels_of, random_table


def left_out(table, keep):
    """Return Fleiss' κ and the mean of Cohen's κ of the part of a table that a mask or an index selects."""
    labels = labels_of(np.where(keep, table, -1), 4)
    return np.array([fleiss_kappa(labels).value, cohen_kappa_means(labels)[0].value])


def jackknife(values):
    values = np.array(values)
    return (len(values) - 1) / len(values) * ((values - values.mean(axis=0)) ** 2).sum(axis=0)


TABLE = random_table(6, items=24, annotators=4)
CLUSTERS = np.arange(24) // 2


@pytest.fixture(scope="module")
def variances():
    rows, columns = np.indices(TABLE.shape)
    places = list(zip(*np.nonzero(TABLE >= 0), strict=True))
    assert len(places) < 100  # so that every label is left out on its own
    return (
        jackknife([left_out(TABLE, columns != annotator) for annotator in range(4)]),
        jackknife([left_out(TABLE, CLUSTERS[rows] != cluster) for cluster in range(12)]),
        jackknife([left_out(TABLE, (rows != row) | (columns != column)) for row, column in places]),
    )


class TestGeneralising:
    """The two-way variance by its definition, with loops over annotators, questions and labels, and scipy's t."""

    @pytest.mark.parametrize("over", ["annotators", "both"])
    def test_intervals(self, over, variances):
        by_annotator, by_question, by_label = variances
        if over == "annotators":
            variance = by_annotator
        else:
            total = by_annotator + by_question - by_label
            variance = np.max([total, by_annotator, by_question], axis=0)
        found = agreement_over(labels_of(TABLE), over=over, clusters=CLUSTERS)
        half = scipy.stats.t.ppf(0.975, 4 - 1) * np.sqrt(variance)
        for name, width in zip(("fleiss_kappa", "cohen_kappa_mean"), half, strict=True):
            figure = found.coefficients[name]
            ends = np.tanh(np.arctanh(figure.value) + np.array([-1, 1]) * width / (1 - figure.value**2))
            assert (figure.low, figure.high) == pytest.approx(tuple(ends), abs=0.005)
        assert (found.questions, found.annotators) == (12, 4)
        assert "4 annotators instead of at least 5" in found.caution
        assert ("12 questions instead of at least 200" in found.caution) == (over == "both")

    def test_two_annotators_do_not_generalise(self):
        found = agreement_over(labels_of(TABLE[:, :2]), over="annotators").coefficients["fleiss_kappa"]
        assert (found.low, found.high) == (None, None)

    @pytest.mark.parametrize("df", [2, 2.5, 3, 4, 5, 7.3, 12, 40, 99, 1e4])
    def test_quantiles_of_t(self, df):
        assert t_quantile(df) == pytest.approx(scipy.stats.t.ppf(0.975, df), abs=0.002)
        with pytest.raises(ValueError, match="no quantile"):
            t_quantile(1.9)
