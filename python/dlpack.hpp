// The structures of DLPack 1.0, by which libraries hand arrays to each other, as its specification has them
// (https://dmlc.github.io/dlpack/latest/c_api.html): plain C, of a layout that never changes within a major version.
#pragma once

#include <cstdint>

namespace dlpack {

enum DeviceType : std::int32_t { kCpu = 1, kCuda = 2 };
enum TypeCode : std::uint8_t { kInt = 0, kUInt = 1, kFloat = 2 };

struct Device {
    std::int32_t type;  // DeviceType
    std::int32_t number;
};

struct DataType {
    std::uint8_t code;  // TypeCode
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct Tensor {
    void* data;
    Device device;
    std::int32_t dimensions;
    DataType type;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements
    std::uint64_t byte_offset;
};

/// In a capsule called "dltensor": of all versions before 1.0.
struct ManagedTensor {
    Tensor tensor;
    void* context;
    void (*deleter)(ManagedTensor*);
};

struct Version {
    std::uint32_t major, minor;
};

inline constexpr std::uint64_t kReadOnly = 1;

/// In a capsule called "dltensor_versioned".
struct ManagedTensorVersioned {
    Version version;
    void* context;
    void (*deleter)(ManagedTensorVersioned*);
    std::uint64_t flags;
    Tensor tensor;
};

}  // namespace dlpack
