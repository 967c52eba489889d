"""Django's commands for this project: `python -m annotate COMMAND`, or `manage.py COMMAND` in a checkout.

Faults of the database, the disk and files are reported on one line, as by `accord`.
"""

import os
import sys

from django.apps import apps
from django.core.management import execute_from_command_line
from django.db import DatabaseError, InterfaceError

from annotate.commands.main import FULL_DISK, print_error


def main(program: str = "python -m annotate") -> None:
    """Run the command in `sys.argv`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    try:
        execute_from_command_line([program, *sys.argv[1:]])
    except (DatabaseError, InterfaceError) as error:
        from annotate.server.database_faults import fault_line

        line = fault_line(error) if apps.ready else None
        if line is None:
            raise
        sys.exit(f"accord: {' '.join(line.split())}")
    except OSError as error:
        if error.filename is None and error.errno not in FULL_DISK:
            raise
        sys.exit(print_error(error))


if __name__ == "__main__":
    main()
