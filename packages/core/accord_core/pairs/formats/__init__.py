"""Readers and writers for files that contain alignments or sentence pairs. See docs/formats.md.

The readers and writers need no server.
"""
