"""The figures of a paper about a study, as SVG and PDF in the width of a column."""
