"""Pages of this task type in the console."""
