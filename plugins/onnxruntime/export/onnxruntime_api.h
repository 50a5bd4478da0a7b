// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of ONNX Runtime's C interface that this backend uses. It is declared here because the engine's packages
/// bring the library without its headers. The interface is a table of function pointers that grows only at its end. A
/// slot number identifies a function; the version says which slots exist. bind() takes every function by its slot, and
/// self_test.h runs a model through them before anything is measured.
///
/// Functions return null, or a Status that the caller releases. A string that the engine allocates is given back to the
/// allocator that made it.
namespace apertune::ort {

// Opaque objects of the engine.
struct Status;
struct Env;
struct Options; ///< session options
struct EngineSession;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct Allocator;
struct TypeInfo;
struct TensorInfo; ///< belongs to its TypeInfo; the caller releases it when it comes from a Value
struct Binding;
struct KeyValues;
struct CudaOptions;
struct TensorRtOptions;

/// The Status codes that this backend distinguishes.
enum Code : int {
    kNoSuchFile = 3,
    kRuntimeException = 6,
    kInvalidProtobuf = 7,
    kNotImplemented = 9,
    kInvalidGraph = 10
};

enum GraphLevel : int { kDisabled = 0, kBasic = 1, kExtended = 2, kAll = 99 };
enum ExecutionMode : int { kSequential = 0, kParallel = 1 };
enum LogLevel : int { kLogError = 3 };
enum AllocatorType : int { kArenaAllocator = 1 };
enum MemoryType : int { kDefaultMemory = 0 };

/// Types of tensor elements.
enum ElementType : int {
    kFloat = 1,
    kUint8 = 2,
    kInt8 = 3,
    kUint16 = 4,
    kInt16 = 5,
    kInt32 = 6,
    kInt64 = 7,
    kBool = 9,
    kFloat16 = 10,
    kDouble = 11,
    kUint32 = 12,
    kUint64 = 13,
    kBfloat16 = 16
};

// name, slot, returned type, arguments
#define APERTUNE_ORT_FUNCTIONS(F)                                                                                      \
    F(getErrorCode, 1, int, (const Status*))                                                                           \
    F(getErrorMessage, 2, const char*, (const Status*))                                                                \
    F(createEnv, 3, Status*, (int level, const char* id, Env**))                                                       \
    F(disableTelemetry, 6, Status*, (const Env*))                                                                      \
    F(createSession, 7, Status*, (const Env*, const char* path, const Options*, EngineSession**))                      \
    F(createSessionFromArray, 8, Status*, (const Env*, const void*, std::size_t, const Options*, EngineSession**))     \
    F(run, 9, Status*,                                                                                                 \
      (EngineSession*, const RunOptions*, const char* const* inputNames, const Value* const* inputs,                   \
       std::size_t inputCount, const char* const* outputNames, std::size_t outputCount, Value** outputs))              \
    F(createOptions, 10, Status*, (Options**))                                                                         \
    F(setExecutionMode, 13, Status*, (Options*, int))                                                                  \
    F(enableProfiling, 14, Status*, (Options*, const char* prefix))                                                    \
    F(enableMemoryPattern, 16, Status*, (Options*))                                                                    \
    F(disableMemoryPattern, 17, Status*, (Options*))                                                                   \
    F(enableArena, 18, Status*, (Options*))                                                                            \
    F(disableArena, 19, Status*, (Options*))                                                                           \
    F(setGraphLevel, 23, Status*, (Options*, int))                                                                     \
    F(setIntraThreads, 24, Status*, (Options*, int))                                                                   \
    F(setInterThreads, 25, Status*, (Options*, int))                                                                   \
    F(inputCount, 30, Status*, (const EngineSession*, std::size_t*))                                                   \
    F(outputCount, 31, Status*, (const EngineSession*, std::size_t*))                                                  \
    F(inputType, 33, Status*, (const EngineSession*, std::size_t, TypeInfo**))                                         \
    F(inputName, 36, Status*, (const EngineSession*, std::size_t, Allocator*, char**))                                 \
    F(outputName, 37, Status*, (const EngineSession*, std::size_t, Allocator*, char**))                                \
    F(createTensorOver, 49, Status*,                                                                                   \
      (const MemoryInfo*, void* data, std::size_t bytes, const std::int64_t* shape, std::size_t rank, int type,        \
       Value**))                                                                                                       \
    F(isTensor, 50, Status*, (const Value*, int*))                                                                     \
    F(tensorData, 51, Status*, (Value*, void**))                                                                       \
    F(asTensorInfo, 55, Status*, (const TypeInfo*, const TensorInfo**))                                                \
    F(elementType, 60, Status*, (const TensorInfo*, int*))                                                             \
    F(rank, 61, Status*, (const TensorInfo*, std::size_t*))                                                            \
    F(shape, 62, Status*, (const TensorInfo*, std::int64_t*, std::size_t))                                             \
    F(tensorInfo, 65, Status*, (const Value*, TensorInfo**))                                                           \
    F(createMemoryInfo, 68, Status*, (const char* name, int allocator, int device, int memory, MemoryInfo**))          \
    F(createCpuMemoryInfo, 69, Status*, (int allocator, int memory, MemoryInfo**))                                     \
    F(freeOf, 76, Status*, (Allocator*, void*))                                                                        \
    F(defaultAllocator, 78, Status*, (Allocator**))                                                                    \
    F(releaseEnv, 92, void, (Env*))                                                                                    \
    F(releaseStatus, 93, void, (Status*))                                                                              \
    F(releaseMemoryInfo, 94, void, (MemoryInfo*))                                                                      \
    F(releaseSession, 95, void, (EngineSession*))                                                                      \
    F(releaseValue, 96, void, (Value*))                                                                                \
    F(releaseTypeInfo, 98, void, (TypeInfo*))                                                                          \
    F(releaseTensorInfo, 99, void, (TensorInfo*))                                                                      \
    F(releaseOptions, 100, void, (Options*))                                                                           \
    F(endProfiling, 110, Status*, (EngineSession*, Allocator*, char** file))                                           \
    F(availableProviders, 125, Status*, (char***, int*))                                                               \
    F(releaseProviders, 126, Status*, (char**, int))                                                                   \
    F(addConfigEntry, 130, Status*, (Options*, const char* key, const char* value))                                    \
    F(createAllocator, 131, Status*, (const EngineSession*, const MemoryInfo*, Allocator**))                           \
    F(releaseAllocator, 132, void, (Allocator*))                                                                       \
    F(runWithBinding, 133, Status*, (EngineSession*, const RunOptions*, const Binding*))                               \
    F(createBinding, 134, Status*, (EngineSession*, Binding**))                                                        \
    F(releaseBinding, 135, void, (Binding*))                                                                           \
    F(bindInput, 136, Status*, (Binding*, const char* name, const Value*))                                             \
    F(bindOutputToDevice, 138, Status*, (Binding*, const char* name, const MemoryInfo*))                               \
    F(profilingStart, 146, Status*, (const EngineSession*, std::uint64_t*))                                            \
    F(appendTensorRt, 170, Status*, (Options*, const TensorRtOptions*))                                                \
    F(createTensorRtOptions, 171, Status*, (TensorRtOptions**))                                                        \
    F(updateTensorRtOptions, 172, Status*, (TensorRtOptions*, const char* const*, const char* const*, std::size_t))    \
    F(releaseTensorRtOptions, 174, void, (TensorRtOptions*))                                                           \
    F(appendCuda, 204, Status*, (Options*, const CudaOptions*))                                                        \
    F(createCudaOptions, 205, Status*, (CudaOptions**))                                                                \
    F(updateCudaOptions, 206, Status*, (CudaOptions*, const char* const*, const char* const*, std::size_t))            \
    F(releaseCudaOptions, 208, void, (CudaOptions*))                                                                   \
    F(hasConfigEntry, 237, Status*, (const Options*, const char* key, int*))                                           \
    F(getConfigEntry, 238, Status*, (const Options*, const char* key, char* value, std::size_t* size))

/// Functions that older libraries lack. They are null there.
#define APERTUNE_ORT_NEWER_FUNCTIONS(F)                                                                                \
    F(keyValue, 297, const char*, (const KeyValues*, const char* key))                                                 \
    F(releaseKeyValues, 300, void, (KeyValues*))                                                                       \
    F(allocatorStatistics, 319, Status*, (const Allocator*, KeyValues**))

inline constexpr std::uint32_t kVersionNeeded = 14; ///< the version that added the last of APERTUNE_ORT_FUNCTIONS
inline constexpr std::uint32_t kVersionNewer = 23;  ///< the version that added the last of APERTUNE_ORT_NEWER_FUNCTIONS

struct Api
{
#define APERTUNE_ORT_MEMBER(name, slot, result, arguments) result(*name) arguments = nullptr;
    APERTUNE_ORT_FUNCTIONS(APERTUNE_ORT_MEMBER)
    APERTUNE_ORT_NEWER_FUNCTIONS(APERTUNE_ORT_MEMBER)
#undef APERTUNE_ORT_MEMBER
};

/// The one exported symbol, OrtGetApiBase, returns this.
struct ApiBase
{
    const void* (*table)(std::uint32_t version); ///< returns null for a version that the library does not have
    const char* (*version)();                    ///< "1.31.1"
};

inline constexpr const char* kEntrySymbol = "OrtGetApiBase";

/// Takes the functions from a table, the newer ones only when `newer` is true.
///
/// REQUIRES: the table is that of kVersionNeeded or, when `newer`, of kVersionNewer.
inline Api bind(const void* table, bool newer)
{
    const auto* slots = static_cast<void* const*>(table);
    Api api;
#define APERTUNE_ORT_BIND(name, slot, result, arguments)                                                               \
    api.name = reinterpret_cast<decltype(api.name)>(slots[slot]); // NOLINT
    APERTUNE_ORT_FUNCTIONS(APERTUNE_ORT_BIND)
    if (newer)
        APERTUNE_ORT_NEWER_FUNCTIONS(APERTUNE_ORT_BIND)
#undef APERTUNE_ORT_BIND
    return api;
}

} // namespace apertune::ort
