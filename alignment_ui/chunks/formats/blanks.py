"""Tokenisation of a text at ASCII whitespace.

`str.split` would also break at a no-break space or a line separator, which are part of a token where a tokeniser left
them there (10 000 in French), and which the field's programs do not take for blanks either. `bytes.split` does not.
"""

BLANKS = " \t\r\n\f\v"


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text."""
    return tuple([token.decode() for token in text.encode().split()])


def is_token(text: str) -> bool:
    """Return whether a text is a single token: the text is not empty and does not contain ASCII whitespace."""
    return tokens_of(text) == (text,)
