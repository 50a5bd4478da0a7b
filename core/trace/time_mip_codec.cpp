// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/time_mip_codec.h"

#include "core/trace/errors.h"

#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>

namespace apertune::trace {
namespace {

static_assert(std::endian::native == std::endian::little, "swap the numbers here");
static_assert(sizeof(MipNode) == 8 && std::is_trivially_copyable_v<MipNode>);

constexpr std::uint32_t kMipMagic = 0x314d5441; // "ATM1"

class MipWriter
{
public:
    explicit MipWriter(std::vector<std::byte>& bytes) : m_bytes(bytes) {}

    template <typename T>
    void value(const T& v)
    {
        raw(&v, sizeof v);
    }
    template <typename T>
    void list(const std::vector<T>& values)
    {
        value(static_cast<std::uint64_t>(values.size()));
        raw(values.data(), values.size() * sizeof(T));
    }

private:
    void raw(const void* data, std::size_t size)
    {
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + size);
        if (size > 0)
            std::memcpy(m_bytes.data() + at, data, size);
    }

    std::vector<std::byte>& m_bytes;
};

class MipReader
{
public:
    explicit MipReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    template <typename T>
    bool value(T& v)
    {
        if (m_bytes.size() < sizeof v)
            return false;
        std::memcpy(&v, m_bytes.data(), sizeof v);
        m_bytes = m_bytes.subspan(sizeof v);
        return true;
    }
    template <typename T>
    bool list(std::vector<T>& values)
    {
        std::uint64_t size = 0;
        // The division cannot overflow, unlike the product of a damaged size.
        if (!value(size) || size > m_bytes.size() / sizeof(T))
            return false;
        values.resize(static_cast<std::size_t>(size));
        if (size > 0)
            std::memcpy(values.data(), m_bytes.data(), values.size() * sizeof(T));
        m_bytes = m_bytes.subspan(values.size() * sizeof(T));
        return true;
    }
    bool atEnd() const { return m_bytes.empty(); }

private:
    std::span<const std::byte> m_bytes;
};

bool isBelow(const std::vector<std::uint32_t>& indices, std::size_t limit)
{
    for (const std::uint32_t index : indices)
        if (index >= limit)
            return false;
    return true;
}

/// Checks that every index and size is in range, so that drawing from the mip cannot leave an array.
bool isSound(const LaneMip& lane, std::size_t events)
{
    // Indices from a file are used without a check later, so all are checked here.
    if (lane.size == 0 || lane.size > events || (!lane.events.empty() && lane.events.size() != lane.size) ||
        !isBelow(lane.events, events) || lane.shift < 0 || lane.shift > 62 || lane.levels.empty())
        return false;
    if (lane.busyBefore.size() != (lane.size - 1) / LaneMip::kBusyStep + 2)
        return false;
    for (std::size_t k = 0; k < lane.levels.size(); ++k) {
        if (lane.levels[k].empty() || lane.shift + k > 62)
            return false;
        if (k > 0) {
            // The pairing must be that of addCoarserLevels().
            const auto odd = static_cast<std::size_t>((lane.firstBucket >> (k - 1)) & 1);
            if (lane.levels[k].size() != (lane.levels[k - 1].size() + odd + 1) / 2)
                return false;
        }
        for (const MipNode& node : lane.levels[k])
            if (node.longest != MipNode::kNone && node.longest >= events)
                return false;
    }
    return true;
}

bool readLane(MipReader& reader, LaneMip& lane)
{
    std::uint64_t size = 0;
    std::int32_t shift = 0;
    std::uint32_t levels = 0;
    if (!reader.value(size) || !reader.value(shift) || !reader.value(lane.firstBucket) || !reader.value(lane.lastEnd) ||
        // A shift of 63 bits at most leaves 63 levels.
        !reader.list(lane.events) || !reader.list(lane.busyBefore) || !reader.value(levels) || levels > 63)
        return false;
    lane.size = static_cast<std::size_t>(size);
    lane.shift = shift;
    lane.levels.resize(levels);
    for (std::vector<MipNode>& level : lane.levels)
        if (!reader.list(level))
            return false;
    return true;
}

} // namespace

std::vector<std::byte> encodeMip(const std::vector<LaneMip>& lanes)
{
    std::vector<std::byte> bytes;
    MipWriter writer(bytes);
    writer.value(kMipMagic);
    writer.value(static_cast<std::uint32_t>(lanes.size()));
    for (const LaneMip& lane : lanes) {
        writer.value(static_cast<std::uint64_t>(lane.size));
        writer.value(static_cast<std::int32_t>(lane.shift));
        writer.value(lane.firstBucket);
        writer.value(lane.lastEnd);
        writer.list(lane.events);
        writer.list(lane.busyBefore);
        writer.value(static_cast<std::uint32_t>(lane.levels.size()));
        for (const std::vector<MipNode>& level : lane.levels)
            writer.list(level);
    }
    return bytes;
}

base::Result<SeriesMip> decodeMip(std::span<const std::byte> bytes, std::size_t events)
{
    const base::Error corrupt{base::ErrorCode::corrupt,
                              base::message<errors::kUnreadableOverview>(),
                              {},
                              base::message<errors::kOverviewIsMadeAnew>()};
    MipReader reader(bytes);
    std::uint32_t magic = 0;
    std::uint32_t lanes = 0;
    if (!reader.value(magic) || magic != kMipMagic || !reader.value(lanes) || lanes > kMaxLanes)
        return corrupt;
    SeriesMip mip;
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        LaneMip lane;
        if (!readLane(reader, lane) || !isSound(lane, events))
            return corrupt;
        total += lane.size;
        mip.lanes.push_back(std::move(lane));
    }
    // Each event lies in exactly one lane.
    if (!reader.atEnd() || total != events)
        return corrupt;
    return mip;
}

} // namespace apertune::trace
