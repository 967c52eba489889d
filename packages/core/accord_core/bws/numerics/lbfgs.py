"""The L-BFGS method for smooth, strictly convex loss functions of many variables.

Accord implements the method itself, because importing an optimiser takes ten times longer than scoring a study, and
because the linear algebra of an optimiser waits for threads that vectors of this length do not need.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MEMORY = 10
# A step must achieve at least this share of the decrease that the gradient predicts (the Armijo condition).
SUFFICIENT = 1e-4
HALVINGS = 40


class Minimum(NamedTuple):
    """The end point of the search, the number of iterations, and whether the search converged."""

    at: Vector
    iterations: int
    converged: bool


def minimise(loss: Callable[[Vector], tuple[float, Vector]], start: Vector, *, tolerance: float, limit: int) -> Minimum:
    """Return the minimum of `loss`. The search starts at `start`. The function `loss` takes a point (n,) and returns
    the value and the gradient (n,) at that point.

    The search ends when no component of the gradient exceeds `tolerance`. The search ends without convergence after
    `limit` iterations, or if rounding errors prevent further descent. Source: Nocedal and Wright (2006), Numerical
    Optimization, algorithm 7.5. For a strictly convex loss, every step has positive curvature, so halving the step is a
    sufficient line search.
    """
    x = start.copy()
    value, gradient = loss(x)
    steps: deque[tuple[Vector, Vector, float]] = deque(maxlen=MEMORY)
    for iteration in range(limit):
        if np.abs(gradient).max(initial=0.0) <= tolerance:
            return Minimum(x, iteration, converged=True)
        direction = _direction(gradient, steps)
        slope = float(gradient @ direction)
        length = 1.0
        for _ in range(HALVINGS):
            new_value, new_gradient = loss(x + length * direction)
            if new_value <= value + SUFFICIENT * length * slope:
                break
            length /= 2
        else:
            return Minimum(x, iteration, converged=False)
        step, change = length * direction, new_gradient - gradient
        if step @ change > 0:
            steps.append((step, change, 1 / float(step @ change)))
        x, value, gradient = x + step, new_value, new_gradient
    return Minimum(x, limit, converged=bool(np.abs(gradient).max(initial=0.0) <= tolerance))


def _direction(gradient: Vector, steps: deque[tuple[Vector, Vector, float]]) -> Vector:
    """Return the negative gradient, multiplied by an approximation of the inverse Hessian from the last steps (two-loop
    recursion).
    """
    if not steps:
        return -gradient / max(1.0, float(np.sqrt(gradient @ gradient)))
    direction = -gradient
    shares = []
    for step, change, inverse in reversed(steps):
        share = inverse * float(step @ direction)
        shares.append(share)
        direction = direction - share * change
    step, change, inverse = steps[-1]
    direction *= 1 / (inverse * float(change @ change))
    for (step, change, inverse), share in zip(steps, reversed(shares), strict=True):
        direction += (share - inverse * float(change @ direction)) * step
    return direction
