"""The task type “Your type” for Accord."""
