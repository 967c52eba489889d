"""Writes of the alignment tasks: what reviewers draw and say."""
