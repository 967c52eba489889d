"""The same request sent several times at once, such as by a double click."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connections

from annotate.server.refusals import Refused

CALLS = 8


def at_once(call: Callable[[int], object]) -> Counter[str]:
    """Call the function with 0 to 7 at the same time, and count the results and the codes of refusals."""
    start = Barrier(CALLS)

    def one(number: int) -> str:
        try:
            start.wait()
            return str(call(number))
        except Refused as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(CALLS) as threads:
        return Counter(threads.map(one, range(CALLS)))
