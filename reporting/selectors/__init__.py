"""Database queries for reports on a study."""
