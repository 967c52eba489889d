"""Functions that isolate quoted words from the surrounding sentence, which may have a different text direction."""

FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE = "\u2068", "\u2069"


def isolated(text: str) -> str:
    """Return the text between Unicode isolates, so that neither the text nor its surroundings are reordered."""
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_DIRECTIONAL_ISOLATE}"
