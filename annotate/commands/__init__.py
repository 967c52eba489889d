"""The groups of the `accord` command that work on studies, accounts and files of labels."""
