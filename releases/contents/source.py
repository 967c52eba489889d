"""The release from which a study is repeated."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from releases.contents.archive import SUMS, UnreadableRelease, read_zip, require_whole
from releases.contents.folder import ABOUT
from releases.contents.raw import study_data
from releases.contents.recipe import RECIPE, Recipe, read_recipe, recipe_file, recipe_from_raw
from releases.contents.seal import SEAL, unseal
from releases.contents.storable import require_storable

LONGEST_VERSION = 200  # characters


@dataclass(frozen=True)
class Source:
    """The recipe in a release, with the release's version and the checksum that identifies it.

    `missing` names the parts that an earlier version of Accord did not release. `has_protocol` states whether the study
    had the number of an ethics protocol, and `later_hits` how many HITs followed from people's answers.
    """

    recipe: Recipe
    version: str
    sha256: str
    missing: Sequence[str]
    has_protocol: bool
    later_hits: int


def source_in_zip(file: bytes, name: str, key: str, largest: int) -> Source:
    """Read the recipe from a zip file. `largest` is the maximum number of unpacked bytes, for the zip file and again
    for the sealed files. Raises `UnreadableRelease`.
    """
    return read_source(read_zip(io.BytesIO(file), name, largest), name, key, largest)


def read_source(files: Mapping[str, bytes], name: str, key: str = "", largest: int | None = None) -> Source:
    """Read the recipe from a release's files. `name` is for error messages, and `largest` the maximum number of
    unpacked bytes under the seal. Raises `UnreadableRelease` if a file is missing or has changed, if the recipe has a
    newer format, or if the key does not open the seal.
    """
    require_whole(files, name)
    sha256 = hashlib.sha256(files[SUMS]).hexdigest()
    if key and SEAL not in files:
        raise UnreadableRelease(f"{name} has no sealed files. Repeat the study without a key.")
    files = {**files, **unseal(files[SEAL], key, largest)} if key else files
    try:
        about, facts = json.loads(files[ABOUT]), json.loads(files["raw/study.json"])
        later_hits = files["raw/hits.jsonl"].count(b"\n")
        if RECIPE in files:
            recipe, missing = read_recipe(files[RECIPE]), list[str]()
        else:
            recipe, missing = recipe_from_raw(study_data(files))
            recipe = read_recipe(recipe_file(recipe))
        later_hits -= len(recipe["hits"])
        return Source(recipe, _version(about), sha256, missing, bool(facts.get("protocol_number")), max(0, later_hits))
    except KeyError as error:
        raise UnreadableRelease(f"{name} is not a release that can be repeated: {_named(error)} is missing.") from error
    except UnreadableRelease:
        raise
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise UnreadableRelease(f"{name} is not a release that can be repeated: {error}.") from error


def _version(about: Mapping[str, Any]) -> str:
    version = about["version"]
    if not isinstance(version, str) or len(version) > LONGEST_VERSION:
        raise UnreadableRelease(f"{ABOUT} must contain a version of at most {LONGEST_VERSION} characters.")
    require_storable(version, ABOUT)
    return version


def _named(error: KeyError) -> Any:
    return error.args[0] if error.args else "a part"
