"""Closed forms of the mechanisms of this folder: kinematics of driven linkages, their drive torque by virtual work, and others.

Planar linkages are functions of the crank's angle theta, analytic, so that a complex step differentiates them to rounding.
"""
import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81
STEP = 1e-30


def derivative(function, theta):
    """d function / d theta at real theta."""
    return np.imag(function(theta + 1j * STEP)) / STEP


class SliderCrank:
    """crank r, rod l (centre in its middle), slider along x; slider_crank.toml."""

    r, l, m_crank, m_rod, I_rod, m_slider, speed = 0.1, 0.3, 1.0, 0.6, 4.5e-3, 2.0, 10.0

    def slider(self, theta):
        return self.r * np.cos(theta) + np.sqrt(self.l**2 - (self.r * np.sin(theta))**2)

    def rod_angle(self, theta):
        """Turn of the rod, counted as theta is."""
        return np.arcsin(-self.r / self.l * np.sin(theta))

    def inertia(self, theta):
        """2 T / theta'^2 of rod and slider."""
        s, c = np.sin(theta), np.cos(theta)
        root = np.sqrt(self.l**2 - (self.r * s)**2)
        dx = -self.r * s - self.r**2 * s * c / root
        dphi = -self.r * c / root
        rod = 0.25 * ((dx - self.r * s)**2 + (self.r * c)**2)  # of the middle, ((r cos + x) / 2, r sin / 2)
        return self.m_rod * rod + self.I_rod * dphi**2 + self.m_slider * dx**2

    def height_energy(self, theta):
        return GRAVITY * 0.5 * self.r * np.sin(theta) * (self.m_crank + self.m_rod)

    def torque(self, theta):
        """Of the drive at steady speed: d(T + V)/dt over the speed."""
        return 0.5 * self.speed**2 * derivative(self.inertia, theta) + derivative(self.height_energy, theta)


class FourBar:
    """crank a from (0, 0), coupler b, rocker c from (d, 0), centres in the middle; four_bar.toml."""

    a, b, c, d, start, speed = 0.3, 0.9, 0.7, 1.0, 0.5, 5.0
    masses, inertias = (0.5, 1.0, 0.8), (4e-3, 0.07, 0.035)

    def points(self, theta):
        """Ends of the crank (A) and of the rocker (B), by the intersection of two circles; complex-safe."""
        A = np.array([self.a * np.cos(theta), self.a * np.sin(theta)])
        v = np.array([self.d - A[0], -A[1]])
        L2 = v[0]**2 + v[1]**2
        along = (self.b**2 - self.c**2 + L2) / (2 * L2)
        aside = np.sqrt(self.b**2 / L2 - along**2)
        return A, A + along * v + aside * np.array([-v[1], v[0]])

    def rates(self, theta):
        """Angular velocities of coupler and rocker per crank's, from A' + w_b x (B - A) = w_c x (B - C)."""
        A, B = self.points(theta)
        p, q = B - A, B - np.array([self.d + 0 * theta, 0 * theta])
        det = p[1] * q[0] - p[0] * q[1]
        # -p_y w_b + q_y w_c = A_y,  p_x w_b - q_x w_c = -A_x
        return (A[0] * q[1] - A[1] * q[0]) / det, (A[0] * p[1] - A[1] * p[0]) / det

    def rocker_angle(self, theta):
        B = self.points(theta)[1]
        return np.arctan2(B[1], B[0] - self.d)

    def coupler_angle(self, theta):
        A, B = self.points(theta)
        return np.arctan2(B[1] - A[1], B[0] - A[0])

    def inertia(self, theta):
        A, B = self.points(theta)
        w_b, w_c = self.rates(theta)
        dA, dB = np.array([-A[1], A[0]]), w_c * np.array([-B[1], B[0] - self.d])
        middle = 0.25 * np.sum((dA + dB)**2, axis=0)
        return self.masses[1] * middle + self.inertias[1] * w_b**2 + (self.masses[2] * self.c**2 / 4 + self.inertias[2]) * w_c**2

    def height_energy(self, theta):
        A, B = self.points(theta)
        m = self.masses
        return GRAVITY * 0.5 * (m[0] * A[1] + m[1] * (A[1] + B[1]) + m[2] * B[1])

    def torque(self, theta):
        return 0.5 * self.speed**2 * derivative(self.inertia, theta) + derivative(self.height_energy, theta)


def governor_angle(speed):
    """Steady angle of an arm from the axis [rad], of governor.toml: sum of moments of weights = that of centrifugal forces,

    cos(angle) = g (m a + m_l (2 l - l / 2) + M l) / (w^2 (m a^2 + I - J + m_l (l / 2)^2 + I_l - J_l)),

    ball m at a = l with moments I across and J along the arm, link m_l with its centre half way, sleeve M, arm and link l."""
    l, ball, link, sleeve = 0.3, (1.0, 0.001, 0.0006), (0.1, 0.00075, 0.00001), 2.0
    weights = ball[0] * l + link[0] * 1.5 * l + sleeve * l
    spin = ball[0] * l**2 + ball[1] - ball[2] + link[0] * (l / 2)**2 + link[1] - link[2]
    return np.arccos(GRAVITY * weights / (speed**2 * spin))


def double_pendulum(times):
    """Centres of mass of both rods of double_pendulum.toml, (times, 4): x, z, x, z; in the two angles from the vertical."""
    l, a, m, I, g = 1.0, 0.5, 1.0, 1 / 12, GRAVITY

    def rate(_, y):
        t1, t2, w1, w2 = y
        s, c = np.sin(t1 - t2), np.cos(t1 - t2)
        M = [[m * a**2 + I + m * l**2, m * l * a * c], [m * l * a * c, m * a**2 + I]]
        f = [-m * l * a * s * w2**2 - (m * a + m * l) * g * np.sin(t1), m * l * a * s * w1**2 - m * a * g * np.sin(t2)]
        return [w1, w2, *np.linalg.solve(M, f)]

    y = solve_ivp(rate, (0, times[-1]), [np.pi / 2, np.pi / 2, 0, 0], method="DOP853", t_eval=times, rtol=1e-12, atol=1e-12).y
    x1, z1, x2, z2 = a * np.sin(y[0]), -a * np.cos(y[0]), a * np.sin(y[1]), -a * np.cos(y[1])
    return np.stack([x1, z1, x1 / a * l + x2, z1 / a * l + z2], axis=1)


class CrossJoint:
    """Two shafts at an angle; alpha: of the first, from the plane of both; universal.toml."""

    angle, speed, I_output = 0.6, 6.0, 0.02

    def ratio(self, alpha):
        return np.cos(self.angle) / (1 - (np.sin(self.angle) * np.cos(alpha))**2)

    def torque(self, alpha):
        """Of the drive, by virtual work on the second shaft."""
        return self.I_output * self.ratio(alpha) * derivative(self.ratio, alpha) * self.speed**2


GEARS = {"torque": 0.5, "I_small": 0.02, "I_large": 0.1, "ratio": 0.5}
RACK = {"I_pinion": 0.01, "mass": 2.0, "radius": 0.05}


def gear_acceleration():
    """Of the first wheel [rad/s2]: T / (I_1 + ratio^2 I_2)."""
    return GEARS["torque"] / (GEARS["I_small"] + GEARS["ratio"]**2 * GEARS["I_large"])


def rack_acceleration():
    """Of the falling rack [m/s2]: m g / (m + I / r^2)."""
    return RACK["mass"] * GRAVITY / (RACK["mass"] + RACK["I_pinion"] / RACK["radius"]**2)
