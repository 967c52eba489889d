"""The documentation that Accord serves at /help/, and the guide for each console page."""
