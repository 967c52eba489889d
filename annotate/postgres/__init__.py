"""Django's PostgreSQL backend, with a health check of persistent connections that needs no query."""
