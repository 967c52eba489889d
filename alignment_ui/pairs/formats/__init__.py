"""Readers and writers for files of alignments and of sentence pairs. See docs/formats.md. They need no server."""
