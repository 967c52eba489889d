"""Services that write what reports on a study need."""
