// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/timeline_store.h"

#include "core/store/errors.h"
#include "core/trace/time_mip_codec.h"

#include <algorithm>
#include <span>

namespace apertune::store {
namespace {

/// Returns a mip for each series of the trace, in its order. Curves have none. Returns nothing when a mip is missing or
/// does not fit.
std::vector<trace::SeriesMip> readMips(const Store& store, TraceId id, const trace::Trace& trace)
{
    const auto stored = store.traceMips(id);
    if (!stored)
        return {};
    std::vector<trace::SeriesMip> mips(trace.series.size());
    for (std::size_t i = 0; i < mips.size(); ++i) {
        const trace::Series& series = trace.series[i];
        if (timeline::Timeline::isCurve(series.kind) || series.events.empty())
            continue;
        const auto found = std::find_if(stored->begin(), stored->end(), [&](const StoredMip& mip) {
            return mip.track == series.track && mip.kind == series.kind;
        });
        if (found == stored->end())
            return {};
        // A mip of a damaged trace may not fit its events. All are then built anew.
        auto mip = trace::decodeMip(std::as_bytes(std::span(found->data)), series.events.size());
        if (!mip)
            return {};
        mips[i] = std::move(*mip);
    }
    return mips;
}

} // namespace

base::Result<timeline::TimelinePtr> openTimeline(const Store& store, TraceId id, const TraceTask& task, bool* mipsKept)
{
    const auto trace = store.trace(id, {}, task);
    if (!trace)
        return trace.error();
    std::vector<trace::SeriesMip> mips = readMips(store, id, **trace);
    if (mipsKept)
        *mipsKept = !mips.empty();
    timeline::TimelinePtr timeline = timeline::Timeline::build(*trace, task.stop, std::move(mips));
    if (!timeline)
        return base::Error{base::ErrorCode::cancelled, base::message<errors::kOpeningCancelled>()};
    return timeline;
}

base::Status keepMips(Store& store, TraceId id, const timeline::Timeline& timeline)
{
    std::vector<StoredMip> mips;
    for (const timeline::TimelineRow& row : timeline.rows()) {
        if (row.isCurve())
            continue;
        const std::vector<std::byte> bytes = trace::encodeMip(row.lanes);
        mips.push_back({row.track, row.kind, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
    }
    return store.putTraceMips(id, mips);
}

} // namespace apertune::store
