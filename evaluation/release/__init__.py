"""Releases: a study frozen as a folder that can be published, and checked by whoever has it."""
