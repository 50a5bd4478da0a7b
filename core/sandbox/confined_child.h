// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/sandbox/file_rules.h"
#include "core/sandbox/layers.h"
#include "core/sandbox/namespaces.h"
#include "core/sandbox/profile.h"
#include "core/sandbox/resource_limits.h"
#include "core/sandbox/system_call_filter.h"

#include <filesystem>
#include <optional>
#include <set>

namespace apertune::sandbox {

/// Sets the layers of the sandbox in force in a child and starts its program. Everything is prepared in the parent,
/// because the child may not allocate between fork() and exec(). Private to this folder.
class ConfinedEntry final : public base::ChildEntry
{
public:
    /// Failures: io.
    static base::Result<std::shared_ptr<const ConfinedEntry>>
    create(const std::set<Layer>& layers, const Profile& profile, const std::filesystem::path& program);

    int enter(char* const* argv, char* const* environment) const noexcept override;

private:
    ConfinedEntry() = default;
    int confine() const noexcept;

    std::string m_program;
    bool m_gpu = false;
    bool m_noNewRights = false;
    bool m_capabilities = false;
    bool m_limited = false;
    Namespaces m_namespaces{};
    OwnIds m_ids{};
    ResourceLimits m_limits{};
    std::optional<FileRules> m_files{};
    /// Changed only in the child, which has its own copy of this object.
    mutable std::optional<SystemCallFilter> m_filter{};
    std::uint64_t m_passphrase = 0;
};

} // namespace apertune::sandbox
