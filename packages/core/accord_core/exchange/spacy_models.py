"""Functions that load spaCy models and convert spaCy tokens."""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any

from accord_core.exchange.conllu import TaggedToken
from accord_core.exchange.extras import import_extra
from accord_core.exchange.faults import TableError


def installed_models() -> list[str]:
    """Return the names of the installed spaCy models without loading spaCy. If spaCy is not installed, the list is
    empty.
    """
    if find_spec("spacy") is None:
        return []
    return sorted({point.name for point in entry_points(group="spacy_models")})


def load_model(model: str, feature: str) -> Any:
    """Return an installed spaCy model. `feature` is the subject of the message that is shown if spaCy is not installed.

    Raises MissingExtraError if spaCy is not installed, and TableError if the model is not installed or damaged.
    """
    spacy = import_extra("spacy", feature)
    try:
        return spacy.load(model)
    except OSError as error:
        raise TableError.of_file(
            model, f"the spaCy model is not installed. Install the model with python -m spacy download {model}"
        ) from error
    except (AttributeError, ImportError, KeyError, TypeError, ValueError) as error:
        raise TableError.of_file(
            model, f"spaCy cannot load the model ({error}). Install the model again, or choose another model"
        ) from error


def tagged_token(token: Any, head: int | None = None) -> TaggedToken:
    """Convert a spaCy token. Roots, particles and whitespace get the names that Universal Dependencies uses."""
    return TaggedToken(
        token.text,
        token.lemma_,
        token.pos_ if token.pos_ != "SPACE" else "X",
        token.tag_,
        dict(token.morph.to_dict()),
        head,
        {"ROOT": "root", "prt": "compound:prt"}.get(token.dep_, token.dep_),
    )
