"""Releases: folders with a study's data. Anyone can verify a published release."""
