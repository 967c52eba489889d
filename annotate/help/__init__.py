"""The documentation that Accord serves at /help/, and the guide that belongs to each page of the console."""
