"""The groups of `accord` commands that work on studies, accounts and label files."""
