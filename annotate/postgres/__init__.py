"""Django's PostgreSQL backend with a test of kept connections that costs no query."""
