"""API operations for releases."""
