"""Where tasks run: here, on threads, on Ray, or on Dask.

Every backend gives results in the order of the tasks, whatever the order in which they end, so that
sums over them have the same bits everywhere. A task that is lost with its worker is done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, runtime_checkable

from dycausal import threads
from dycausal.errors import ParameterError

#: A task: given what all tasks share, and its own part.
Task = Callable[[Any, Any], Any]


@runtime_checkable
class Backend(Protocol):
    """Does `task(shared, item)` for every item, and gives the results in order."""

    def run(self, task: Task, shared: Any, items: Sequence[Any]) -> Iterator[Any]:
        """The results, in the order of the items."""
        ...


class LostTasksError(RuntimeError):
    """Tasks were lost with their workers more often than they may be done again."""


class Serial:
    """One task after the other, in this process."""

    def run(self, task: Task, shared: Any, items: Sequence[Any]) -> Iterator[Any]:
        """The results, in the order of the items."""
        for item in items:
            yield task(shared, item)


class Threads:
    """Threads of this process: fits do not hold Python's lock.

    Parameters
    ----------
    workers : int, optional
        How many; one per core without.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = threads.count(workers)

    def run(self, task: Task, shared: Any, items: Sequence[Any]) -> Iterator[Any]:
        """The results, in the order of the items."""
        with ThreadPoolExecutor(self.workers) as pool:
            futures = [pool.submit(task, shared, item) for item in items]
            try:
                for future in futures:
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()


class Ray:
    """A Ray cluster: the one this process is connected to, or a new one on this machine.

    Parameters
    ----------
    retries : int
        How often a task that is lost with its worker may be done again.
    **options
        For `ray.init`, where there is no connection yet; `address=` names a cluster.
    """

    def __init__(self, retries: int = 3, **options: Any) -> None:
        self.retries = retries
        self.options = options

    def run(self, task: Task, shared: Any, items: Sequence[Any]) -> Iterator[Any]:
        """The results, in the order of the items."""
        import ray

        if not ray.is_initialized():
            ray.init(**{"log_to_driver": False, **self.options})
        lost = (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.ObjectLostError,
            ray.exceptions.NodeDiedError,
        )
        # Ray itself starts a lost task again; what it gives up on, or data that were lost with a
        # node, are sent again below.
        remote = ray.remote(num_cpus=1, max_retries=self.retries)(task)

        def send(numbers: Sequence[int]) -> dict[int, Any]:
            common = ray.put(shared)
            return {number: remote.remote(common, items[number]) for number in numbers}

        def receive(future: Any) -> Any:
            try:
                return ray.get(future)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None

        yield from _in_order(send, receive, ray.cancel, lost, len(items), self.retries)


class Dask:
    """A dask.distributed cluster.

    Parameters
    ----------
    client : distributed.Client, optional
        The client to use; without, the one that is there, or a new cluster on this machine.
    retries : int
        How often a task that is lost with its worker may be done again.
    """

    def __init__(self, client: Any = None, retries: int = 3) -> None:
        self.client = client
        self.retries = retries

    def run(self, task: Task, shared: Any, items: Sequence[Any]) -> Iterator[Any]:
        """The results, in the order of the items."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError

        client = self.client or _dask_client()
        lost = (KilledWorker, FutureCancelledError, CommClosedError)

        def send(numbers: Sequence[int]) -> dict[int, Any]:
            common = client.scatter(shared, broadcast=True, hash=False)
            return {
                number: client.submit(task, common, items[number], pure=False, retries=0)
                for number in numbers
            }

        yield from _in_order(
            send,
            lambda future: future.result(),
            lambda f: f.cancel(),
            lost,
            len(items),
            self.retries,
        )


def _dask_client() -> Any:
    import distributed

    try:
        return distributed.get_client()
    except ValueError:
        return distributed.Client()


def _in_order(
    send: Callable[[Sequence[int]], dict[int, Any]],
    receive: Callable[[Any], Any],
    cancel: Callable[[Any], Any],
    lost: tuple[type[BaseException], ...],
    count: int,
    retries: int,
) -> Iterator[Any]:
    """Results in order; what is lost is sent again, with all that has not been received."""
    futures = send(range(count))
    left = retries
    number = 0
    try:
        while number < count:
            try:
                result = receive(futures[number])
            except lost as reason:
                if left == 0:
                    raise LostTasksError(
                        f"task {number + 1} of {count} was lost with its worker {retries + 1} times: {reason}"
                    ) from reason
                left -= 1
                futures = send(range(number, count))
                continue
            del futures[number]
            number += 1
            yield result
    finally:
        for future in futures.values():
            cancel(future)


def backend_of(backend: Any) -> Backend:
    """The backend that is meant: a name, a client of Dask, or a backend."""
    names: dict[str, Callable[[], Backend]] = {
        "serial": Serial,
        "threads": Threads,
        "ray": Ray,
        "dask": Dask,
    }
    if isinstance(backend, str):
        if backend in names:
            return names[backend]()
    elif type(backend).__module__.partition(".")[0] == "distributed":
        return Dask(backend)
    elif isinstance(backend, Backend):
        return backend
    raise ParameterError(
        f"parameter `backend` is {backend!r}; expected one of {', '.join(names)}, a client of Dask, "
        "or an object with `run`",
        name="backend",
        found=repr(backend),
        expected=", ".join(names),
    )
