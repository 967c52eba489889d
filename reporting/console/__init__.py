"""Console pages for reporting."""
