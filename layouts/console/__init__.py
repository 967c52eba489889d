"""Console pages for layout studies."""
