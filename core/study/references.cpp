// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/references.h"

#include "core/base/hash.h"

namespace apertune::study {

std::filesystem::path References::file(const Key& key) const
{
    const auto& [backend, device, batch] = key;
    const std::string name = backend + "|" + device + "|" + std::to_string(batch);
    return m_dir.path() / ("reference-" + base::sha256(name).substr(0, 16));
}

std::optional<bool> References::known(const Key& key) const
{
    const base::Lock lock(m_mutex);
    const auto it = m_known.find(key);
    return it == m_known.end() ? std::nullopt : std::optional(it->second);
}

void References::set(const Key& key, bool made)
{
    const base::Lock lock(m_mutex);
    m_known[key] = made;
}

} // namespace apertune::study
