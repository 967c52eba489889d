"""The groups of `accord` commands for studies, accounts and label files."""
