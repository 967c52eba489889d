"""Database changes for word alignment, which store samples of phrase pairs and the verdicts of reviewers."""
