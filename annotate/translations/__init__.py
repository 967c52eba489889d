"""Developer tools that keep the translations of annotators' pages complete."""
