"""The pure code of Accord: file formats and calculations without a server, on NumPy and SciPy."""
