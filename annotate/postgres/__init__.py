"""Django's PostgreSQL backend with a health check for persistent connections that runs no query."""
