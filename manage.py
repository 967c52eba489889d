#!/usr/bin/env python3
"""Django's command line for this project. A wheel contains the same as `python -m annotate`."""

import sys

from annotate.__main__ import main

if __name__ == "__main__":
    main(sys.argv[0])
