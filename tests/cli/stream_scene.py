"""What tests of streams of bodies share: a floor onto which they come, tables that bring them, and what is refused."""

from program import BALANCES, ProgramTest

HEAD = """[time]
end = {end}
step = {step}
[domain]
{domain}
[method]
{method}
[material.m]
density = 1200
young = "5 MPa"
poisson = 0.3
restitution = 0.4
friction = 0.35
{values}
[shape.ball]
kind = "sphere"
distribution = {{ kind = "uniform", min = "2.5 mm", max = "3.5 mm" }}
[shape.cube]
kind = "box"
edges = [0.006, 0.005, 0.004]
[shape.rod]
kind = "clump"
spheres = [[-0.002, 0, 0, 0.003], [0.002, 0, 0, 0.002]]
{inserts}
[[wall]]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
{more}
[[measure]]
kind = "count"
every = {every}
""" + BALANCES
INSERT = """[[insert]]
name = "{name}"
shape = "{shape}"
material = "m"
region = {{ box = [[{x}, -0.03, 0.06], [{x} + W, 0.03, 0.09]] }}
{how}
velocity = [0, 0, -0.4]
"""


def insert(name="feed", shape="ball", x=-0.03, width=0.06, how="rate = 500\nto = 0.08"):
    return INSERT.format(name=name, shape=shape, x=x, how=how).replace(f"{x} + W", f"{x + width:.6g}")


class StreamTest(ProgramTest):
    def write(self, inserts=None, end=0.1, step='"auto"', domain="", method="overlap_warning = 0.3", values="", more="", every=None):
        text = HEAD.format(end=end, step=step, domain=domain, method=method, values=values, more=more, every=every or end / 10,
                           inserts=insert() if inserts is None else inserts)
        (self.folder / "scene.toml").write_text(text)

    def series(self, run=("-q",), **scene):
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", *run)
        return self.read_series("run")

    def refused(self, wanted, **scene):
        with self.subTest(wanted=wanted):
            self.write(**scene)
            err = self.scree("check", "scene.toml", code=2)[1]
            self.assertRegex(err, r"scene.toml:\d+:\d+: ")
            self.assertIn(wanted, err)
