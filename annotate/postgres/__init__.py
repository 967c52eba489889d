"""Django's PostgreSQL backend, with a health check that tests persistent connections without a query."""
