"""Console pages of chunk alignment."""
