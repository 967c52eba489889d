"""What the tests of the rules share: many threads at once, each with a database connection of its own."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction


@pytest.fixture
def at_once() -> Callable[[Sequence[Callable[[], Any]]], list[Any]]:
    """Runs callables in as many threads, all starting together; returns their results or raises the first error."""

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
    """`with refuses("words"): ...` expects the database itself to refuse, saying so, and goes on afterwards."""

    @contextmanager
    def expecting(words: str) -> Iterator[None]:
        with pytest.raises(IntegrityError, match=words), transaction.atomic():  # noqa: PT012
            yield
            connection.check_constraints()  # those that wait for the end of a transaction

    return expecting
