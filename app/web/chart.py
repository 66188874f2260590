"""Figures drawn as SVG: where lines, bars, marks and ticks stand. What they mean is said beside them, and in a table.

Lengths are in the units of the drawing's own frame; a page scales it as it likes. For languages that run from right to left
the drawing is mirrored here, not by style, so that figures stay readable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, floor, log10

WIDTH = 480
HEIGHT = 240
_START, _END, _TOP, _BOTTOM = 44, 10, 16, 28
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Tick:
    """A label on an axis, at a place along it."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point to look at: its kind names the shape, its title says what happened there."""

    x: float
    y: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram; `marked` ones are to be told apart."""

    x: float
    y: float
    width: float
    height: float
    title: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing: `line` is a list of points as SVG has it ("" for none), ticks stand along both axes.

    `left`, `right`, `bottom` are the edges of what is drawn, `labels` is where the labels of the upright axis end.
    """

    across: tuple[Tick, ...]
    upright: tuple[Tick, ...]
    left: float
    right: float
    labels: float
    line: str = ""
    marks: tuple[Mark, ...] = ()
    bars: tuple[Bar, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    bottom: int = HEIGHT - _BOTTOM


@dataclass(frozen=True, slots=True)
class Frame:
    """Places values in the frame: x from `first` to `last`, y from `low` to `high`."""

    first: float
    last: float
    low: float
    high: float
    mirrored: bool = False
    write: Callable[[float], str] = field(default=str)

    def x(self, value: float) -> float:
        """Place a value across."""
        share = (value - self.first) / (self.last - self.first)
        place = _START + share * (WIDTH - _START - _END)
        return round(WIDTH - place if self.mirrored else place, 1)

    def y(self, value: float) -> float:
        """Place a value upright."""
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)

    def chart(self, across: Sequence[tuple[float, str]], **drawn: object) -> Chart:
        """Make a drawing with labels at some places across."""
        left, right = sorted((self.x(self.first), self.x(self.last)))
        upright = [value for value in ticks(self.low, self.high) if self.low <= value <= self.high]
        labels = _START - 8
        return Chart(
            tuple(Tick(self.x(value), label) for value, label in across),
            tuple(Tick(self.y(value), self.write(value)) for value in upright),
            left,
            right,
            WIDTH - labels if self.mirrored else labels,
            **drawn,  # type: ignore[arg-type]
        )

    def line(self, points: Sequence[tuple[float, float]]) -> str:
        """Draw a line through points."""
        return " ".join(f"{self.x(x)},{self.y(y)}" for x, y in points)

    def bars(self, edges: Sequence[float], heights: Sequence[float], titles: Sequence[str]) -> tuple[Bar, ...]:
        """Draw a histogram: one edge more than there are heights."""
        found = []
        for (start, stop), height, title in zip(pairwise(edges), heights, titles, strict=True):
            left, right = sorted((self.x(start), self.x(stop)))
            top = self.y(height)
            found.append(Bar(left, top, round(right - left - 1, 1), round(HEIGHT - _BOTTOM - top, 1), title))
        return tuple(found)


def ticks(low: float, high: float) -> list[float]:
    """Choose about five round values that span a range."""
    step = _step((high - low) / _TICKS)
    return [number * step for number in range(floor(low / step), ceil(high / step) + 1)]


def around(values: Sequence[float]) -> tuple[float, float]:
    """Give a range of round values that holds all of these."""
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    found = ticks(low, high)
    return found[0], found[-1]


def _step(least: float) -> float:
    size: float = 10.0 ** floor(log10(least))
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= least)
