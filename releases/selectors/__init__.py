"""Database queries for releases."""
