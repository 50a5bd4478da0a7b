// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/reference_file.h"

#include "app/worker/program_errors.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace apertune::worker {

using base::Error;
using base::ErrorCode;

namespace {
constexpr char kMagic[8] = {'A', 'P', 'T', 'N', 'R', 'E', 'F', '1'};
// Limits to the memory that a damaged file can ask for.
constexpr std::uint32_t kMaxRank = 32;
constexpr std::uint32_t kMaxName = 4096;
constexpr std::uint32_t kMaxTensors = 65536;
} // namespace

std::int64_t elementCount(std::span<const std::int64_t> shape)
{
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
        return 0; // the product of the other sizes need not fit
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

ReferenceWriter::ReferenceWriter(std::filesystem::path file)
    : m_file(std::move(file)), m_part(m_file.string() + ".part-" + std::to_string(::getpid())),
      m_out(m_part, std::ios::binary | std::ios::trunc)
{
    put(kMagic, sizeof kMagic);
    putValue(m_sets); // a place for the number, which finish() writes
}

ReferenceWriter::~ReferenceWriter()
{
    std::error_code ignored;
    std::filesystem::remove(m_part, ignored);
}

void ReferenceWriter::put(const void* data, std::size_t size)
{
    m_out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    m_bytes += size;
}

void ReferenceWriter::addSet(std::span<const apertune_tensor> tensors)
{
    putValue(static_cast<std::uint32_t>(tensors.size()));
    for (const apertune_tensor& tensor : tensors) {
        const std::size_t length = tensor.name ? std::strlen(tensor.name) : 0;
        putValue(static_cast<std::uint32_t>(length));
        put(tensor.name, length);
        putValue(static_cast<std::uint32_t>(tensor.dtype));
        putValue(tensor.rank);
        put(tensor.shape, tensor.rank * sizeof(std::int64_t));
        const std::size_t element = tensor.dtype == APERTUNE_FLOAT32 ? sizeof(float) : sizeof(std::int64_t);
        put(tensor.data, static_cast<std::size_t>(elementCount({tensor.shape, tensor.rank})) * element);
    }
    ++m_sets;
}

base::Status ReferenceWriter::finish()
{
    // Workers that are waiting for the file see it whole or not at all.
    m_out.seekp(sizeof kMagic);
    m_out.write(reinterpret_cast<const char*>(&m_sets), sizeof m_sets);
    m_out.close();
    std::error_code code;
    if (m_out)
        std::filesystem::rename(m_part, m_file, code);
    if (!m_out || code)
        return Error{ErrorCode::io, base::message(program_errors::kReferenceNotWritten), m_file.string(),
                     base::message(program_errors::kFreeTemporary)};
    return {};
}

base::Result<ReferenceReader> ReferenceReader::open(const std::filesystem::path& file)
{
    ReferenceReader reader;
    reader.m_file = file;
    reader.m_in.open(file, std::ios::binary);
    std::error_code code;
    reader.m_left = std::filesystem::file_size(file, code);
    if (!reader.m_in || code)
        return Error{ErrorCode::notFound, base::message(program_errors::kReferenceMissing), file.string(),
                     base::message(program_errors::kRunStudyAgain)};
    char magic[sizeof kMagic];
    if (!reader.get(magic, sizeof magic) || std::memcmp(magic, kMagic, sizeof kMagic) != 0 ||
        !reader.get(&reader.m_sets, sizeof reader.m_sets))
        return reader.corrupt();
    return reader;
}

Error ReferenceReader::corrupt() const
{
    return {ErrorCode::corrupt, base::message(program_errors::kReferenceUnreadable), m_file.string(),
            base::message(program_errors::kRunStudyAgain)};
}

bool ReferenceReader::get(void* data, std::uint64_t size)
{
    if (size > m_left || !m_in.read(static_cast<char*>(data), static_cast<std::streamsize>(size)))
        return false;
    m_left -= size;
    return true;
}

bool ReferenceReader::readTensor(KeptTensor& tensor)
{
    std::uint32_t length = 0;
    std::uint32_t dtype = 0;
    std::uint32_t rank = 0;
    if (!get(&length, sizeof length) || length > kMaxName)
        return false;
    tensor.name.resize(length);
    if (!get(tensor.name.data(), length) || !get(&dtype, sizeof dtype) || dtype > APERTUNE_INT64 ||
        !get(&rank, sizeof rank) || rank > kMaxRank)
        return false;
    tensor.dtype = static_cast<apertune_dtype>(dtype);
    tensor.shape.resize(rank);
    if (!get(tensor.shape.data(), rank * sizeof(std::int64_t)))
        return false;
    const std::uint64_t element = dtype == APERTUNE_FLOAT32 ? sizeof(float) : sizeof(std::int64_t);
    const std::uint64_t most = m_left / element;
    const bool empty = std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end();
    std::uint64_t count = empty ? 0 : 1;
    // The product never exceeds what is left of the file, so it cannot overflow.
    for (const std::int64_t size : tensor.shape) {
        if (size < 0 || (count > 0 && static_cast<std::uint64_t>(size) > most / count))
            return false;
        count *= static_cast<std::uint64_t>(size);
    }
    if (tensor.dtype == APERTUNE_FLOAT32) {
        tensor.floats.resize(count);
        return get(tensor.floats.data(), count * element);
    }
    tensor.integers.resize(count);
    return get(tensor.integers.data(), count * element);
}

base::Result<KeptSet> ReferenceReader::next()
{
    std::uint32_t tensors = 0;
    if (!get(&tensors, sizeof tensors) || tensors > kMaxTensors)
        return corrupt();
    KeptSet set;
    for (std::uint32_t i = 0; i < tensors; ++i)
        if (!readTensor(set.emplace_back()))
            return corrupt();
    return set;
}

} // namespace apertune::worker
