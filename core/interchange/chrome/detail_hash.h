// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/parsed_block.h"
#include "core/trace/details.h"

#include <cstddef>

namespace apertune::interchange::chrome {

/// Hashes the values that the tables of a parser number.
struct DetailHash
{
    std::size_t operator()(const trace::KernelDetail& d) const;
    std::size_t operator()(const trace::CopyDetail& d) const;
    std::size_t operator()(const trace::SynchronizationDetail& d) const;
    std::size_t operator()(const trace::OperatorDetail& d) const;
    std::size_t operator()(const trace::MemoryDetail& d) const;
    std::size_t operator()(const trace::NoteDetail& d) const;
    std::size_t operator()(const RawTrack& t) const;
};

} // namespace apertune::interchange::chrome
