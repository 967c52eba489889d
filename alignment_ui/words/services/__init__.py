"""Database changes of word alignment: samples of phrase pairs and the verdicts of reviewers."""
