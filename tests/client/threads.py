"""Threads for coroutines, because the browser of other tests has an event loop in the main thread."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_a_thread(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread of its own, and return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
