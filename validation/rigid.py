"""Mechanisms of rigid bodies solved by other means than Scree's, for comparison: equations of motion in redundant coordinates with
Lagrange multipliers, integrated by a Runge-Kutta method of order 8 with error control (SciPy's DOP853).

    M v' = f + G^T lambda,   G v' = -G' v

Body: centre of mass x, quaternion q, velocity v, angular velocity w, all in the world frame. G is written by hand, row by row, from dot
products of points and axes; G' v comes from a complex step along the motion, which is exact to rounding. Redundant rows are allowed: the
multipliers of least norm are taken. read() takes bodies and joints from the same scene file that Scree runs.
"""
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

GROUND = -1


def rotation(q):
    """Rotation matrix of a unit quaternion (w, x, y, z); polynomial, so that it takes complex steps."""
    w, x, y, z = q
    return np.array([
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ])


def turned(axis, angle):
    """Quaternion of a turn about an axis [rad]."""
    axis = np.asarray(axis, float)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis / np.linalg.norm(axis)])


def spin(q, w):
    """Rate of a quaternion, (0, w) q / 2, w in the world frame."""
    return 0.5 * np.concatenate([[-np.dot(w, q[1:])], q[0] * w + cross(w, q[1:])])


def cross(a, b):
    """a x b; numpy's own is slow on single vectors."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def square_to(axis):
    """Two unit vectors square to an axis and to each other."""
    axis = np.asarray(axis, float)
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first) / np.linalg.norm(axis)


@dataclass
class Side:
    """A point or a direction fixed to a body (or to the ground), in the body's frame."""

    body: int
    local: np.ndarray

    def turn(self, R):
        return self.local if self.body == GROUND else R[self.body] @ self.local

    def place(self, x, R):
        return self.local if self.body == GROUND else x[self.body] + R[self.body] @ self.local


# Rows: each gives its value and, for its two bodies, the derivative by velocity and by angular velocity.


def row_along(axis, a, b):
    """axis . (p_b - p_a), the axis fixed to body a."""

    def row(x, R):
        n, d = axis.turn(R), b.place(x, R) - a.place(x, R)
        r_a, r_b = a.turn(R), b.turn(R)
        return np.dot(n, d), ((a.body, -n, cross(n, d) - cross(r_a, n)), (b.body, n, cross(r_b, n)))

    return row


def row_axes(a, b, value=0.0):
    """(direction on a) . (direction on b) - value."""

    def row(x, R):
        n, m, zero = a.turn(R), b.turn(R), np.zeros(3)
        return np.dot(n, m) - value, ((a.body, zero, cross(n, m)), (b.body, zero, cross(m, n)))

    return row


def row_distance(a, b, length):
    """(|p_b - p_a|^2 - length^2) / (2 length)."""

    def row(x, R):
        d = (b.place(x, R) - a.place(x, R)) / length
        value = 0.5 * length * (np.dot(d, d) - 1)
        return value, ((a.body, -d, -cross(a.turn(R), d)), (b.body, d, cross(b.turn(R), d)))

    return row


def joint_rows(kind, frame):
    """Rows of a joint. frame: p_a, p_b, and the directions of both sides by name."""
    p_a, p_b = frame["p_a"], frame["p_b"]
    world = [Side(GROUND, e) for e in np.eye(3)]
    point = [row_along(e, p_a, p_b) for e in world]
    on_line = [row_along(frame["x_a"], p_a, p_b), row_along(frame["y_a"], p_a, p_b)]
    parallel = [row_axes(frame["x_a"], frame["z_b"]), row_axes(frame["y_a"], frame["z_b"])]
    no_turn = parallel + [row_axes(frame["x_a"], frame["y_b"])]
    kinds = {
        "spherical": lambda: point,
        "revolute": lambda: point + parallel,
        "prismatic": lambda: on_line + no_turn,
        "cylindrical": lambda: on_line + parallel,
        "universal": lambda: point + [row_axes(frame["z_a"], frame["second_b"])],
        "fixed": lambda: point + no_turn,
        "distance": lambda: [row_distance(p_a, p_b, frame["length"])],
        "point_on_line": lambda: on_line,
        "point_on_plane": lambda: [row_along(frame["z_a"], p_a, p_b)],
        "revolute_spherical": lambda: [row_distance(p_a, p_b, frame["length"]), row_along(frame["z_a"], p_a, p_b)],
    }
    return kinds[kind]()


