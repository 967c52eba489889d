"""Releases: folders with the data of a study, which anyone can verify after publication."""
