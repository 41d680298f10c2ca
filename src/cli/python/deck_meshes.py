"""STL files of decks: read, moved as a deck moves them, and written."""
import math
import struct


def read_stl(command, path, model):
    """Triangles of an STL file, text or binary, as the file has them."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        model.fail(command, f"{path}: cannot read it: {problem.strerror}")
    if len(data) >= 84:
        (count,) = struct.unpack_from("<I", data, 80)
        if len(data) == 84 + 50 * count:
            return [[struct.unpack_from("<3f", data, 84 + 50 * k + 12 * (c + 1)) for c in range(3)] for k in range(count)]
    points = []
    for number, line in enumerate(data.decode("ascii", errors="replace").splitlines(), 1):
        words = line.split()
        if words[:1] == ["vertex"]:
            try:
                points.append(tuple(float(word) for word in words[1:4]))
            except ValueError:
                model.fail(command, f"{path}:{number}: a vertex is no three numbers")
    if not points or len(points) % 3:
        model.fail(command, f"{path}: this is no whole STL file")
    return [points[k:k + 3] for k in range(0, len(points), 3)]


def turned(point, axis, angle):
    """A point about an axis through the origin."""
    length = math.sqrt(sum(x * x for x in axis))
    n = [x / length for x in axis]
    along = sum(a * b for a, b in zip(n, point))
    across = (n[1] * point[2] - n[2] * point[1], n[2] * point[0] - n[0] * point[2], n[0] * point[1] - n[1] * point[0])
    c, s = math.cos(angle), math.sin(angle)
    return tuple(c * p + s * q + (1 - c) * along * a for p, q, a in zip(point, across, n))


def placed(command, mesh, model):
    """Triangles of a mesh where the deck has it, in metres."""
    triangles = [[tuple(model.length * x for x in point) for point in triangle] for triangle in read_stl(command, mesh["file"], model)]
    for change in mesh["matrix"]:
        if change[0] == "scale":
            triangles = [[tuple(change[1] * x for x in point) for point in triangle] for triangle in triangles]
        elif change[0] == "move":
            triangles = [[tuple(x + d for x, d in zip(point, change[1])) for point in triangle] for triangle in triangles]
        else:
            if not any(change[1]):
                model.fail(command, "the axis of rotate must not be 0 0 0")
            triangles = [[turned(point, change[1], change[2]) for point in triangle] for triangle in triangles]
    return triangles


def scale_and_offset(mesh, model):
    """(scale, offset) that place a mesh; None where it is turned, too."""
    scale, offset = model.length, [0.0, 0.0, 0.0]
    for change in mesh["matrix"]:
        if change[0] == "rotate":
            return None
        if change[0] == "scale":
            scale, offset = scale * change[1], [change[1] * x for x in offset]
        else:
            offset = [x + d for x, d in zip(offset, change[1])]
    return scale, offset


def stl_bytes(triangles):
    """A binary STL file."""
    out = bytearray(b"placed as in the deck".ljust(80) + struct.pack("<I", len(triangles)))
    for a, b, c in triangles:
        u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        length = math.sqrt(sum(x * x for x in n)) or 1.0
        out += struct.pack("<12fH", *(x / length for x in n), *a, *b, *c, 0)
    return bytes(out)


def bounds(command, mesh, model):
    """Corners of the box of a mesh as it is placed, in metres."""
    points = [point for triangle in placed(command, mesh, model) for point in triangle]
    return [min(p[a] for p in points) for a in range(3)], [max(p[a] for p in points) for a in range(3)]
