"""Commands for reporting."""
