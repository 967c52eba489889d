"""API operations for reporting."""
