"""Andrews' squeezing mechanism: parameters, an independent solution in seven angles, and the scene as bodies and joints.

Source: parameters and start of the IVP test set, problem "andrews" (Mazzia & Magherini, Bari; after Hairer & Wanner, Solving ODEs II, and
Schiehlen's Multibody Systems Handbook). Masses and loops are worked out here from the geometry:

  O = (0, 0); K1 from O along beta to P1 (rr). K2 from P1 against beta + Theta to E (d). K3 hinged at B, its corner E below it by ss along
  gamma. K5 from A along delta to H (zt), K4 from H to E (e). K7 from A to G (u), K6 from G along Omega + epsilon to E (zf).
  e(a) = (cos a, sin a), n(a) = (sin a, -cos a).
"""
import numpy as np
from scipy.integrate import solve_ivp

MASS = dict(zip("1234567", [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]))                        # [kg]
INERTIA = dict(zip("1234567", [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]))             # [kg m2]
A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])                  # [m]
D, DA, E, EA, RR, RA, SS, SA, SB, SC, SD = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043, 0.018, 0.02
TA, TB, U, UA, UB, ZF, ZT, FA = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
MOMENT, STIFFNESS, REST = 0.033, 4530.0, 0.07785                                                                 # [N m], [N/m], [m]
START = np.array([-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550, -0.222668390165885884,
                  1.23054744454982119])
NAMES = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]
# The solution at 0.03 s of the IVP test set, as it is cited; all digits that it gives.
PUBLISHED = np.array([15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
                      0.5347301163226948, 1.048080741042263])

# Absolute angle of each body: sum of these angles.
ANGLE_OF = np.array([[1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 0, 0],
                     [0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1]], float)


def terms():
    """Every point as (fixed part, [(body, length along its e, length along its n)]), so that one rule gives places and derivatives."""
    P1, H, G = [(0, RR, 0)], [(4, ZT, 0)], [(6, 0, U)]
    points = {
        "P1": ((0, 0), P1), "H": (A, H), "G": (A, G),
        "E of K2": ((0, 0), P1 + [(1, -D, 0)]), "E of K3": (B, [(2, 0, SS)]), "E of K4": (A, H + [(3, 0, E)]), "E of K6": (A, G + [(5, ZF, 0)]),
        "D": (B, [(2, SD, SC)]),
        "centre 1": ((0, 0), [(0, RA, 0)]), "centre 2": ((0, 0), P1 + [(1, -DA, 0)]), "centre 3": (B, [(2, SB, SA)]),
        "centre 4": (A, H + [(3, 0, E - EA)]), "centre 5": (A, [(4, TA, -TB)]), "centre 6": (A, G + [(5, ZF - FA, 0)]),
        "centre 7": (A, [(6, -UB, UA)]),
    }
    return {name: (np.asarray(fixed, float), parts) for name, (fixed, parts) in points.items()}


POINTS = terms()


def point(name, q, rate=None):
    """Place of a point; with rates of the angles also its Jacobian (2 x 7) and J' q'."""
    fixed, parts = POINTS[name]
    angles = ANGLE_OF @ q
    place, J, bias = fixed.copy(), np.zeros((2, 7)), np.zeros(2)
    turning = None if rate is None else ANGLE_OF @ rate
    for body, along, aside in parts:
        a = angles[body]
        arm = along * np.array([np.cos(a), np.sin(a)]) + aside * np.array([np.sin(a), -np.cos(a)])
        place += arm
        J += np.outer([-arm[1], arm[0]], ANGLE_OF[body])
        if rate is not None:
            bias -= arm * turning[body] ** 2
    return place if rate is None else (place, J, bias)


def loops(q):
    """Gaps of the three loops, six numbers [m], written out as they are published."""
    b, T, g, ph, de, om, ep = q
    end = np.array([RR * np.cos(b) - D * np.cos(b + T), RR * np.sin(b) - D * np.sin(b + T)])
    return np.concatenate([
        end - [SS * np.sin(g), -SS * np.cos(g)] - B,
        end - [E * np.sin(ph + de) + ZT * np.cos(de), -E * np.cos(ph + de) + ZT * np.sin(de)] - A,
        end - [ZF * np.cos(om + ep) + U * np.sin(ep), ZF * np.sin(om + ep) - U * np.cos(ep)] - A,
    ])


