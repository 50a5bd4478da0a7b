// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/ceilings.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/runs/errors.h"
#include "core/stats/block_stats.h"
#include "core/worker/worker_process.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::runs {

using base::Error;
using base::ErrorCode;
using base::Json;
using worker::WorkerError;

namespace {

Error toError(const WorkerError& failure, const std::string& backend)
{
    if (failure.cancelled)
        return {ErrorCode::cancelled, base::message<errors::kCeilingsCancelled>()};
    return {failure.reason.kind == model::ReasonKind::unsupported ? ErrorCode::unsupported : ErrorCode::internal,
            base::message<errors::kCeilingsFailed>(backend, failure.reason.message), failure.reason.detail,
            base::message<errors::kTryCeilingsAgain>()};
}

Json nativePrecisions(const model::Device& device)
{
    // Only precisions with instructions of their own have a ceiling; an emulated one would measure the emulation.
    Json names = Json::array({"fp32"});
    if (device.tf32())
        names.push_back("tf32");
    if (device.nativeBf16())
        names.push_back("bf16");
    if (device.nativeFp16())
        names.push_back("fp16");
    return names;
}

/// Rates in a backend's answer. Plugins are foreign code, so malformed and non-positive values are left out.
std::vector<model::Ceiling> ratesOf(const Json& answer)
{
    std::vector<model::Ceiling> rates;
    for (const Json& entry : answer.value("rates", Json::array())) {
        if (!entry.is_object() || !entry.contains("samples") || !entry["samples"].is_array())
            continue;
        const Json quantity = entry.value("quantity", Json());
        const Json how = entry.value("how", Json());
        std::vector<double> samples;
        for (const Json& sample : entry["samples"])
            if (sample.is_number() && std::isfinite(sample.get<double>()) && sample.get<double>() > 0)
                samples.push_back(sample.get<double>());
        if (quantity.is_string() && !samples.empty())
            rates.push_back({quantity.get<std::string>(), stats::medianInterval(samples),
                             static_cast<int>(samples.size()), how.is_string() ? how.get<std::string>() : ""});
    }
    return rates;
}

double rateOf(const model::DeviceCeilings& measured, std::string_view quantity)
{
    const model::Ceiling* const found = measured.find(quantity);
    return found ? found->rate.value : 0;
}

} // namespace

base::Result<model::DeviceCeilings> measureCeilings(worker::Launcher& launcher, const std::string& backend,
                                                    const model::Device& device, std::stop_token stop,
                                                    base::Nanoseconds most)
{
    // One thread for each core, as measured configurations have by default.
    const int threads = device.type.isCpu() ? std::max(1, device.cores) : 1;
    auto started = worker::WorkerProcess::start(launcher, {backend, device, threads}, stop);
    if (!started)
        return toError(started.error(), backend);
    auto& worker = *started;
    const Json request{{"device", worker::workerDeviceId(device)},
                       {"threads", threads},
                       {"precisions", nativePrecisions(device)},
                       {"max_ns", most.count}};
    // The backend keeps to its own time. The minute more is for loading its libraries.
    auto reply = worker->call({{"t", "ceilings"}, {"request", request}}, most + base::fromSeconds(60), stop);
    if (!reply)
        return toError(reply.error(), backend);
    model::DeviceCeilings measured{model::ceilingKey(device), backend, base::utcNow(), ratesOf(*reply)};
    if (measured.rates.empty())
        return Error{
            ErrorCode::internal, base::message<errors::kNoRate>(backend), {}, base::message<errors::kReportWithLog>()};
    return measured;
}

analysis::Ceilings ceilingsFor(const model::DeviceCeilings& measured, model::Precision precision)
{
    analysis::Ceilings ceilings;
    std::string from(toString(precision));
    ceilings.flops = rateOf(measured, from);
    const bool emulated = precision == model::Precision::bf16 || precision == model::Precision::fp16;
    // An emulated precision computes in fp32, so it cannot be faster than that.
    if (ceilings.flops <= 0 && emulated) {
        ceilings.flops = rateOf(measured, "fp32");
        from += ", which the device only emulates: the rate of fp32";
    }
    ceilings.memoryBandwidth = rateOf(measured, "copy");
    ceilings.pinnedBandwidth = rateOf(measured, "pinned");
    ceilings.pageableBandwidth = rateOf(measured, "pageable");
    const std::string& utc = measured.measuredUtc; // "2026-11-21T19:31:01Z"
    ceilings.source = "measured by " + measured.backend + " on " +
                      (utc.size() > 16 ? utc.substr(0, 10) + " " + utc.substr(11, 5) + " UTC" : utc) + ", " + from;
    // The rates of a busy machine are a lower bound.
    if (!measured.steady())
        ceilings.source += "; the machine was busy and may reach more";
    return ceilings;
}

base::Result<analysis::Ceilings> keptCeilings(const store::Store& store, const model::Device& device,
                                              model::Precision precision)
{
    const auto kept = store.ceilings(device);
    if (!kept)
        return kept.error();
    return *kept ? ceilingsFor(**kept, precision) : analysis::Ceilings{};
}

} // namespace apertune::runs
