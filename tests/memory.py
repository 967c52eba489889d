"""The memory that a piece of work needs, whichever tests ran before it in the same process."""

import gc
import tracemalloc
from collections.abc import Callable


def peak_memory(work: Callable[[], object]) -> int:
    """Return the largest number of bytes that `work()` holds at the same time.

    The objects of earlier tests are frozen during the measurement, because the garbage collector seldom runs in a
    process with many objects.
    """
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()