class Mechanism:
    """Bodies and joints. names: of bodies; start: state at time 0; joints: name -> (first row, end, side a)."""

    def __init__(self, gravity):
        self.gravity, self.names, self.masses, self.inertias, self.states = np.asarray(gravity, float), [], [], [], []
        self.rows, self.joints = [], {}

    def add_body(self, name, mass, inertia, x, q, v=(0, 0, 0), w=(0, 0, 0)):
        """inertia: 3 x 3 about the centre of mass, in the body's frame."""
        q = np.asarray(q, float) / np.linalg.norm(q)
        self.names.append(name)
        self.masses.append(mass)
        self.inertias.append(np.asarray(inertia, float))
        self.states.append(np.concatenate([x, q, v, w]).astype(float))

    def side(self, name, point=None, direction=None):
        """A point or direction given in the world at the start, fixed to a body."""
        body = GROUND if name == "ground" else self.names.index(name)
        if body == GROUND:
            return Side(body, np.asarray(point if direction is None else direction, float))
        x, R = self.states[body][:3], rotation(self.states[body][3:7])
        return Side(body, R.T @ (np.asarray(point, float) - x) if direction is None else R.T @ np.asarray(direction, float))

    def add_joint(self, name, kind, between, point, point_b=None, axis=(0, 0, 1), axis_b=None, length=None):
        """A joint as in a scene file; all in the world at the start."""
        a, b = between
        point_b = point if point_b is None else point_b
        z = np.asarray(axis, float) / np.linalg.norm(axis)
        x, y = square_to(z)
        frame = {"p_a": self.side(a, point), "p_b": self.side(b, point_b)}
        frame["length"] = np.linalg.norm(np.subtract(point_b, point)) if length is None else length
        for key, direction in (("x", x), ("y", y), ("z", z)):
            frame[f"{key}_a"], frame[f"{key}_b"] = self.side(a, direction=direction), self.side(b, direction=direction)
        if axis_b is not None:
            frame["second_b"] = self.side(b, direction=np.asarray(axis_b, float) / np.linalg.norm(axis_b))
        first = len(self.rows)
        self.rows += joint_rows(kind, frame)
        self.joints[name] = (first, len(self.rows), frame["p_a"])

    def split(self, y):
        s = y.reshape(-1, 13)
        return s[:, :3], [rotation(q) for q in s[:, 3:7]], s[:, 7:13].reshape(-1)

    def jacobian(self, x, R):
        """(values, G) with six columns per body: velocity, angular velocity."""
        values = np.zeros(len(self.rows), x.dtype)
        G = np.zeros((len(self.rows), 6 * len(self.names)), x.dtype)
        for k, row in enumerate(self.rows):
            values[k], parts = row(x, R)
            for body, by_v, by_w in parts:
                if body != GROUND:
                    G[k, 6 * body:6 * body + 3] += by_v
                    G[k, 6 * body + 3:6 * body + 6] += by_w
        return values, G

    def rates(self, y):
        """State's rate of each body without the accelerations: (x', q')."""
        s = y.reshape(-1, 13)
        result = np.zeros_like(s)
        result[:, :3] = s[:, 7:10]
        for k, body in enumerate(s):
            result[k, 3:7] = spin(body[3:7], body[10:13])
        return result

    def solve(self, y):
        """(accelerations, six per body; multipliers) at a state."""
        x, R, u = self.split(y)
        inverse, force = np.zeros((u.size, u.size)), np.zeros(u.size)
        for k, (mass, inertia) in enumerate(zip(self.masses, self.inertias)):
            I, w = R[k] @ inertia @ R[k].T, u[6 * k + 3:6 * k + 6]
            inverse[6 * k:6 * k + 3, 6 * k:6 * k + 3] = np.eye(3) / mass
            inverse[6 * k + 3:6 * k + 6, 6 * k + 3:6 * k + 6] = np.linalg.inv(I)
            force[6 * k:6 * k + 3], force[6 * k + 3:6 * k + 6] = mass * self.gravity, -cross(w, I @ w)
        free = inverse @ force
        if not self.rows:
            return free, np.zeros(0)
        _, G = self.jacobian(x, R)
        step = 1e-30
        moved = y.astype(complex)
        moved = (moved.reshape(-1, 13) + 1j * step * self.rates(y)).reshape(-1)
        x_c, R_c, _ = self.split(moved)
        bias = self.jacobian(x_c, R_c)[1].imag @ u / step
        # Redundant rows leave singular values at rounding; these are cut off.
        multipliers = np.linalg.lstsq(G @ inverse @ G.T, -bias - G @ free, rcond=1e-10)[0]
        return free + inverse @ G.T @ multipliers, multipliers

    def derivative(self, _, y):
        result = self.rates(y)
        result[:, 7:13] = self.solve(y)[0].reshape(-1, 6)
        return result.reshape(-1)

    def integrate(self, times, tolerance=1e-11):
        """States at the times [s], (times, bodies, 13)."""
        done = solve_ivp(self.derivative, (0, times[-1]), np.concatenate(self.states), method="DOP853", t_eval=times, rtol=tolerance,
                         atol=tolerance)
        if not done.success:
            raise RuntimeError(done.message)
        return done.y.T.reshape(len(times), -1, 13)

    def energy(self, state):
        """Kinetic and potential energy [J] of one state, (bodies, 13)."""
        total = 0.0
        for s, mass, inertia in zip(state, self.masses, self.inertias):
            w = rotation(s[3:7]).T @ s[10:13]
            total += 0.5 * mass * s[7:10] @ s[7:10] + 0.5 * w @ inertia @ w - mass * self.gravity @ s[:3]
        return total

    def violation(self, state):
        x, R, _ = self.split(state.reshape(-1))
        return np.abs(self.jacobian(x, R)[0]).max()

    def reaction(self, name, state):
        """(force, torque about frame A's origin) of a joint on its body A, world frame."""
        x, R, _ = self.split(state.reshape(-1))
        first, end, p_a = self.joints[name]
        multipliers = self.solve(state.reshape(-1))[1]
        force, torque = np.zeros(3), np.zeros(3)
        for k in range(first, end):
            _, ((body, by_v, by_w), _) = self.rows[k](x, R)
            centre = np.zeros(3) if body == GROUND else x[body]
            force += multipliers[k] * by_v
            torque += multipliers[k] * (by_w + cross(centre - p_a.place(x, R), by_v))
        return force, torque


