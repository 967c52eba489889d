"""Django's PostgreSQL backend with a health check for persistent connections that does not need a query."""
