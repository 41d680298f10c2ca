"""The bonds of a body at rest as a lattice of springs: its stiffness matrix put together bond by bond, and the static solution for plates that are brought nearer to each other.

Bonds are straight elements of small turns. With d = u_B - u_A - L (w_A + w_B) / 2 x n the two centres' displacement at the middle and w = w_B - w_A the turn between them, a bond holds
k_a/2 (d.n)^2 + k_s/2 |d - (d.n) n|^2 + k_t/2 (w.n)^2 + k_b/2 |w - (w.n) n|^2, with the stiffnesses of Potyondy & Cundall (2004): E A / L, E A / (kappa L), E J / (kappa L), E I / L.
"""
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve
from scipy.spatial import cKDTree


def touching(position, radius, gap):
    """Pairs of spheres whose surfaces are no farther apart than `gap`."""
    pairs = cKDTree(position).query_pairs(2 * radius.max() + gap, output_type="ndarray")
    a, b = pairs.T
    return pairs[np.linalg.norm(position[b] - position[a], axis=1) <= radius[a] + radius[b] + gap]


def cross(n):
    """Matrices of v -> n x v."""
    zero = np.zeros(len(n))
    return np.array([[zero, -n[:, 2], n[:, 1]], [n[:, 2], zero, -n[:, 0]], [-n[:, 1], n[:, 0], zero]]).transpose(2, 0, 1)


def element(n, length, section, young, kappa):
    """12 x 12 stiffness matrices of bonds of these directions, for u and w of A, then of B."""
    area, second = np.pi * section**2, np.pi * section**4 / 4
    k_a, k_s = young * area / length, young * area / (kappa * length)
    k_b, k_t = young * second / length, young * 2 * second / (kappa * length)
    along = n[:, :, None] * n[:, None, :]
    one = np.broadcast_to(np.eye(3), along.shape)
    arm = 0.5 * length[:, None, None] * cross(n)  # -(w x n) L / 2 = (n x w) L / 2
    shift = np.concatenate([-one, arm, one, arm], axis=2)
    turn = np.concatenate([0 * one, -one, 0 * one, one], axis=2)
    stretch = k_a[:, None, None] * along + k_s[:, None, None] * (one - along)
    twist = k_t[:, None, None] * along + k_b[:, None, None] * (one - along)
    return shift.transpose(0, 2, 1) @ stretch @ shift + turn.transpose(0, 2, 1) @ twist @ turn


def pressed(position, radius, gap, plates, young, kappa):
    """Force on the lower plate and displacements of spheres, where the upper of two plates z = `plates` that hold what is within `gap` of them comes down by 1 (no strength, small turns)."""
    count = len(position)
    pairs = touching(position, radius, gap)
    ends, starts, arms = [pairs[:, 1]], [pairs[:, 0]], [position[pairs[:, 1]] - position[pairs[:, 0]]]
    sections = [np.minimum(radius[pairs[:, 0]], radius[pairs[:, 1]])]
    for k, z in enumerate(plates):  # the plates are nodes after the spheres
        near = np.flatnonzero(np.abs(position[:, 2] - z) - radius <= gap)
        starts.append(near)
        ends.append(np.full(len(near), count + k))
        arms.append(np.stack([0 * position[near, 0], 0 * position[near, 0], z - position[near, 2]], axis=1))
        sections.append(radius[near])
    a, b, arm, section = np.concatenate(starts), np.concatenate(ends), np.concatenate(arms), np.concatenate(sections)
    length = np.linalg.norm(arm, axis=1)
    K = element(arm / length[:, None], length, section, young, kappa)
    # A plate goes without turning, so that it does not matter where on it a bond ends.
    where = np.concatenate([6 * a[:, None] + np.arange(6), 6 * b[:, None] + np.arange(6)], axis=1)
    rows, columns = np.repeat(where, 12, axis=1).ravel(), np.tile(where, (1, 12)).ravel()
    K = coo_matrix((K.ravel(), (rows, columns)), shape=(6 * count + 12, 6 * count + 12)).tocsc()
    free, held = np.arange(6 * count), np.arange(6 * count, 6 * count + 12)
    moved = np.zeros(12)
    moved[8] = -1.0
    x = spsolve(K[free][:, free], -K[free][:, held] @ moved)
    force = K[held][:, free] @ x + K[held][:, held] @ moved
    return len(a), -force[8], x.reshape(count, 6)