def inertia_matrix(values):
    """3 x 3 from [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]."""
    matrix = np.diag(np.asarray(values[:3], float))
    if len(values) == 6:
        matrix[0, 1] = matrix[1, 0] = values[3]
        matrix[0, 2] = matrix[2, 0] = values[4]
        matrix[1, 2] = matrix[2, 1] = values[5]
    return matrix


def read(scene, only=None):
    """The mechanism of a scene file whose bodies have mass and inertia and no shape, all in plain numbers; only: names of bodies to take, with
    the joints among them and to the ground."""
    scene = tomllib.loads(Path(scene).read_text())
    mechanism = Mechanism(scene.get("domain", {}).get("gravity", [0, 0, -9.81]))
    for body in scene["body"]:
        if only and body["name"] not in only:
            continue
        q = body.get("orientation", [1, 0, 0, 0])
        if "rotation" in body:
            q = turned(body["rotation"]["axis"], body["rotation"]["angle"])
        mechanism.add_body(body["name"], body["mass"], inertia_matrix(body["inertia"]), body["position"], q,
                           body.get("velocity", [0, 0, 0]), body.get("angular_velocity", [0, 0, 0]))
    for joint in scene["joint"]:
        if not set(joint["between"]) <= {"ground", *mechanism.names}:
            continue
        keys = {key: joint[key] for key in ("point", "point_b", "axis", "axis_b", "length") if key in joint}
        mechanism.add_joint(joint["name"], joint["kind"], joint["between"], **keys)
    return mechanism
