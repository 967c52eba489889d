"""Database queries of the evaluation application."""
