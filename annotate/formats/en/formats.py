"""English dates, as in 3 February 2026."""

DATE_FORMAT = "j F Y"
