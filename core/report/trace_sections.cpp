// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_sections.h"

#include "core/base/json_optional.h"
#include "core/base/parallel.h"
#include "core/model/interval_json.h"
#include "core/report/documents.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

using base::Json;
using namespace analysis; // NOLINT: this file only prints the results of that module

namespace {

Json ms(std::int64_t ns)
{
    return static_cast<double>(ns) * 1e-6;
}

Json msOrNull(const std::optional<std::int64_t>& ns)
{
    return ns ? ms(*ns) : Json(nullptr);
}

/// Analyses return a negative value where the recording lacks what they need.
Json known(double value)
{
    return value >= 0 ? Json(value) : Json(nullptr);
}

Json positive(double value)
{
    return value > 0 ? Json(value) : Json(nullptr);
}

Json rangeJson(trace::TimeRange i)
{
    return {{"start_ms", ms(i.start)}, {"end_ms", ms(i.end)}};
}

std::string text(const analysis::TraceIndex& index, std::uint32_t name)
{
    return std::string(index.text(name));
}

Json nameOrNull(const analysis::TraceIndex& index, std::uint32_t name)
{
    return name == 0 ? Json(nullptr) : Json(text(index, name));
}

Json distributionJson(const analysis::Distribution& d)
{
    return {{"count", d.count},         {"total_ms", ms(d.total)}, {"mean_ms", d.mean() * 1e-6},
            {"min_ms", ms(d.shortest)}, {"max_ms", ms(d.longest)}, {"p50_ms", msOrNull(d.p50)},
            {"p99_ms", msOrNull(d.p99)}};
}

trace::TimeRange spanOf(const analysis::TraceIndex& index, const analysis::OperatorForest& forest)
{
    trace::TimeRange span{INT64_MAX, INT64_MIN};
    for (const analysis::Work& w : index.work) {
        span.start = std::min(span.start, w.time.start);
        span.end = std::max(span.end, w.time.end);
    }
    for (const analysis::OperatorNode& n : forest.nodes) {
        span.start = std::min(span.start, n.time.start);
        span.end = std::max(span.end, n.time.end);
    }
    // Intervals exclude their end, and an event that begins at it still belongs to the trace.
    return span.end >= span.start ? trace::TimeRange{span.start, span.end + 1} : trace::TimeRange{};
}

Json useJson(const analysis::DeviceUse& use)
{
    Json idle = Json::object();
    for (std::size_t i = 0; i < analysis::kIdleCauses; ++i)
        idle[std::string(toString(static_cast<analysis::IdleCause>(i))) + "_ms"] = ms(use.idleBy[i]);
    return {{"range", rangeJson(use.window)},
            {"busy_ms", ms(use.busy)},
            {"idle_ms", ms(use.idle)},
            {"busy_share", use.busyShare()},
            {"kernels_ms", ms(use.kernels)},
            {"copies_ms", ms(use.copies)},
            {"copies_alone_ms", ms(use.exposedCopies)},
            {"overlap", known(use.overlap())},
            {"idle_by_cause", idle}};
}

Json operatorJson(const analysis::TraceIndex& index, const analysis::OperatorSummary& row)
{
    return {{"name", text(index, row.name)},
            {"kind", trace::toString(row.kind)},
            {"class", toString(row.opClass)},
            {"depth", row.depth},
            {"calls", row.calls},
            {"host_ms", ms(row.hostTime)},
            {"host_self_ms", ms(row.selfTime)},
            {"device_ms", ms(row.deviceTime)},
            {"device_self_ms", ms(row.ownDeviceTime)},
            {"device_events", row.work}};
}

} // namespace

std::optional<model::Interval> steadyTime(const TraceAnalyses& analyses)
{
    const analysis::Iterations& iterations = analyses.iterations;
    std::vector<double> times;
    // Those before it are warm-up.
    for (std::size_t i = iterations.steady; i < iterations.all.size(); ++i)
        times.push_back(static_cast<double>(iterations.all[i].length()));
    return times.empty() ? std::nullopt : std::optional(stats::medianInterval(times));
}

TraceAnalyses::TraceAnalyses(const analysis::TraceIndex& i, const analysis::OperatorForest& f,
                             const analysis::Iterations& it, const analysis::Ceilings& c)
    : index(i), forest(f), iterations(it), ceilings(c), span(spanOf(i, f))
{
    // The parts run in parallel: each writes its own members and only reads index and forest.
    base::runInParallel(
        {[this] {
             for (const std::int64_t device : index.devices) {
                 const trace::TimeRange all = index.workSpan(device);
                 uses.push_back(analysis::deviceUse(index, forest, device, all));
                 launches.push_back(analysis::launchStatistics(index, device, {all.start, all.end + 1}));
                 if (iterations.found())
                     steadyUses.push_back(analysis::deviceUse(index, forest, device, iterations.window()));
             }
         },
         [this] { operatorTree = analysis::summarizeTree(index, forest, span); },
         [this] { operators = analysis::summarizeOperators(index, forest, span); },
         [this] { memory = analysis::memoryTimeline(index, forest); },
         [this] { roofline = analysis::rooflineTable(index, forest, span, ceilings); },
         [this] { kernels = analysis::kernelTable(index, span); },
         [this] { transfers = analysis::transferLedger(index, forest, span, iterations.all); },
         [this] { collectives = analysis::collectiveTable(index, forest, span); },
         [this] { strip = analysis::iterationStrip(index, forest, iterations); }});
}

