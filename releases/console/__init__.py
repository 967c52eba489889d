"""Console pages for releases."""
