"""The layout options on a study's settings page, and the checks on their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.layouts.formats.layout import Layout, read_layout
from annotate.tasktypes import InvalidOptions, Option
from annotate.tasktypes.options import PEOPLE_SHARE

FAULTS_SHOWN = 5
MOST_HOSTS = 20
PLACEHOLDERS_SHOWN = 10
_HOST = re.compile(r"https://(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:\d{1,5})?\Z")

OPTIONS = (
    Option(
        "layout",
        "Layout (HTML)",
        "",
        "document",
        locked=True,
        help="HTML with a placeholder such as ${text} for each column of your data.",
    ),
    Option(
        "scripts",
        "Run the scripts of the layout",
        False,
        "boolean",
        locked=True,
        help="The scripts run in a frame that has no access to Accord, the annotator's session or other pages. "
        "Amazon’s crowd elements work without this option.",
    ),
    Option(
        "hosts",
        "Hosts from which the layout can load files",
        "",
        help="Separate several hosts with spaces, for example: https://cdn.example.org https://*.example.com. Links in "
        "the layout can open pages on these hosts in a new tab. These hosts can see the IP addresses of the "
        "annotators’ devices, so name the hosts in the consent text. Without hosts, the layout can use only images "
        "that are part of its HTML or of a cell.",
    ),
    Option(
        "heading",
        "Heading above the layout",
        "",
        help="If this field is empty, annotators read “Complete this task” in the study's language.",
        is_quiet=True,
    ),
    PEOPLE_SHARE,
)


def check_options(options: Mapping[str, Any]) -> None:
    """Raise `InvalidOptions` if the layout cannot be used or a host is not valid."""
    errors = {}
    if options["layout"]:
        layout = layout_of(options)
        if layout.faults:
            shown = "; ".join(str(fault) for fault in layout.faults[:FAULTS_SHOWN])
            more = len(layout.faults) - FAULTS_SHOWN
            errors["layout"] = f"The layout cannot be used: {shown}{f'; and {more:,} more' if more > 0 else ''}."
    hosts = hosts_of(options)
    if wrong := [host for host in hosts if not _HOST.match(host)]:
        errors["hosts"] = f"{wrong[0]!r} is not a host. Write each host as https://cdn.example.org, without a path."
    elif len(hosts) > MOST_HOSTS:
        errors["hosts"] = f"There are {len(hosts)} hosts, but the limit is {MOST_HOSTS}."
    if errors:
        raise InvalidOptions(errors)


def faults_for_columns(options: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
    """Return why the layout does not suit items with these columns, if it has a placeholder for another column."""
    layout = layout_of(options) if options["layout"] else None
    unknown = [column for column in layout.columns if column not in columns] if layout else []
    if not unknown:
        return {}
    message = f"The items have no column for {placeholders(unknown)}. Use {placeholders(columns)}, or remove the items."
    return {"layout": message}


def placeholders(columns: Sequence[str]) -> str:
    """Return the placeholders for the columns: “${hotel}, ${review} and 5 more”."""
    shown = ", ".join(f"${{{column}}}" for column in columns[:PLACEHOLDERS_SHOWN])
    more = len(columns) - PLACEHOLDERS_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown


def layout_of(options: Mapping[str, Any]) -> Layout:
    """Return a study's layout. A study without a layout has an empty layout with an error."""
    return read_layout(options["layout"], scripts=options["scripts"], hosts=tuple(hosts_of(options)))


def hosts_of(options: Mapping[str, Any]) -> list[str]:
    """Return the hosts that the layout can load files from."""
    hosts: list[str] = options["hosts"].lower().replace(",", " ").split()
    return hosts
