"""Date and number formats that differ from Django's."""
