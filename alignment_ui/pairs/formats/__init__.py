"""Files of alignments and of pairs to be aligned, read and written without a server; told in docs/formats.md."""
