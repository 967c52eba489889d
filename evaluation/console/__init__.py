"""Console pages for systems and releases."""
