"""Command-line code that the word-alignment and chunk-alignment commands share."""
