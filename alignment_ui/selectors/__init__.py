"""Reads of the alignment tasks."""