def accelerations(q, rate):
    """Second derivatives of the angles: M q'' + G^T lambda = f, G q'' = -G' q'."""
    M, f = np.zeros((7, 7)), np.zeros(7)
    for k in range(7):
        _, J, bias = point(f"centre {k + 1}", q, rate)
        mass = MASS[str(k + 1)]
        M += mass * J.T @ J + INERTIA[str(k + 1)] * np.outer(ANGLE_OF[k], ANGLE_OF[k])
        f -= mass * J.T @ bias
    f[0] += MOMENT
    place, J, _ = point("D", q, rate)
    length = np.linalg.norm(place - C)
    f -= J.T @ (STIFFNESS * (length - REST) * (place - C) / length)
    _, J2, bias2 = point("E of K2", q, rate)
    ends = [point(f"E of K{k}", q, rate) for k in (3, 4, 6)]
    G, bias = np.vstack([J2 - J for _, J, _ in ends]), np.concatenate([bias2 - b for _, _, b in ends])
    whole = np.block([[M, G.T], [G, np.zeros((6, 6))]])
    return np.linalg.solve(whole, np.concatenate([f, -bias]))[:7]


def energy(q, rate):
    """Kinetic energy and spring less the work of the drive [J]: constant."""
    place = point("D", q)
    total = 0.5 * STIFFNESS * (np.linalg.norm(place - C) - REST) ** 2 - MOMENT * q[0]
    for k in range(7):
        _, J, _ = point(f"centre {k + 1}", q, rate)
        total += 0.5 * MASS[str(k + 1)] * np.sum((J @ rate) ** 2) + 0.5 * INERTIA[str(k + 1)] * (ANGLE_OF[k] @ rate) ** 2
    return total


def solve(times, tolerance=1e-12):
    """Angles and rates at the times [s], two arrays (times, 7)."""
    done = solve_ivp(lambda _, y: np.concatenate([y[7:], accelerations(y[:7], y[7:])]), (0, times[-1]), np.concatenate([START, np.zeros(7)]),
                     method="DOP853", t_eval=times, rtol=tolerance, atol=tolerance)
    if not done.success:
        raise RuntimeError(done.message)
    return done.y[:7].T, done.y[7:].T


def scene_text(step, end=0.03, every=None):
    """The mechanism as a scene: seven bodies, ten hinges along z, motor and spring. Frames of bodies are turned by their absolute angle."""
    every = step if every is None else every
    angles = ANGLE_OF @ START
    joints = [("K1", "ground", (0, 0)), ("K1", "K2", point("P1", START)), ("K3", "ground", B), ("K5", "ground", A), ("K7", "ground", A),
              ("K4", "K5", point("H", START)), ("K6", "K7", point("G", START)), ("K2", "K3", point("E of K2", START)),
              ("K2", "K4", point("E of K2", START)), ("K2", "K6", point("E of K2", START))]
    text = [f'title = "Andrews\' squeezing mechanism"\n\n[time]\nstep = {step!r}\nend = {end!r}\n\n[domain]\ngravity = [0, 0, 0]\n',
            '[method]\nkind = "cone"\n']
    for k in range(7):
        x, y = point(f"centre {k + 1}", START)
        I = INERTIA[str(k + 1)]
        # In the plane only Izz counts; the two others are taken equal to it.
        text.append(f'[[body]]\nname = "K{k + 1}"\nmass = {MASS[str(k + 1)]!r}\ninertia = [{I!r}, {I!r}, {I!r}]\n'
                    f"position = [{float(x)!r}, {float(y)!r}, 0]\nrotation = {{ axis = [0, 0, 1], angle = {float(angles[k])!r} }}\n")
    for a, b, (x, y) in joints:
        motor = f"motor = {{ torque = {MOMENT!r} }}\n" if (a, b) == ("K1", "ground") else ""
        # The torque is that on B about z of A where A holds the axis: with the ground as A it drives the crank.
        first, second = (b, a) if motor else (a, b)
        text.append(f'[[joint]]\nname = "{a}_{b}"\nkind = "revolute"\nbetween = ["{first}", "{second}"]\npoint = [{float(x)!r}, {float(y)!r}, 0]\n'
                    f"axis = [0, 0, 1]\n{motor}")
    x, y = point("D", START)
    text.append(f'[[joint]]\nname = "spring"\nkind = "free"\nbetween = ["K3", "ground"]\npoint = [{float(x)!r}, {float(y)!r}, 0]\n'
                f"point_b = [{float(C[0])!r}, {float(C[1])!r}, 0]\nspring = {{ stiffness = {STIFFNESS!r}, rest = {REST!r} }}\n")
    for k in range(7):
        text.append(f'[[measure]]\nkind = "body"\nbody = "K{k + 1}"\nname = "K{k + 1}"\nevery = {every!r}\n')
    for a, b, _ in joints:
        text.append(f'[[measure]]\nkind = "joint"\njoint = "{a}_{b}"\nname = "{a}_{b}"\nevery = {every!r}\n')
    text.append(f'[[measure]]\nkind = "energy"\nevery = {every!r}\n')
    return "\n".join(text)
