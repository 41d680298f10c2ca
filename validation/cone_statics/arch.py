"""A half-circle of equal voussoirs: corners, places, and the least friction with which it can stand, by a linear program.

Limit analysis: an arch stands under associated friction (the relaxation "ccp") if and only if forces at the corners of its joints, within
their cones, balance the weights (Drucker 1954; Livesley 1978). Exact friction needs at least that.
"""
import math

import numpy as np
from scipy.optimize import linprog


def stones(count, inner, outer, width):
    """(corners of the stone at the crown about the arch's centre, rows x y z qw qx qy qz of the centres of all)."""
    half = math.pi / (2 * count)
    corners = [[r * math.sin(a), y, r * math.cos(a)] for r in (inner, outer) for a in (-half, half) for y in (-width / 2, width / 2)]
    # Centroid of the trapezoid with half widths p below and q above.
    low, high, p, q = inner * math.cos(half), outer * math.cos(half), inner * math.sin(half), outer * math.sin(half)
    centre = low + (high - low) * (p + 2 * q) / (3 * (p + q))
    rows = []
    for k in range(count):
        a = math.pi * ((k + 0.5) / count - 0.5)
        rows.append((centre * math.sin(a), 0, centre * math.cos(a), math.cos(a / 2), 0, math.sin(a / 2), 0))
    return corners, rows


def balance(count, inner, outer):
    """(A, b): A f = b says that each stone of weight 1 is in balance; f: normal and tangential force at both ends of each joint."""
    _, rows = stones(count, inner, outer, 1.0)
    A, b = np.zeros((3 * count, 4 * (count + 1))), np.zeros(3 * count)
    for joint in range(count + 1):
        a = math.pi * (joint / count - 0.5)
        along, out = np.array([math.cos(a), -math.sin(a)]), np.array([math.sin(a), math.cos(a)])
        for end, radius in enumerate((inner, outer)):
            for part, direction in enumerate((along, out)):
                for stone, sign in ((joint, 1), (joint - 1, -1)):
                    if 0 <= stone < count:
                        arm = radius * out - np.array([rows[stone][0], rows[stone][2]])
                        force, column = sign * direction, 4 * joint + 2 * end + part
                        A[3 * stone:3 * stone + 3, column] = [*force, arm[0] * force[1] - arm[1] * force[0]]
    b[1::3] = 1.0
    return A, b


def can_stand(mu, A, b):
    """Whether forces with |t| <= mu n and n >= 0 balance the weights."""
    pairs = A.shape[1] // 2
    cones = np.zeros((2 * pairs, A.shape[1]))
    for k in range(pairs):
        cones[2 * k:2 * k + 2, 2 * k:2 * k + 2] = [[-mu, 1], [-mu, -1]]
    return linprog(np.zeros(A.shape[1]), A_ub=cones, b_ub=np.zeros(2 * pairs), A_eq=A, b_eq=b, bounds=[(0, None), (None, None)] * pairs).status == 0


def critical_friction(count, inner, outer):
    """Least coefficient of friction with which the arch can stand, to 1e-6."""
    A, b = balance(count, inner, outer)
    low, high = 0.0, 2.0
    if not can_stand(high, A, b):
        raise ValueError("the arch is too thin to stand with any friction")
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if can_stand(middle, A, b) else (middle, high)
    return high
