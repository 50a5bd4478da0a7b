// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/layers.h"

#include "core/sandbox/namespaces.h"
#include "core/sandbox/reasons.h"
#include "core/sandbox/resource_limits.h"
#include "core/sandbox/system_call_filter.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

namespace apertune::sandbox {

namespace {

constexpr std::array<std::string_view, kLayers.size()> kNames{
    "no_new_rights", "parent_death", "files", "system_calls", "network", "processes", "capabilities", "limits"};

/// The version of Landlock that also covers signals and abstract sockets to processes outside.
constexpr int kFullLandlock = 6;

LayerState files()
{
    const int version = landlockVersion();
    if (version == 0)
        return {Layer::files, false, base::message<reasons::kNoLandlock>()};
    return {Layer::files, true,
            version < kFullLandlock ? base::message<reasons::kOldLandlock>(version) : base::Message()};
}

/// Sanitizers trace their own process at its end, and reserve terabytes of addresses.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif
#else
constexpr bool kHasSanitizer = false;
#endif

LayerState limits()
{
    if (kHasSanitizer)
        return {Layer::limits, false, base::message<reasons::kSanitizer>()};
    return {Layer::limits, true, ::geteuid() == 0 ? base::message<reasons::kRootHasNoProcessLimit>() : base::Message()};
}

LayerState systemCalls()
{
    if (kHasSanitizer)
        return {Layer::systemCalls, false, base::message<reasons::kSanitizer>()};
    if (!SystemCallFilter::isSupported())
        return {Layer::systemCalls, false, base::message<reasons::kOtherProcessor>()};
    // The kernel is asked whether it knows the action that the filter uses.
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
        return {Layer::systemCalls, false, base::message<reasons::kNoFilter>()};
    return {Layer::systemCalls, true, {}};
}

LayerState inNamespace(Layer layer, const Namespaces& wanted)
{
    if (const int failure = tryNamespaces(wanted); failure != 0)
        return {layer, false, base::message<reasons::kNoNamespaces>(std::strerror(failure))};
    return {layer, true, {}};
}

LayerState capabilities()
{
    if (!hasCapabilities())
        return {Layer::capabilities, false, base::message<reasons::kNothingToGiveUp>()};
    return {Layer::capabilities, true, {}};
}

std::vector<LayerState> probe()
{
    return {{Layer::noNewRights, true, {}},
            {Layer::parentDeath, true, {}},
            files(),
            systemCalls(),
            inNamespace(Layer::network, {.network = true}),
            inNamespace(Layer::processes, {.processes = true}),
            capabilities(),
            limits()};
}

} // namespace

std::string_view toString(Layer layer)
{
    return kNames[static_cast<std::size_t>(layer)];
}

const std::vector<LayerState>& layerStates()
{
    // The layers cannot change while the program runs.
    static const std::vector<LayerState> s_states = probe();
    return s_states;
}

int landlockVersion()
{
    constexpr long kCreateRuleset = 444;
    constexpr unsigned kAskVersion = 1;
    static const int s_version = static_cast<int>(::syscall(kCreateRuleset, nullptr, 0, kAskVersion));
    return s_version > 0 ? s_version : 0;
}

} // namespace apertune::sandbox
