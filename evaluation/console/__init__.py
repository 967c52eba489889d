"""Console pages for systems."""
