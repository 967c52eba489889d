"""Tests that large files are processed in another process with limits on memory and time."""

import os
from collections.abc import Generator
from typing import Any

import pytest

from accord_core.exchange.faults import Fault, TableError
from annotate.server.bounded import ChildLimits, OutOfMemory, OutOfTime, iterate_in_child, run_in_child
from annotate.server.refusals import Refused

LIMITS = ChildLimits(memory=1 << 30, seconds=60)


def read_bounded(*arguments: Any) -> Any:
    from annotate.data.services import reading  # the child imports this module without Django

    return reading.read_bounded(*arguments)


def process_number() -> int:
    return os.getpid()


def take(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def talk(text: str, *, times: int) -> str:
    print(text)  # noqa: T201
    return text * times


def find_fault(name: str) -> None:
    raise TableError(name, [Fault(3, "id", "is empty")])


def loop() -> None:
    while True:
        pass


def die() -> None:
    os.abort()


def count_to(last: int, *, then: int) -> Generator[int]:
    yield from range(1, last + 1)
    take(then)


@pytest.mark.nightly
def test_values_of_a_generator_come_one_by_one() -> None:
    assert list(iterate_in_child(LIMITS, count_to, 3, then=0)) == [1, 2, 3]
    values = iterate_in_child(LIMITS, count_to, 3, then=1100)
    assert [next(values), next(values), next(values)] == [1, 2, 3]
    with pytest.raises(OutOfMemory):
        next(values)


@pytest.mark.nightly
def test_a_generator_that_is_closed_early_frees_the_place() -> None:
    values = iterate_in_child(LIMITS, count_to, 1_000_000, then=0)
    assert next(values) == 1
    values.close()
    assert run_in_child(LIMITS, take, 1) == 1 << 20


@pytest.mark.nightly
def test_the_result_comes_from_another_process() -> None:
    assert run_in_child(LIMITS, process_number) != os.getpid()
    assert run_in_child(LIMITS, talk, "ab", times=2) == "abab"  # the printed text is not part of the result


@pytest.mark.nightly
def test_errors_come_back_as_they_are() -> None:
    with pytest.raises(TableError) as error:
        run_in_child(LIMITS, find_fault, "items.csv")
    assert (error.value.name, error.value.faults) == ("items.csv", [Fault(3, "id", "is empty")])


@pytest.mark.nightly
def test_memory_has_a_limit_and_the_server_goes_on() -> None:
    assert run_in_child(LIMITS, take, 300) == 300 << 20
    with pytest.raises(OutOfMemory):
        run_in_child(LIMITS, take, 1100)
    with pytest.raises(OutOfMemory):
        run_in_child(LIMITS, die)


def test_small_files_are_read_at_once_and_large_ones_elsewhere(settings) -> None:
    settings.ROWS_AT_ONCE = 10  # 1,200 bytes
    assert read_bounded("a.csv", 1_200, process_number) == os.getpid()
    assert read_bounded("a.csv", 1_201, process_number) != os.getpid()


def test_a_file_that_needs_too_much_memory_is_refused_by_name(settings) -> None:
    settings.ROWS_AT_ONCE, settings.LIMIT_PREVIEW_MEMORY = 10, 512 << 20
    with pytest.raises(Refused) as error:
        read_bounded("big.csv", 2_000, take, 600)
    assert error.value.code == "memory"
    assert (
        error.value.message
        == "Reading big.csv requires more than 512 MiB of memory. Split the file into smaller files."
    )


@pytest.mark.nightly
def test_work_without_an_end_stops_at_its_time_limit(settings: Any) -> None:
    with pytest.raises(OutOfTime):
        run_in_child(LIMITS._replace(seconds=1), loop)
    settings.ROWS_AT_ONCE, settings.LIMIT_PREVIEW_SECONDS = 0, 1
    with pytest.raises(Refused) as refusal:
        read_bounded("items.csv", 1, loop)
    assert refusal.value.code == "time"
