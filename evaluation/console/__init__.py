"""The console pages for systems and releases."""