Json costDocument(const std::optional<trace::RecordingCost>& cost)
{
    if (!cost)
        return nullptr;
    return {{"bare_ms", model::intervalJson("median", cost->bareNs, 1e-6)},
            {"traced_ms", model::intervalJson("median", cost->tracedNs, 1e-6)},
            {"ratio", model::intervalJson("median", cost->ratio)},
            {"bare_iterations", cost->bareIterations},
            {"traced_iterations", cost->tracedIterations}};
}

Json kernelsDocument(const TraceAnalyses& a)
{
    Json list = Json::array();
    for (const analysis::KernelRow& row : a.kernels) {
        Json time = distributionJson(row.time);
        Json one = {{"name", text(a.index, row.name)}, {"device", row.device}, {"class", toString(row.opClass)}};
        one.update(time);
        one.update(
            {{"share", row.share},
             {"tensor_cores", base::orNull(row.tensorCores)},
             {"grid", row.launch.grid},
             {"block", row.launch.block},
             {"registers", row.launch.registersPerThread > 0 ? Json(row.launch.registersPerThread) : Json(nullptr)},
             {"shapes", row.shapes},
             {"occupancy", known(row.occupancy)},
             {"sm_fill", known(row.smFill)},
             {"waves", known(row.waves)}});
        list.push_back(std::move(one));
    }
    return list;
}

Json operatorsDocument(const TraceAnalyses& a)
{
    Json tree = Json::array();
    for (const analysis::OperatorSummary& row : a.operatorTree)
        tree.push_back(operatorJson(a.index, row));
    Json list = Json::array();
    for (const analysis::OperatorSummary& row : a.operators)
        list.push_back(operatorJson(a.index, row));
    return {{"tree", tree}, {"by_name", list}};
}

Json idleDocument(const TraceAnalyses& a)
{
    Json devices = Json::array();
    for (std::size_t i = 0; i < a.uses.size(); ++i)
        devices.push_back({{"device", a.uses[i].device},
                           {"recording", useJson(a.uses[i])},
                           {"steady", i < a.steadyUses.size() ? useJson(a.steadyUses[i]) : Json(nullptr)}});
    return devices;
}

Json transfersDocument(const TraceAnalyses& a)
{
    Json rows = Json::array();
    // Repeating sections without marks may be a layer or a whole pass, so a count for each would mislead.
    const double iterations = a.iterations.marked() ? static_cast<double>(a.iterations.all.size()) : 0;
    for (const analysis::TransferRow& row : a.transfers.rows)
        rows.push_back({{"device", row.device},
                        {"direction", toString(row.direction)},
                        {"source", toString(row.source)},
                        {"target", toString(row.target)},
                        {"blocking", row.blocking},
                        {"operator", nameOrNull(a.index, row.origin)},
                        {"count", row.count},
                        {"count_per_iteration",
                         iterations > 0 ? Json(static_cast<double>(row.count) / iterations) : Json(nullptr)},
                        {"bytes", row.bytes > 0 ? Json(row.bytes) : Json(nullptr)},
                        {"time_ms", ms(row.time)},
                        {"alone_ms", ms(row.exposed)},
                        {"call_ms", ms(row.callTime)},
                        {"bytes_per_s", positive(row.bandwidth())},
                        {"link_share", known(row.linkShare(a.index.trace.device(row.device)))}});
    Json trips = Json::array();
    for (const analysis::RoundTrip& trip : a.transfers.roundTrips)
        trips.push_back({{"bytes", trip.bytes},
                         {"to_host", rangeJson(a.index.work[static_cast<std::size_t>(trip.toHost)].time)},
                         {"to_device", rangeJson(a.index.work[static_cast<std::size_t>(trip.toDevice)].time)}});
    return {{"copies", rows}, {"round_trips", trips}};
}

