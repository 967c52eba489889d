"""The console pages of systems and releases."""
