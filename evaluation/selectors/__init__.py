"""Reads of evaluation."""
