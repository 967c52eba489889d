"""The console pages of paraphrase studies."""
