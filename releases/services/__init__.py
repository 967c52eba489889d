"""Services that create releases."""
