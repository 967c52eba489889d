"""Messages between annotators and researchers."""
