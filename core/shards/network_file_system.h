// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace apertune::shards {

/// Whether several machines may share a file system of that type (f_type of statfs(2)).
bool isNetworkType(std::uint64_t type);

/// Whether a file lies on such a file system. There SQLite's log must not be read on one machine while another writes
/// it, because the two do not share its index. False where the system does not say.
bool isOnNetworkFileSystem(const std::filesystem::path& file);

} // namespace apertune::shards
