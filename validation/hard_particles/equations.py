"""Equations of state of hard disks and spheres, and rates of their collisions. Sources are in README.md."""
import numpy as np

# B_k / B_2^(k-1) of hard disks, k = 1 ... 10 (Clisby & McCoy 2006, table 1).
VIRIAL_OF_DISKS = [1, 1, 0.782004436, 0.53223180, 0.33355604, 0.1988425, 0.1148728, 0.0649930, 0.0362193, 0.0199537]


def pade(series, above, below):
    """Coefficients (numerator, denominator) of the [above/below] approximant of a power series, lowest first."""
    c = np.asarray(series, float)
    at = lambda k: c[k] if k >= 0 else 0.0
    matrix = np.array([[at(above + i - j) for j in range(1, below + 1)] for i in range(1, below + 1)])
    denominator = np.concatenate([[1.0], np.linalg.solve(matrix, -c[above + 1:above + below + 1])])
    numerator = [sum(denominator[j] * at(k - j) for j in range(below + 1)) for k in range(above + 1)]
    return np.array(numerator), denominator


NUMERATOR, DENOMINATOR = pade(VIRIAL_OF_DISKS, 5, 4)


def disks(packing):
    """P V / (N k T) of hard disks: the [5/4] approximant in B_2 times density, which is twice the packing."""
    y = 2 * np.asarray(packing, float)
    return np.polyval(NUMERATOR[::-1], y) / np.polyval(DENOMINATOR[::-1], y)


def henderson(packing):
    """The same after Henderson 1975."""
    return (1 + packing**2 / 8) / (1 - packing) ** 2


def carnahan_starling(packing):
    """P V / (N k T) of hard spheres."""
    return (1 + packing + packing**2 - packing**3) / (1 - packing) ** 3


def collision_rate(dimensions, factor, diameter, thermal_speed):
    """Collisions of one particle per time [1/s] after Enskog; thermal_speed: sqrt(k T / m) [m/s]; factor: P V / (N k T)."""
    return 2 * dimensions * (factor - 1) / (diameter * np.sqrt(np.pi)) * thermal_speed
