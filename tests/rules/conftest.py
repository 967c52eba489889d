"""Fixtures for the tests of rules: several threads that run at the same time, each with its own database connection."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction


@pytest.fixture
def at_once() -> Callable[[Sequence[Callable[[], Any]]], list[Any]]:
    """Run each callable in its own thread, start all threads together, and return the results or raise the
    first error.
    """

    def run(work: Sequence[Callable[[], Any]]) -> list[Any]:
        start = threading.Barrier(len(work))

        def one(task: Callable[[], Any]) -> Any:
            try:
                start.wait(30)
                return task()
            finally:
                connections.close_all()

        with ThreadPoolExecutor(len(work)) as pool:
            futures = [pool.submit(one, task) for task in work]
            return [future.result(120) for future in futures]

    return run


@pytest.fixture
def refuses() -> Callable[[str], Any]:
    """Return `refuses`, where `with refuses("words"): ...` expects that the database rejects the block with these
    words, and continues.
    """

    @contextmanager
    def expecting(words: str) -> Iterator[None]:
        with pytest.raises(IntegrityError, match=words), transaction.atomic():  # noqa: PT012
            yield
            connection.check_constraints()  # those that wait for the end of a transaction

    return expecting
