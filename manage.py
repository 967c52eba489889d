#!/usr/bin/env python3
"""Django's command line for this project, which reports faults of the database on one line, like `accord`."""

import os
import sys

from django.apps import apps
from django.core.management import execute_from_command_line
from django.db import DatabaseError, InterfaceError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    try:
        execute_from_command_line(sys.argv)
    except (DatabaseError, InterfaceError) as error:
        from annotate.database_faults import fault_line

        line = fault_line(error) if apps.ready else None
        if line is None:
            raise
        sys.exit(f"accord: {' '.join(line.split())}")
