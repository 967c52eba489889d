"""Console pages for best–worst studies."""
