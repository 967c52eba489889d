"""Console pages for chunk alignment studies."""
