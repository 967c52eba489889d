"""Database queries for the evaluation application."""
