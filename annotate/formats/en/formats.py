"""English date formats, such as 3 February 2026."""

DATE_FORMAT = "j F Y"
