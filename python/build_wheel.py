"""Builds the wheel of the package scree: configures and builds with CMake, and packs the package, the library, the engine's modules for the
CPU and what the library links with into one file. A backend of PEP 517 with the standard library alone.

A second wheel, scree-cuda, has the engine's modules for GPUs: they lie beside those of the first, of the same sources, once both are installed.
    python3 python/build_wheel.py FOLDER [NAME=VALUE ...]         the wheel scree
    python3 python/build_wheel.py --cuda FOLDER [NAME=VALUE ...]  the wheel scree-cuda; needs nvcc

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
CUDA_TARGETS = ["scree_cuda_double_module", "scree_cuda_mixed_module"]
FLAVORS = ("host_double", "host_mixed")
CUDA_FLAVORS = ("cuda_double", "cuda_mixed")


def version():
    return re.search(r"^project\(scree VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def metadata(name="scree"):
    about, needs = "Simulates granular matter: grains and mechanisms in contact", "numpy"
    if name != "scree":
        about, needs = "The engine of scree for NVIDIA GPUs", f"scree (=={version()})"
    return (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version()}\nSummary: {about}\nLicense: BSD-3-Clause\n"
        f"Requires-Python: >=3.11\nRequires-Dist: {needs}\n"
    )


def tag(name="scree"):
    """As cp311-cp311-linux_x86_64: the module uses the whole interface of this Python; those for GPUs do not know of Python."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    abi = f"{python}-{python}" if name == "scree" else "py3-none"
    return f"{abi}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def wheel_head(name="scree"):
    return f"Wheel-Version: 1.0\nGenerator: scree build_wheel\nRoot-Is-Purelib: false\nTag: {tag(name)}\n"


def options_for(settings, cuda=False):
    """What CMake is told."""
    portable = platform.machine() == "x86_64" and "arch" not in settings
    return {
        "CMAKE_BUILD_TYPE": "Release",
        "SCREE_HOST_ARCH": settings.get("arch", "x86-64-v2" if portable else ""),
        "SCREE_HOST_LEVELS": settings.get("levels", "v3;v4" if portable else ""),
        "SCREE_CUDA": "ON" if cuda else "OFF",
        "SCREE_TESTS": "OFF",
        "SCREE_BENCH": "OFF",
        "SCREE_PYTHON": "ON",
        "Python_EXECUTABLE": sys.executable,
    }


def build(settings, cuda=False):
    """Builds, and returns the build folder."""
    folder = pathlib.Path(settings.get("build-dir", ROOT / "build" / ("wheel_cuda" if cuda else "wheel"))).resolve()
    jobs = str(settings.get("jobs", os.cpu_count() or 1))
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), *generator, *(f"-D{k}={v}" for k, v in options_for(settings, cuda).items())]
    subprocess.run([*configure, "-Wno-dev", "--log-level=WARNING"], check=True)
    made = subprocess.run(["cmake", "--build", str(folder), "--parallel", jobs, "--target", *(CUDA_TARGETS if cuda else TARGETS)])
    if made.returncode != 0:
        takes = "nvcc (CUDA 12 or newer)" if cuda else "pybind11-dev, python3-dev"
        raise SystemExit(f"scree's wheel cannot be built: see above. It takes {takes} and what tools/install_packages --run installs")
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


def cuda_contents(folder):
    """The same of the wheel for GPUs."""
    modules = [folder / "bin" / f"libscree_{flavor}.so" for flavor in CUDA_FLAVORS]
    missing = [str(m) for m in modules if not m.exists()]
    if missing:
        raise SystemExit("scree's wheel for GPUs cannot be packed: there is no " + " and no ".join(missing) + ". It takes nvcc (CUDA 12 or newer)")
    return [(f"scree/{m.name}", m) for m in modules]


def for_wheel(name, file):
    """The bytes of a file as the wheel has them: modules without symbols of debuggers, and finding the library beside them."""
    if not re.search(r"\.so(\.\d)?$", name):
        return file.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "stripped"
        subprocess.run(["strip", "--strip-unneeded", "-o", str(copy), str(file)], check=True)
        return copy.read_bytes()


def files_of_info(name="scree"):
    """What the folder of metadata holds, but RECORD."""
    return {"METADATA": metadata(name), "WHEEL": wheel_head(name)}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"scree-{version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    for file, text in files_of_info().items():
        (folder / file).write_text(text)
    return name


def pack(wheel_directory, name, files):
    """Writes a wheel of these pairs, and returns its name."""
    wheel_name = f"{name.replace('-', '_')}-{version()}"
    info = f"{wheel_name}.dist-info"
    data_of = [(n, for_wheel(n, f)) for n, f in files]
    data_of += [(f"{info}/{file}", text.encode()) for file, text in files_of_info(name).items()]
    record = "".join(
        f"{n},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for n, data in data_of
    )
    data_of.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode()))
    file_name = f"{wheel_name}-{tag(name)}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / file_name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for n, data in data_of:
            entry = zipfile.ZipInfo(n)  # of a fixed date: the same files make the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in n else 0o644) << 16
            wheel.writestr(entry, data, compresslevel=9)
    return file_name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    folder = pathlib.Path(settings["prebuilt"]) if "prebuilt" in settings else build(settings)
    return pack(wheel_directory, "scree", contents(folder))


def build_cuda_wheel(wheel_directory, config_settings=None):
    settings = config_settings or {}
    folder = pathlib.Path(settings["prebuilt"]) if "prebuilt" in settings else build(settings, cuda=True)
    return pack(wheel_directory, "scree-cuda", cuda_contents(folder))


def get_requires_for_build_wheel(config_settings=None):
    return []


if __name__ == "__main__":
    words = sys.argv[1:]
    make = build_cuda_wheel if words[:1] == ["--cuda"] else build_wheel
    words = words[1:] if make is build_cuda_wheel else words
    target = pathlib.Path(words[0] if words else ROOT / "build")
    target.mkdir(parents=True, exist_ok=True)
    print(target / make(target, dict(word.split("=", 1) for word in words[1:])))
