"""The annotators of a study: the list, their answers, exclusions, and the removal of personal data."""
