"""A site of Turkle, which runs in an environment of its own (`.turkle`) and never imports Accord."""
