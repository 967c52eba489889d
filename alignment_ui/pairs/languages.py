"""The languages of the two sentences in a pair: their options, and a guess from the names of a file's columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import InvalidOptions, Option

NAMES = ("first_language", "second_language")
OPTIONS = (
    Option(
        NAMES[0],
        "Language of the first sentences",
        "",
        gives_meaning=True,
        help="A language or its tag, such as en. If empty, the language of the texts.",
    ),
    Option(
        NAMES[1],
        "Language of the second sentences",
        "",
        gives_meaning=True,
        help="A language or its tag, such as de. If empty, the same language as the first.",
    ),
)
# Names of languages by tag: in English, in German and in the language itself. The most common languages also have their
# names in Romance languages.
_LANGUAGES = {
    "ar": "arabic arabisch العربية árabe arabe arabo",
    "bg": "bulgarian bulgarisch български",
    "ca": "catalan katalanisch català catalán catalan",
    "cs": "czech tschechisch čeština",
    "da": "danish dänisch dansk",
    "de": "german deutsch alemán alemana allemand allemande tedesco tedesca alemão alemã",
    "el": "greek griechisch ελληνικά",
    "en": "english englisch inglés inglesa anglais anglaise inglese inglês",
    "es": "spanish spanisch español española espagnol espagnole spagnolo spagnola espanhol castellano",
    "et": "estonian estnisch eesti",
    "fa": "persian persisch فارسی",
    "fi": "finnish finnisch suomi",
    "fr": "french französisch français française francés francesa francese francês",
    "he": "hebrew hebräisch עברית",
    "hi": "hindi हिन्दी",
    "hr": "croatian kroatisch hrvatski",
    "hu": "hungarian ungarisch magyar",
    "id": "indonesian indonesisch",
    "it": "italian italienisch italiano italien",
    "ja": "japanese japanisch 日本語 japonés japonais giapponese japonês",
    "ko": "korean koreanisch 한국어",
    "lt": "lithuanian litauisch lietuvių",
    "lv": "latvian lettisch latviešu",
    "nl": "dutch niederländisch nederlands neerlandés néerlandais olandese neerlandês",
    "no": "norwegian norwegisch norsk",
    "pl": "polish polnisch polski",
    "pt": "portuguese portugiesisch português portugués portugais portoghese",
    "ro": "romanian rumänisch română",
    "ru": "russian russisch русский ruso russe russo",
    "sk": "slovak slowakisch slovenčina",
    "sl": "slovenian slowenisch slovenščina",
    "sr": "serbian serbisch српски",
    "sv": "swedish schwedisch svenska",
    "tr": "turkish türkisch türkçe",
    "uk": "ukrainian ukrainisch українська",
    "vi": "vietnamese vietnamesisch",
    "zh": "chinese chinesisch 中文 chino chinois cinese chinês",
}
_TAGS = {name: tag for tag, names in _LANGUAGES.items() for name in (tag, *names.split())}
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_PARTS = re.compile(r"[\W\d_]+")
_ENDING = re.compile(r"(?<=sch)e[mnrs]?$")  # of German adjectives


def clean_languages(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the two options with a tag for each language. Raises InvalidOptions for unknown languages."""
    texts = {name: str(options.get(name, "")).strip() for name in NAMES}
    tags = {name: _TAGS.get(text.casefold(), text) for name, text in texts.items()}
    wrong = {
        name: f"“{tag}” is not a language. Enter a language or its BCP 47 tag, such as de."
        for name, tag in tags.items()
        if tag and not _TAG.fullmatch(tag)
    }
    if wrong:
        raise InvalidOptions(wrong)
    return tags


def languages_of(options: Mapping[str, Any], language: str) -> tuple[str, str]:
    """Return the language tags of the first and of the second sentences. `language` is the language of the texts."""
    # Studies that were created before these options existed do not store them.
    first, second = (options.get(name, "") for name in NAMES)
    return first or language, second or first or language


def crosses(options: Mapping[str, Any], language: str) -> bool:
    """Return whether the two sentences are in different languages, rather than in two varieties of one."""
    first, second = (tag.partition("-")[0].lower() for tag in languages_of(options, language))
    return first != second


def presented_languages(options: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the languages of the two sentences for the page, with no entries if both are the language of the texts."""
    tags = languages_of(options, "")
    return {"languages": list(tags)} if any(tags) else {}


def guessed_languages(columns: Mapping[str, str], language: str) -> dict[str, str]:
    """Return the options that the names of a file's columns suggest. `columns` maps the names under which columns are
    read to their names in the file.
    """
    first, second = (_language_in(columns.get(side, "")) for side in ("source", "target"))
    before = first or language
    return dict(zip(NAMES, (first if first != language else "", second if second != before else ""), strict=True))


def _language_in(column: str) -> str:
    """Return the tag of the only language in a column's name, such as `de` for “German”, “Deutsche Übersetzung”
    or “text_de”, or an empty string.
    """
    parts = [_ENDING.sub("", part) for part in _PARTS.split(column.casefold()) if part]
    may_be_tag = " " not in column  # “is” and “no” are also words
    tags = {_TAGS[part] for part in parts if part in _TAGS and (may_be_tag or len(part) > 3)}
    return tags.pop() if len(tags) == 1 else ""
