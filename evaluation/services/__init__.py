"""Services that create releases and score systems."""
