"""How targets depend on unknowns, from few runs with scatter: a Gaussian process for each target, and what follows from all of them.

x: unknowns scaled to [0, 1], n x d. Of each target t with tolerance s the model has mean m(x) and variance v(x) of the mean response, the scatter of single
runs apart. Misfit is the sum of ((m - t) / s)^2. Sources: Rasmussen & Williams, Gaussian Processes for Machine Learning (2006); expected improvement of a
sum of squares of modelled outputs: Astudillo & Frazier, Bayesian optimization of composite functions (2019).
"""
import math
import warnings

import numpy as np

from samples import unit_points
from scree_run import Problem

CANDIDATES = 2048  # of the sequence, and as many near the best, among which the next point is chosen
SAMPLES = 64  # of the responses at each
POSTERIOR = 1 << 13  # points at which the probability of unknowns is worked out
ENOUGH = 800  # of these that have to carry weight
DRAWS = 32


def need_sklearn(what):
    try:
        from sklearn import gaussian_process
        return gaussian_process
    except ImportError:
        raise Problem(f"{what} needs scikit-learn, which this Python lacks: install the Debian package python3-sklearn") from None


class Response:
    """A Gaussian process over points x (n x d) and values y (n), of which several may be of one point."""

    def __init__(self, x, y, seed, kernel=None):
        gp = need_sklearn("method = \"bayesian\"")
        kernels = gp.kernels
        self._shift, spread = float(np.mean(y)), float(np.std(y))
        self._scale = spread if spread > 0 else 1.0
        fixed = kernel is not None
        if not fixed:
            # A plane, what departs from it smoothly, and scatter.
            kernel = (kernels.ConstantKernel(1.0, (1e-3, 1e2)) * kernels.Matern([0.5] * x.shape[1], (0.1, 5.0), nu=2.5)
                      + kernels.ConstantKernel(1.0, (1e-3, 1e2)) * kernels.DotProduct(1.0, "fixed") + kernels.WhiteKernel(1e-2, (1e-6, 1.0)))
        self._gp = gp.GaussianProcessRegressor(kernel, alpha=1e-9, optimizer=None if fixed else "fmin_l_bfgs_b", n_restarts_optimizer=0 if fixed else 2, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scales at their bounds: few points, or a response that does not depend on an unknown
            self._gp.fit(x, (np.asarray(y) - self._shift) / self._scale)
        self.kernel = self._gp.kernel_
        self._noise = self._gp.kernel_.k2.noise_level

    def at(self, x):
        """Mean and variance of the mean response at points."""
        mean, deviation = self._gp.predict(np.atleast_2d(x), return_std=True)
        return mean * self._scale + self._shift, np.maximum(deviation**2 - self._noise, 1e-12) * self._scale**2

    def scatter(self):
        """Standard deviation of a single run about the mean response."""
        return math.sqrt(self._noise) * self._scale


class Model:
    """Responses of all targets. `data` has for each target (x, y); `wanted` and `tolerance` are theirs."""

    def __init__(self, data, wanted, tolerance, seed, kernels=None):
        self.data, self.wanted, self.tolerance, self.seed = data, np.array(wanted), np.array(tolerance), seed
        self.dimensions = data[0][0].shape[1]
        self.responses = [Response(x, y, seed, kernels and kernels[k]) for k, (x, y) in enumerate(data)]

    def at(self, x):
        """Means and variances of the targets at points, each targets x n."""
        found = [one.at(x) for one in self.responses]
        return np.array([mean for mean, _ in found]), np.array([variance for _, variance in found])

    def misfit(self, x):
        mean, _ = self.at(x)
        return (((mean - self.wanted[:, None]) / self.tolerance[:, None]) ** 2).sum(axis=0)

    def log_likelihood(self, x):
        """Of the measured values, up to a constant, with what the model does not know of the response."""
        mean, variance = self.at(x)
        total = self.tolerance[:, None] ** 2 + variance
        return -0.5 * ((mean - self.wanted[:, None]) ** 2 / total + np.log(total / self.tolerance[:, None] ** 2)).sum(axis=0)

    def believing(self, x):
        """The model as if runs at x had given what it foretells: for choosing several points at once."""
        mean, _ = self.at(x)
        data = [(np.vstack([a, x]), np.append(y, mean[k])) for k, (a, y) in enumerate(self.data)]
        return Model(data, self.wanted, self.tolerance, self.seed, [one.kernel for one in self.responses])

    def next_point(self, known, failed, draw):
        """Where the misfit is expected to fall most below the least of the `known` points; not close to points that `failed`. `draw` numbers the choice."""
        random = np.random.default_rng((self.seed, draw))
        everywhere = unit_points("sobol", self.dimensions, CANDIDATES, self.seed + 1000 + draw)
        best = known[np.argmin(self.misfit(known))]
        spread = random.choice([0.01, 0.03, 0.1], (CANDIDATES, 1))
        candidates = np.vstack([everywhere, np.clip(best + spread * random.standard_normal((CANDIDATES, self.dimensions)), 0, 1)])
        mean, variance = self.at(candidates)
        base = random.standard_normal((SAMPLES // 2, len(self.wanted)))
        base = np.vstack([base, -base])
        least = self.misfit(known).min()
        misfit = sum(((mean[k] + base[:, k, None] * np.sqrt(variance[k]) - self.wanted[k]) / self.tolerance[k]) ** 2 for k in range(len(self.wanted)))
        gain = np.maximum(least - misfit, 0).mean(axis=0)
        for one in failed:
            gain[np.linalg.norm(candidates - one, axis=1) < 0.05 * math.sqrt(self.dimensions)] = -1
        if gain.max() <= 0:  # nothing better is in sight: where the least is known
            return candidates[np.argmax((variance / self.tolerance[:, None] ** 2).sum(axis=0) * (gain >= 0))]
        return candidates[np.argmax(gain)]

    def best(self):
        """The likeliest point."""
        from scipy import optimize
        points = np.vstack([unit_points("sobol", self.dimensions, 4096, self.seed + 1), *(x for x, _ in self.data[:1])])
        at = points[np.argsort(-self.log_likelihood(points), kind="stable")[:3]]
        found = [optimize.minimize(lambda x: -self.log_likelihood(np.clip(x, 0, 1)[None])[0], start, method="Nelder-Mead", bounds=[(0, 1)] * self.dimensions,
                                   options={"xatol": 1e-5, "fatol": 1e-7, "maxiter": 400}) for start in at]
        return np.clip(min(found, key=lambda one: one.fun).x, 0, 1)

    def posterior(self):
        """Points and weights (sum 1) of the probability of the unknowns, alike all over their bounds before anything was measured."""
        low, high = np.zeros(self.dimensions), np.ones(self.dimensions)
        for attempt in range(8):
            points = low + unit_points("sobol", self.dimensions, POSTERIOR, self.seed + 2) * (high - low)
            weights = self.log_likelihood(points)
            weights = np.exp(weights - weights.max())
            weights /= weights.sum()
            if 1 / (weights**2).sum() > ENOUGH:
                break
            # Most of them are in vain: a closer box, of all that has weight and as much again.
            middle = weights @ points
            deviation = np.sqrt(weights @ (points - middle) ** 2) + 0.02 * (high - low)
            low, high = np.maximum(low, middle - 5 * deviation), np.minimum(high, middle + 5 * deviation)
        return points, weights


def quantiles(values, weights, shares):
    order = np.argsort(values, kind="stable")
    held = np.cumsum(weights[order]) - 0.5 * weights[order]
    return np.interp(shares, held, values[order])
