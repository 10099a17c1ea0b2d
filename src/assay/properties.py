"""Properties that are computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 - it stands where functools' does
    """``functools.cached_property`` without its lock, which Python 3.11 holds while a value is computed.

    A child made by ``os.fork`` inherits a lock that another thread held at that moment, and nobody ever opens it. Here
    two threads may compute the same value at once; the first to be done is remembered, and both get it.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object, owner: type | None = None) -> T | Self:
        if instance is None:
            return self
        value: T = vars(instance).setdefault(self.name, self.compute(instance))
        return value
