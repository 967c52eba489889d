"""Texts that report a study, from its rows and its report."""
