// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "plugins/api/apertune_plugin.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace apertune::worker {

/// An output that another process kept. Exactly one of the two vectors is filled.
struct KeptTensor
{
    std::string name;
    apertune_dtype dtype = APERTUNE_FLOAT32;
    std::vector<std::int64_t> shape;
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
};

using KeptSet = std::vector<KeptTensor>;

/// Writes outputs to a file (format: core/worker/protocol.md). The file gets its name in finish(). The destructor
/// removes an unfinished file.
class ReferenceWriter
{
public:
    explicit ReferenceWriter(std::filesystem::path file);
    ReferenceWriter(const ReferenceWriter&) = delete;
    ReferenceWriter& operator=(const ReferenceWriter&) = delete;
    ~ReferenceWriter();

    void addSet(std::span<const apertune_tensor> tensors);
    std::uint32_t sets() const { return m_sets; }
    std::uint64_t bytes() const { return m_bytes; }

    /// Completes the file. Failures: io (disk full, permission).
    base::Status finish();

private:
    void put(const void* data, std::size_t size);
    template <typename T>
    void putValue(T value)
    {
        put(&value, sizeof value);
    }

    std::filesystem::path m_file;
    std::filesystem::path m_part;
    std::ofstream m_out;
    std::uint32_t m_sets = 0;
    std::uint64_t m_bytes = 0;
};

/// Reads such a file set by set. Every length is checked against the file's size before memory is allocated.
class ReferenceReader
{
public:
    /// Opens a file. Failures: notFound, corrupt (foreign file, cut file).
    static base::Result<ReferenceReader> open(const std::filesystem::path& file);

    std::uint32_t sets() const { return m_sets; }

    /// Reads the next set. Failures: corrupt.
    ///
    /// REQUIRES: fewer than sets() were read.
    base::Result<KeptSet> next();

private:
    ReferenceReader() = default;
    bool get(void* data, std::uint64_t size);
    bool readTensor(KeptTensor& tensor);
    base::Error corrupt() const;

    std::filesystem::path m_file;
    std::ifstream m_in;
    std::uint64_t m_left = 0;
    std::uint32_t m_sets = 0;
};

/// The number of elements of a shape; 1 for a scalar.
std::int64_t elementCount(std::span<const std::int64_t> shape);

} // namespace apertune::worker
