// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/base/temporary_dir.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace apertune::study {

/// Files with the reference outputs that configurations are compared with: one for each backend, device and batch. The
/// folder is removed with this object. Thread-safe: the threads of all devices share it, and each key is used by the
/// thread of its device alone.
class References
{
public:
    using Key = std::tuple<std::string, std::string, int>; ///< backend, device, batch

    explicit References(base::TemporaryDir dir) : m_dir(std::move(dir)) {}

    const std::filesystem::path& folder() const { return m_dir.path(); }

    /// Path of the file for `key`, whether it exists or not.
    std::filesystem::path file(const Key& key) const;

    /// Whether the file for `key` was made; nullopt when it was not tried yet.
    std::optional<bool> known(const Key& key) const;
    void set(const Key& key, bool made);

private:
    base::TemporaryDir m_dir;
    mutable base::Mutex m_mutex; ///< no other lock is taken while it is held
    std::map<Key, bool> m_known APERTUNE_GUARDED_BY(m_mutex);
};

} // namespace apertune::study
