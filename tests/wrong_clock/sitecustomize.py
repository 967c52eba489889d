"""A module that Python imports in processes under libfaketime, whose `clock_nanosleep` cannot sleep until a
given time.
"""

import threading
import time


def sleep(seconds: float) -> None:
    """Sleep by waiting for a lock, which libfaketime does not change."""
    threading.Event().wait(seconds)


time.sleep = sleep
