"""Services that score systems."""
