"""Console pages of word alignment."""
