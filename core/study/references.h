// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/worker/scratch_folder.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace apertune::study {

/// The O0 fp32 outputs that configurations are compared with, one file for each backend, device and batch, in a folder
/// that ends with the study's run. Threads of different devices share one; a key belongs to one thread.
class References
{
public:
    using Key = std::tuple<std::string, std::string, int>; ///< backend, device, batch

    explicit References(worker::ScratchFolder dir) : m_dir(std::move(dir)) {}

    /// Where the outputs of `key` are or belong.
    std::filesystem::path file(const Key& key) const;

    /// nullopt: nobody has tried; else whether the file is there.
    std::optional<bool> known(const Key& key) const;
    void set(const Key& key, bool made);

private:
    worker::ScratchFolder m_dir;
    mutable base::Mutex m_mutex; ///< a leaf
    std::map<Key, bool> m_known APERTUNE_GUARDED_BY(m_mutex);
};

} // namespace apertune::study
