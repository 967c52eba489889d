"""Studies, with one method per step. All methods are flows, which `Study` and `AsyncStudy` run in their own way."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from . import flows, programs, tables
from .generated import operations
from .operation import Listing, Operation
from .session import Flow, Session

if TYPE_CHECKING:
    from .client import Accord, AsyncAccord

P = ParamSpec("P")
T = TypeVar("T")
Row = TypeVar("Row")


class Method(Generic[P, T]):
    """A method that runs a flow. In `Study`, it returns the result, and in `AsyncStudy` a coroutine."""

    def __init__(self, flow: Callable[Concatenate[Session, str, P], Flow[T]]) -> None:
        self._flow = flow
        self.__doc__ = flow.__doc__

    @overload
    def __get__(self, study: None, owner: type) -> Method[P, T]: ...
    @overload
    def __get__(self, study: Study, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, study: AsyncStudy, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, study: Study | AsyncStudy | None, owner: type) -> Any:
        if study is None:
            return self

        @functools.wraps(self._flow)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return study.accord.run(self._flow(study.accord.session, study.id, *args, **kwargs))

        return method


class Rows(Generic[P, Row]):
    """A method that iterates over the rows of all pages of a list."""

    def __init__(self, listing: Callable[Concatenate[str, P], Listing[Row]]) -> None:
        self._listing = listing
        self.__doc__ = listing.__doc__

    @overload
    def __get__(self, study: None, owner: type) -> Rows[P, Row]: ...
    @overload
    def __get__(self, study: Study, owner: type) -> Callable[P, Iterator[Row]]: ...
    @overload
    def __get__(self, study: AsyncStudy, owner: type) -> Callable[P, AsyncIterator[Row]]: ...
    def __get__(self, study: Study | AsyncStudy | None, owner: type) -> Any:
        if study is None:
            return self

        @functools.wraps(self._listing)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return study.accord.rows(self._listing(study.id, *args, **kwargs))

        return method


def request(operation: Callable[Concatenate[str, P], Operation[T]]) -> Method[P, T]:
    """Return a method that sends one request."""

    def flow(session: Session, study: str, /, *args: P.args, **kwargs: P.kwargs) -> Flow[T]:
        return session.send(operation(study, *args, **kwargs))

    flow.__doc__ = operation.__doc__
    return Method(flow)


class Methods:
    """The methods of a study. For all other operations, use `Accord.send` with the functions in `operations`."""

    read = request(operations.studies_retrieve)
    change = request(operations.studies_partial_update)
    delete = request(operations.studies_destroy)
    import_file = Method(flows.import_file)
    build = Method(flows.build)
    set_state = Method(flows.set_state)

    simulate = Method(flows.simulate)
    annotate = Method(programs.annotate)
    progress = request(operations.progress)
    watch = Method(flows.watch)
    wait = Method(flows.wait)
    jobs = Rows(operations.jobs_list)
    annotators = Rows(operations.annotators_list)

    answers = Rows(operations.answers_list)
    questions = Rows(operations.questions_list)
    undecided = Rows(operations.adjudication_list)
    decide = Method(flows.decide)
    decisions = Rows(operations.decisions_list)

    balances = Rows(operations.pay_list)
    pay = Method(flows.pay)
    payments = Rows(operations.payments_list)

    calculate_results = Method(flows.calculate_results)
    exports = request(operations.studies_exports_list)
    download = Method(tables.download)
    rows = Method(tables.rows)
    frame = Method(tables.frame)
    release = Method(flows.release)


class Study(Methods):
    """A study of an Accord server. `id` is part of the study's URL in the console."""

    def __init__(self, accord: Accord, id: str) -> None:  # noqa: A002 - the name of the attribute
        self.accord, self.id = accord, id


class AsyncStudy(Methods):
    """A study whose methods are awaited."""

    def __init__(self, accord: AsyncAccord, id: str) -> None:  # noqa: A002 - the name of the attribute
        self.accord, self.id = accord, id
