"""Releases, which are folders with the data of a study. Anyone can verify a published release."""
