"""The console pages of best–worst studies."""
