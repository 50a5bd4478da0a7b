// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/trace_context.h"

#include "core/model/device.h"
#include "core/runs/ceilings.h"
#include "core/runs/track_record.h"

#include <utility>
#include <vector>

namespace apertune::runs {

namespace {

/// The facts in the workspace about the trial that was traced.
advice::Context contextOfTrial(const store::Store& store, model::TrialId id)
{
    const auto trial = store.trial(id);
    // A trace without a trial in this workspace is analysed without ceilings and record.
    if (!trial)
        return {};
    const auto study = store.study(trial->study);
    if (!study)
        return {};
    const model::Device* device = model::findDevice(study->environment.devices, trial->device);
    // A study may lack the description of the device.
    if (!device)
        return advice::contextOf(study->model, *trial, nullptr);
    advice::Context context = advice::contextOf(study->model, *trial, device);
    if (auto ceilings = keptCeilings(store, *device, trial->config.precision))
        context.ceilings = std::move(*ceilings);
    context.record = trackRecord(store, circumstancesOf(*study, *trial));
    return context;
}

} // namespace

advice::Context contextOf(const store::Store& store, const store::TraceSummary& trace)
{
    advice::Context context = trace.trial ? contextOfTrial(store, *trace.trial) : advice::Context{};
    // The record of all circumstances stands in where the trial is not known.
    if (!context.record)
        context.record = trackRecord(store, {});
    context.traceId = trace.id.value;
    return context;
}

} // namespace apertune::runs
