"""Pages of best–worst scaling in the console."""
