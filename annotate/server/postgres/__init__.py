"""Django's PostgreSQL backend, with JSON that keeps the order of its keys, and a health check of persistent connections
without a query.
"""
