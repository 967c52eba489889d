"""The command group `accord release`."""
