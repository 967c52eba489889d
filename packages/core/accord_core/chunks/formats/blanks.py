"""A tokeniser that splits a text at ASCII whitespace.

`str.split` also splits at a no-break space or a line separator. These characters can be part of a token (as in the
French “10 000”), and other programs in the field do not treat them as whitespace either. `bytes.split` splits only at
ASCII whitespace.
"""

BLANKS = " \t\r\n\f\v"


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text."""
    return tuple([token.decode() for token in text.encode().split()])


def is_token(text: str) -> bool:
    """Return whether a text is a single token, that is, a non-empty string without ASCII whitespace."""
    return tokens_of(text) == (text,)
