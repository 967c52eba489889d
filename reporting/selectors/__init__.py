"""Reads of what reports on a study need."""
