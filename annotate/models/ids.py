"""Random public IDs and random seeds. Public IDs are random, so that they cannot be guessed and do not reveal how many
rows exist.
"""

import secrets


def public_id() -> str:
    """Return 128 random bits as 22 base64url characters that do not start with a hyphen.

    `accord` would read an ID that begins with a hyphen as an option.
    """
    while (token := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return token


def random_seed() -> int:
    """Return a random 53-bit seed, which fits into a signed 64-bit column and is exact in JavaScript."""
    return secrets.randbits(53)
