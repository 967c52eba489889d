"""Arabic number formats with the digits 0 to 9, as browsers write them, such as 1,207.5."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
