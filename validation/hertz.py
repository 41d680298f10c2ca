"""Closed results of the Hertz contact of two elastic spheres, or of a sphere and a plane (infinite radius). SI units."""
import math

import numpy as np


def effective_modulus(young_a, poisson_a, young_b, poisson_b):
    """E_eff [Pa]."""
    return 1.0 / ((1 - poisson_a**2) / young_a + (1 - poisson_b**2) / young_b)


class Impact:
    """Elastic head-on impact with approach speed v [m/s]; m_eff [kg], R_eff [m], E_eff [Pa]."""

    def __init__(self, m_eff, R_eff, E_eff, v):
        self.m_eff, self.v = m_eff, v
        self.k = 4.0 / 3.0 * E_eff * math.sqrt(R_eff)  # F = k delta^{3/2}
        # Kinetic energy of approach = 2/5 k delta^{5/2}.
        self.largest_overlap = (1.25 * m_eff * v**2 / self.k) ** 0.4
        self.largest_force = self.k * self.largest_overlap**1.5
        # t_c = 2 delta_max / v · integral_0^1 dx / sqrt(1 - x^{5/2}), a beta function: 2.9433 delta_max / v.
        self.duration = 0.8 * math.gamma(0.4) * math.gamma(0.5) / math.gamma(0.9) * self.largest_overlap / v

    def force_of_overlap(self, overlap):
        """F [N] at an overlap [m]."""
        return self.k * np.maximum(overlap, 0.0) ** 1.5

    def force_of_time(self, times, steps=4000):
        """F [N] at times [s] since first touch; Runge-Kutta of m_eff delta'' = -k delta^{3/2}, error below 1e-6 of the peak."""
        a = self.k / self.m_eff

        def acceleration(delta):
            return -a * max(delta, 0.0) ** 1.5

        h = 1.05 * self.duration / steps
        delta, v, overlap = 0.0, self.v, [0.0]
        for _ in range(steps):
            a1 = acceleration(delta)
            v2, a2 = v + 0.5 * h * a1, acceleration(delta + 0.5 * h * v)
            v3, a3 = v + 0.5 * h * a2, acceleration(delta + 0.5 * h * v2)
            v4, a4 = v + h * a3, acceleration(delta + h * v3)
            delta += h / 6.0 * (v + 2 * v2 + 2 * v3 + v4)
            v += h / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4)
            overlap.append(delta)
        return np.interp(times, h * np.arange(steps + 1), self.force_of_overlap(np.array(overlap)), right=0.0)
