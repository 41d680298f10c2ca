"""Arrays of bodies where the engine has them, without a copy."""

import collections.abc

import numpy

from . import _core


class RawArray(numpy.ndarray):
    """A read-only view of the engine's memory. Arithmetic on it gives plain arrays."""

    def __array_wrap__(self, array, context=None, return_scalar=True):
        return numpy.asarray(array)[()]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """For torch.from_dlpack and its like. Consumers of DLPack before 1.0 are not told that it is read-only: they must not write to it."""
        if copy or (dl_device is not None and tuple(dl_device) != (1, 0)):
            raise BufferError("this array is shown where it is")
        return _core.dlpack(self, max_version)


class DeviceArray:
    """An array in a GPU's memory, for CuPy, Numba (`__cuda_array_interface__`) and PyTorch (torch.from_dlpack). Read-only: consumers of
    DLPack before 1.0 are not told so, and must not write to it."""

    def __init__(self, field):
        self._field = field
        self.shape, self.strides, self.dtype, self.device = field.shape, field.strides, field.dtype, field.device

    @property
    def __cuda_array_interface__(self):
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self._field.pointer, True),
            "stream": None,  # the engine has finished its work
        }

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("this array is shown where it is")
        return self._field.dlpack(max_version)

    def __dlpack_device__(self):
        return (2, self.device)

    def __array__(self, dtype=None, copy=None):
        raise TypeError("this array lies in memory of a GPU: take it with CuPy or torch.from_dlpack, or look at sim.bodies, which copies")

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"<array of {self.shape} {self.dtype} on GPU {self.device}>"


class Raw(collections.abc.Mapping):
    """What Simulation.raw() gives: within its `with`, arrays by name, in the engine's order of bodies, which raw["id"] tells."""

    def __init__(self, core):
        self._core, self._open = core, None

    def __enter__(self):
        self._open = {field.name: field for field in self._core.raw_fields()}
        return self

    def __exit__(self, kind, error, trace):
        self._open = None

    @property
    def _fields(self):
        if self._open is None:
            raise BufferError("arrays of the engine are shown within the block of `with sim.raw() as raw:` alone")
        return self._open

    def __getitem__(self, name):
        fields = self._fields
        if name not in fields:
            raise KeyError(f"the engine has no array \"{name}\"; there are " + ", ".join(fields))
        field = fields[name]
        return DeviceArray(field) if field.device >= 0 else field.array().view(RawArray)

    def __iter__(self):
        return iter(self._fields)

    def __len__(self):
        return len(self._fields)

    def unit(self, name):
        return self._fields[name].unit

    def __repr__(self):
        return "<arrays of the engine: " + ("closed" if self._open is None else ", ".join(self._open)) + ">"
