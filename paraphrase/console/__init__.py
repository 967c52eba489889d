"""Console pages for paraphrase studies."""
