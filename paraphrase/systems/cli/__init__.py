"""The `accord evaluate` commands for paraphrase sets, paraphrase tables and contrast sentences."""
