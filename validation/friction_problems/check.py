"""Published friction problems (Siconos, FCLIB), convex and Coulomb: residuals, objectives and sums of impulses; all methods compared.

The files are read, and residual and conditions computed, by code of this folder from the impulses that scree writes.
"""
import csv
import json
import subprocess
from pathlib import Path

import numpy as np
from harness import TIMEOUT, CaseError, Row, largest, relative

ITERATIVE = ["apgd", "barzilai_borwein", "gauss_seidel", "jacobi"]
ITERATIONS = 5000  # of the iterative methods in the table
ASYMMETRIC = ("Capsules", "OneObject")
SHOWN = ["*: objective", "*: sum of normal impulses"]


class Problem:
    """u = M r + q of a text file, dense; three components per contact, whatever the file's dimension."""

    def __init__(self, path):
        words = iter(path.read_text().split())
        take = lambda count, kind=float: [kind(next(words)) for _ in range(count)]
        dim, self.nc, storage, rows, _ = take(5, int)
        if storage == 0:
            take(2, int)
            matrix = np.array(take(rows * rows)).reshape(rows, rows).T
        else:
            matrix = np.zeros((rows, rows))
            take(3, int)
            take(2 * self.nc, int)
            pointers, indices = take(2, int)
            begin, column = take(pointers, int), take(indices, int)
            for i in range(pointers - 1):
                for e in range(begin[i], begin[i + 1]):
                    take(1, int)
                    matrix[dim * i:dim * (i + 1), dim * column[e]:dim * (column[e] + 1)] = np.array(take(dim * dim)).reshape(dim, dim).T
        kept = np.concatenate([3 * k + np.arange(dim) for k in range(self.nc)])
        self.matrix, self.q = np.zeros((3 * self.nc, 3 * self.nc)), np.zeros(3 * self.nc)
        self.matrix[np.ix_(kept, kept)] = matrix
        self.q[kept] = take(rows)
        self.mu = np.array(take(self.nc))

    def velocity(self, r, law):
        """(u, w): w = u + mu |u_t| on normals under Coulomb's law."""
        u = (self.matrix @ r + self.q).reshape(-1, 3)
        w = u.copy()
        if law == "coulomb":
            w[:, 0] += self.mu * np.hypot(u[:, 1], u[:, 2])
        return u, w

    def residual(self, r, law):
        """|P_K(r - w) - r| / |q|."""
        x = r.reshape(-1, 3)
        z = x - self.velocity(r, law)[1]
        t = np.hypot(z[:, 1], z[:, 2])
        normal = (z[:, 0] + self.mu * t) / (1 + self.mu**2)
        edge = np.column_stack([normal, *(self.mu * normal * z[:, 1:].T / np.where(t > 0, t, 1))])
        inside, polar = t <= self.mu * z[:, 0], self.mu * t <= -z[:, 0]
        projected = np.where(inside[:, None], z, np.where(polar[:, None], 0, edge))
        return np.linalg.norm(projected - x) / np.linalg.norm(self.q)

    def breach(self, r, law):
        """Largest breach of r in K and of r . w = 0 over the largest impulse and power, of w in K* over the largest velocity without impulses."""
        x, w = r.reshape(-1, 3), self.velocity(r, law)[1]
        force, speed = abs(x).max() or 1.0, abs(self.q).max()
        return max((np.hypot(x[:, 1], x[:, 2]) - self.mu * x[:, 0]).max() / force,
                   (self.mu * np.hypot(w[:, 1], w[:, 2]) - w[:, 0]).max() / speed, abs((x * w).sum(axis=1)).max() / (force * speed))

    def objective(self, r):
        return 0.5 * r @ self.matrix @ r + self.q @ r


def solve(runner, path, law, method="auto", iterations=None):
    """(report, impulses, velocities) of scree cone; velocities as it wrote them."""
    table = runner.out / f"{path.stem}-{law}-{method}.csv"
    command = [runner.program, "cone", path, "--law", law, "--method", method, "--device", runner.device, "--precision", runner.precision,
               "-o", table]
    if iterations:
        command += ["--iterations", iterations]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode not in (0, 1):
        raise CaseError(f"scree cone {path.name} ended with exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    column = lambda letter: np.array([float(row[f"{letter}_{name}"]) for row in rows for name in ("normal", "tangent1", "tangent2")])
    return json.loads(done.stdout), column("r"), column("u")


def known_values(name, law, report):
    """Rows for values published with the problems; the tower is statically indeterminate, so only its objective is one number."""
    rows = []
    if name == "FC3D_Example1" and law == "ccp":
        rows += [relative(f"{name} {law}: objective", -2.57295376, report["objective"], 1e-8),
                 relative(f"{name} {law}: sum of normal impulses", 3.9095874, report["sums"]["normal"], 2e-8)]
    if name == "FC3D_Example1" and law == "coulomb":
        rows += [relative(f"{name} {law}: sum of normal impulses", 3.0, report["sums"]["normal"], 1e-8)]
    if name.startswith("KaplasTower"):
        expected = 13.640783 if law == "ccp" else 13.640756
        rows += [relative(f"{name} {law}: sum of normal impulses", expected, report["sums"]["normal"], 1e-4)]
        if law == "ccp":
            rows += [relative(f"{name} {law}: objective", -11.79948899, report["objective"], 1e-9)]
    return rows


def check_problem(runner, path, law):
    problem = Problem(path)
    report, r, u = solve(runner, path, law)
    name = path.name.split(".")[0]
    bar = 1e-6 if name.startswith(ASYMMETRIC) else 1e-8
    # Where impulses are large the velocity loses their digits: Confeti's are 1e5 at velocities of a few m/s.
    scale = max(1.0, abs(problem.objective(r)))
    rows = [largest(f"{name} {law}: residual", problem.residual(r, law), bar, "of |q|"),
            largest(f"{name} {law}: conditions", problem.breach(r, law), 1e-8, "relative"),
            Row(f"{name} {law}: objective as printed", problem.objective(r), report["objective"],
                abs(problem.objective(r) - report["objective"]) / scale, 1e-11, "relative"),
            largest(f"{name} {law}: velocities as written", abs(u - problem.velocity(r, law)[0].ravel()).max() / abs(problem.q).max(), 1e-9,
                    "of the largest of q")]
    return rows + known_values(name, law, report), report


def entry(report):
    text = f"{report['iterations']}, {report['cpu_seconds']:.2g} s"
    return text if report["converged"] else f"({text}: {report['residual']:.1g})"


def check(runner):
    files = sorted((runner.folder / "data").glob("*.dat"))
    rows, lines = [], []
    for path in files:
        for law in ("ccp", "coulomb"):
            found, report = check_problem(runner, path, law)
            rows += found
            others = [entry(solve(runner, path, law, method, ITERATIONS)[0]) for method in ITERATIVE]
            lines.append([path.name.split(".")[0], str(report["nc"]), law, f"{report['residual']:.1e}", entry(report), *others])
    runner.table(f"Iterations and seconds of processor time to a residual of 1e-8. Iterations are factorisations (interior_point), applications of M "
                 f"(apgd, barzilai_borwein, jacobi) or sweeps (gauss_seidel), at most {ITERATIONS:,}; in brackets: not reached, and the residual "
                 "at the end. The column \"residual\" is that of interior_point.",
                 ["problem", "contacts", "law", "residual", "interior_point", *ITERATIVE], lines)
    return rows
