"""Programs that answer the questions of a study with JSON lines: `accord annotate`."""
