// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/attention.h"

#include <ATen/Context.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

namespace apertune::libtorch {

namespace {

constexpr std::string_view kAttention = "aten::_scaled_dot_product_";

/// Number of calls by kernel: "flash_attention_for_cpu".
using Kernels = std::map<std::string, int, std::less<>>;
thread_local Kernels* t_seen = nullptr;

std::unique_ptr<at::ObserverContext> notice(const at::RecordFunction& function)
{
    const std::string_view name = function.name();
    if (t_seen && name.starts_with(kAttention))
        ++(*t_seen)[std::string(name.substr(kAttention.size()))];
    return nullptr;
}

Kernels kernelsOf(const std::function<void()>& pass)
{
    Kernels seen;
    t_seen = &seen;
    const auto handle =
        // A callback of this thread alone sees the kernels of this pass only.
        at::addThreadLocalCallback(at::RecordFunctionCallback(&notice).scopes({at::RecordScope::FUNCTION}));
    struct Guard
    {
        // The callback must be removed even when the pass throws.
        at::CallbackHandle handle;
        ~Guard()
        {
            at::removeCallback(handle);
            t_seen = nullptr;
        }
    };
    const Guard guard{handle};
    pass();
    return seen;
}

void readBack(const Request& request, const Kernels& kernels, plugins::Report& report)
{
    std::string text;
    for (const auto& [kernel, calls] : kernels)
        text += (text.empty() ? "attention by " : ", ") + kernel + " ×" + std::to_string(calls);
    // Every kernel has to be of the kind that the switch asks for.
    const auto only = [&](std::string_view kind) {
        return std::all_of(kernels.begin(), kernels.end(),
                           [&](const auto& entry) { return entry.first.find(kind) != std::string::npos; });
    };
    for (const auto& [name, where] : attentionSwitches())
        if (!request.cuda && where == Where::cuda)
            report.notApplicable(name, "the device is a CPU");
        else if (kernels.empty())
            report.notApplicable(name, "the model calls no scaled dot-product attention");
        else
            report.readBack(name, request.on(name), only(name.substr(name.find('_') + 1)), text);
}

} // namespace

const std::vector<KnownSwitch>& attentionSwitches()
{
    static const std::vector<KnownSwitch> kSwitches{
        {"sdpa_math"}, {"sdpa_flash", Where::cuda}, {"sdpa_efficient", Where::cuda}};
    return kSwitches;
}

void applyAttentionSwitches(const Request& request)
{
    at::Context& context = at::globalContext();
    const bool any = !request.on("sdpa_math") && !request.on("sdpa_flash") && !request.on("sdpa_efficient");
    context.setSDPUseFlash(any || request.on("sdpa_flash"));
    context.setSDPUseMemEfficient(any || request.on("sdpa_efficient"));
    context.setSDPUseCuDNN(any);
    context.setSDPUseMath(true);
}

void reportAttention(const Request& request, const std::function<void()>& pass, plugins::Report& report)
{
    readBack(request, pass ? kernelsOf(pass) : Kernels{}, report);
}

void reportAttention(const Request& request, const PackageInfo& info, plugins::Report& report)
{
    if (!info.attentionCalls) {
        for (const KnownSwitch& known : attentionSwitches())
            report.notApplicable(known.name, "the package does not say what computes attention in it");
        return;
    }
    Kernels kernels(info.attentionKernels.begin(), info.attentionKernels.end());
    int fused = 0;
    for (const auto& [kernel, calls] : kernels)
        fused += calls;
    // Calls that no fused kernel computes are computed step by step.
    if (fused < *info.attentionCalls)
        kernels["attention_math"] = *info.attentionCalls - fused;
    readBack(request, kernels, report);
}

} // namespace apertune::libtorch
