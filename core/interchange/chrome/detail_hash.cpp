// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/detail_hash.h"

#include "core/interchange/chrome/local_tables.h"

#include <array>
#include <cstdint>

namespace apertune::interchange::chrome {

namespace {

template <typename... Values>
std::size_t hashOf(const Values&... values)
{
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    ((hash = mixBits(hash ^ static_cast<std::uint64_t>(values), 0xff51afd7ed558ccdu)), ...);
    return hash;
}

std::uint64_t hashExtent(const std::array<std::uint32_t, 3>& e)
{
    return e[0] + (std::uint64_t{e[1]} << 24) + (std::uint64_t{e[2]} << 48);
}

} // namespace

std::size_t DetailHash::operator()(const trace::KernelDetail& d) const
{
    return hashOf(hashExtent(d.grid), hashExtent(d.block), d.registersPerThread, d.dynamicSharedBytes, d.graphNode,
                  static_cast<std::int64_t>(static_cast<double>(d.recordedOccupancy) * 1e6));
}
std::size_t DetailHash::operator()(const trace::CopyDetail& d) const
{
    return hashOf(d.direction, d.source, d.target, d.asynchronous, d.sourceDevice, d.targetDevice, d.graphNode);
}
std::size_t DetailHash::operator()(const trace::SynchronizationDetail& d) const
{
    return hashOf(d.type, d.event, d.stream);
}
std::size_t DetailHash::operator()(const trace::OperatorDetail& d) const
{
    return hashOf(d.inputShapes.value, d.inputStrides.value, d.inputTypes.value, d.module.value, d.collective.value,
                  d.sequence);
}
std::size_t DetailHash::operator()(const trace::MemoryDetail& d) const
{
    return hashOf(d.kind, d.device, d.owner.value);
}
std::size_t DetailHash::operator()(const trace::NoteDetail& d) const
{
    return hashOf(d.note.value);
}
std::size_t DetailHash::operator()(const RawTrack& t) const
{
    return hashOf(t.track.type, t.track.process, t.track.thread, t.track.device, t.track.context, t.track.stream,
                  hashText(t.track.label), hashText(t.processText), hashText(t.threadText));
}

} // namespace apertune::interchange::chrome
