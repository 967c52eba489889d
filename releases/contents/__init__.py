"""The files of a release, made from rows and read again, without a database."""