Json collectivesDocument(const TraceAnalyses& a)
{
    Json list = Json::array();
    const auto textOrNull = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    for (const analysis::CollectiveRow& row : a.collectives)
        list.push_back({{"device", row.device},
                        {"name", row.call.name},
                        {"type", textOrNull(row.call.type)},
                        {"group", textOrNull(row.call.group)},
                        {"group_description", textOrNull(row.call.groupDescription)},
                        {"ranks", row.call.ranks > 0 ? Json(row.call.ranks) : Json(nullptr)},
                        {"bytes", row.call.bytes > 0 ? Json(row.call.bytes) : Json(nullptr)},
                        {"count", row.count},
                        {"time_ms", ms(row.time)},
                        {"alone_ms", ms(row.exposed)},
                        {"shortest_ms", ms(row.fastest)},
                        {"bus_bytes_per_s", positive(row.busBandwidth())}});
    return list;
}

Json memoryDocument(const TraceAnalyses& a)
{
    Json places = Json::array();
    for (const analysis::MemoryUse& use : a.memory) {
        Json owners = Json::array();
        for (const analysis::MemoryOwner& owner : use.owners)
            owners.push_back({{"name", owner.name.empty() ? Json(nullptr) : Json(owner.name)},
                              {"bytes", owner.bytes},
                              {"blocks", owner.blocks}});
        places.push_back({{"device", use.device < 0 ? Json("host") : Json(use.device)},
                          {"kind", trace::toString(use.kind)},
                          {"peak_bytes", use.peak},
                          {"peak_ms", ms(use.peakTime)},
                          {"left_bytes", use.leftOver},
                          {"allocations", use.allocations},
                          {"allocated_bytes", use.allocatedBytes},
                          {"releases", use.releases},
                          {"foreign_releases", use.foreignReleases},
                          {"owners", owners}});
    }
    Json fragmentations = Json::array();
    for (const std::int64_t device : a.index.devices)
        fragmentations.push_back(
            {{"device", device}, {"reserved_over_used", known(analysis::fragmentation(a.memory, device))}});
    return {{"places", places}, {"fragmentation", fragmentations}};
}

Json launchesDocument(const TraceAnalyses& a)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < a.launches.size(); ++i) {
        const analysis::LaunchStatistics& s = a.launches[i];
        list.push_back({{"device", a.uses[i].device},
                        {"kernels", s.kernels},
                        {"graphs", s.graphs},
                        {"without_call", s.withoutCall},
                        {"call", distributionJson(s.call)},
                        {"delay", distributionJson(s.delay)},
                        {"shorter_than_call", s.shorterThanCall},
                        {"tiny", s.tiny},
                        {"calls_above_50us", s.longCalls},
                        {"delays_above_100us", s.longDelays},
                        {"deepest_queue", s.deepestQueue},
                        {"mean_queue", s.meanQueue}});
    }
    return list;
}

Json iterationsDocument(const TraceAnalyses& a)
{
    const auto steady = steadyTime(a);
    Json strip = Json::array();
    for (std::size_t i = 0; i < a.strip.size(); ++i) {
        const analysis::IterationUse& use = a.strip[i];
        strip.push_back({{"start_ms", ms(use.time.start)},
                         {"time_ms", ms(use.time.length())},
                         {"busy_ms", ms(use.busy)},
                         {"copies_alone_ms", ms(use.copying)},
                         {"events", use.work},
                         {"steady", i >= a.iterations.steady}});
    }
    return {{"source", toString(a.iterations.source)},
            {"unit", a.iterations.found() ? Json(a.iterations.marked() ? "iteration" : "section") : Json(nullptr)},
            {"name", a.iterations.found() ? Json(a.iterations.name) : Json(nullptr)},
            {"count", a.iterations.all.size()},
            {"median_ms", steady ? model::intervalJson("value", *steady, 1e-6) : Json(nullptr)},
            {"strip", strip}};
}

Json rooflineDocument(const TraceAnalyses& a)
{
    Json rows = Json::array();
    for (const analysis::RooflineRow& row : a.roofline)
        rows.push_back({{"operator", text(a.index, row.name)},
                        {"shapes", text(a.index, row.shapes)},
                        {"class", toString(row.opClass)},
                        {"calls", row.calls},
                        {"time_ms", ms(row.time)},
                        {"flops", row.cost.flops},
                        {"bytes", row.cost.bytes},
                        {"flops_per_byte", positive(row.cost.intensity())},
                        {"flops_per_s", positive(row.achieved)},
                        {"bytes_per_s", positive(row.bandwidth)},
                        {"attainable_flops_per_s", positive(row.attainable)},
                        {"efficiency", known(row.efficiency)},
                        {"above_roof", row.aboveRoof()},
                        {"bound", row.bound == analysis::Bound::unknown ? Json(nullptr) : Json(toString(row.bound))}});
    return {{"ceilings", a.ceilings.complete() ? Json{{"flops_per_s", a.ceilings.flops},
                                                      {"bytes_per_s", a.ceilings.memoryBandwidth},
                                                      {"source", a.ceilings.source},
                                                      {"measured", !a.ceilings.fromDataSheet}}
                                               : Json(nullptr)},
            {"operators", rows}};
}

} // namespace apertune::report
