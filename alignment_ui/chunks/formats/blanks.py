"""Where one token ends and the next begins: at ASCII blanks only.

`str.split` would also break at a no-break space or a line separator, which are part of a token where a tokeniser left
them there (10 000 in French), and which the field's programs do not take for blanks either. `bytes.split` does not.
"""

BLANKS = " \t\r\n\f\v"


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple([token.decode() for token in text.encode().split()])


def is_token(text: str) -> bool:
    """Whether a text is one token: not empty, and without blanks."""
    return tokens_of(text) == (text,)
