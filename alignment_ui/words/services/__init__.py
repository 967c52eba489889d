"""Database changes for word alignment that store samples of phrase pairs and reviewers' verdicts."""
