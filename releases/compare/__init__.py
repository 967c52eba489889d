"""The comparison of a study with its repeats, without a database."""
