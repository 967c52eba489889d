"""Console pages for word alignment studies."""
