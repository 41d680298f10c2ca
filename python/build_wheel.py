"""Builds the wheel of the package scree: configures and builds with CMake, and packs the package, the library, the engine's modules for the
CPU and what the library links with into one file. A backend of PEP 517 with the standard library alone.

The wheel is for this Python and for systems that have the Debian libraries that the build found: it holds none of those. Settings, as
`pip install . -C NAME=VALUE` gives them:
  build-dir   where it is built (default: build/wheel; kept, so that a second time is quick)
  arch        the processor that it is for, as -march has it (default, where this is an x86-64: x86-64-v2)
  levels      further levels of x86-64 with modules of their own, of which the best is chosen as it is loaded (default: v3;v4 with the arch above)
  jobs        compilers at a time (default: one per processor)
  prebuilt    a folder whose bin/ and python/ a build has made already, for this processor: they are packed as they are
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["scree_python", "scree_library", "scree_host_modules"]
FLAVORS = ("host_double", "host_mixed")


def version():
    return re.search(r"^project\(scree VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def metadata():
    return (
        f"Metadata-Version: 2.1\nName: scree\nVersion: {version()}\n"
        "Summary: Simulates granular matter: grains and mechanisms in contact\nLicense: BSD-3-Clause\n"
        "Requires-Python: >=3.11\nRequires-Dist: numpy\n"
    )


def tag():
    """As cp311-cp311-linux_x86_64: the module uses the whole interface of this Python."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def wheel_head():
    return f"Wheel-Version: 1.0\nGenerator: scree build_wheel\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def options_for(settings):
    """What CMake is told."""
    portable = platform.machine() == "x86_64" and "arch" not in settings
    return {
        "CMAKE_BUILD_TYPE": "Release",
        "SCREE_HOST_ARCH": settings.get("arch", "x86-64-v2" if portable else ""),
        "SCREE_HOST_LEVELS": settings.get("levels", "v3;v4" if portable else ""),
        "SCREE_CUDA": "OFF",
        "SCREE_TESTS": "OFF",
        "SCREE_BENCH": "OFF",
        "SCREE_PYTHON": "ON",
        "Python_EXECUTABLE": sys.executable,
    }


def build(settings):
    """Builds, and returns the build folder."""
    folder = pathlib.Path(settings.get("build-dir", ROOT / "build" / "wheel")).resolve()
    jobs = str(settings.get("jobs", os.cpu_count() or 1))
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), *generator, *(f"-D{k}={v}" for k, v in options_for(settings).items())]
    subprocess.run([*configure, "-Wno-dev", "--log-level=WARNING"], check=True)
    made = subprocess.run(["cmake", "--build", str(folder), "--parallel", jobs, "--target", *TARGETS])
    if made.returncode != 0:
        raise SystemExit("scree's wheel cannot be built: see above. It takes pybind11-dev, python3-dev and what tools/install_packages --run installs")
    return folder


def modules_of(folder):
    """Names of the host's modules that a build makes, one for each flavor and level."""
    cache = (folder / "CMakeCache.txt").read_text() if (folder / "CMakeCache.txt").exists() else ""
    levels = re.search(r"^SCREE_HOST_LEVELS:[A-Z]+=(.*)$", cache, re.M)
    suffixes = ["", *(f"_{level}" for level in levels[1].split(";") if level)] if levels else [""]
    return [f"libscree_{flavor}{suffix}" for suffix in suffixes for flavor in FLAVORS]


def contents(folder):
    """Pairs of a name in the wheel and a file."""
    bin_folder, package = folder / "bin", folder / "python" / "scree"
    module = next(package.glob("_core.*.so"))
    files = [(f"scree/{f.name}", f) for f in sorted((ROOT / "python" / "scree").iterdir()) if f.suffix in (".py", ".pyi") or f.name == "py.typed"]
    files.append((f"scree/{module.name}", module))
    soname = next(bin_folder.glob("libscree.so.?")).name
    files.append((f"scree/{soname}", (bin_folder / soname).resolve()))
    files += [(f"scree/{module}.so", bin_folder / f"{module}.so") for module in modules_of(folder)]
    files += [(f"scree/{name}", ROOT / name) for name in ("LICENSE", "NOTICE")]
    return files


def for_wheel(name, file):
    """The bytes of a file as the wheel has them: modules without symbols of debuggers, and finding the library beside them."""
    if not re.search(r"\.so(\.\d)?$", name):
        return file.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "stripped"
        subprocess.run(["strip", "--strip-unneeded", "-o", str(copy), str(file)], check=True)
        return copy.read_bytes()


def files_of_info():
    """What the folder of metadata holds, but RECORD."""
    return {"METADATA": metadata(), "WHEEL": wheel_head()}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"scree-{version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    for file, text in files_of_info().items():
        (folder / file).write_text(text)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    folder = pathlib.Path(settings["prebuilt"]) if "prebuilt" in settings else build(settings)
    name = f"scree-{version()}-{tag()}.whl"
    info = f"scree-{version()}.dist-info"
    files = [(n, for_wheel(n, f)) for n, f in contents(folder)]
    files += [(f"{info}/{file}", text.encode()) for file, text in files_of_info().items()]
    record = "".join(
        f"{n},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for n, data in files
    )
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode()))
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for n, data in files:
            entry = zipfile.ZipInfo(n)  # of a fixed date: the same files make the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in n else 0o644) << 16
            wheel.writestr(entry, data, compresslevel=9)
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build")
    target.mkdir(parents=True, exist_ok=True)
    print(target / build_wheel(target, dict(word.split("=", 1) for word in sys.argv[2:])))
