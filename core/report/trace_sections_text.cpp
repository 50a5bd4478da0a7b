// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_sections_text.h"

#include "core/analysis/kernel_name.h"
#include "core/base/text.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <algorithm>

namespace apertune::report {

using namespace analysis; // NOLINT: this file only prints the results of that module

namespace {

constexpr int kLongestName = 72;

std::string msFigure(double ns)
{
    return base::formatSignificant(ns * 1e-6, 4);
}

std::string msFigure(std::int64_t ns)
{
    return msFigure(static_cast<double>(ns));
}

std::string us(std::int64_t ns)
{
    return base::formatSignificant(static_cast<double>(ns) * 1e-3, 4);
}

std::string percentOr(double share)
{
    return share >= 0 ? base::formatPercent(share) : "–";
}

std::string more(std::size_t shown, std::size_t all)
{
    return all > shown ? "… and " + std::to_string(all - shown) + " more (--rows)\n" : std::string();
}

std::string deviceName(const TraceAnalyses& a, std::int64_t device)
{
    const trace::DeviceProperties* properties = a.index.trace.device(device);
    return "device " + std::to_string(device) +
           (properties && !properties->name.empty() ? " (" + properties->name + ")" : std::string());
}

void addUse(text::TextTable& table, const std::string& name, const analysis::DeviceUse& use)
{
    const auto share = [&use](std::int64_t ns) {
        return use.window.length() > 0
                   ? base::formatPercent(static_cast<double>(ns) / static_cast<double>(use.window.length()))
                   : std::string("–");
    };
    std::vector<std::string> cells{name, msFigure(use.window.length()), base::formatPercent(use.busyShare())};
    for (const std::int64_t part : use.idleBy)
        cells.push_back(part > 0 ? share(part) : "");
    table.addRow(std::move(cells));
}

std::string bandwidth(double bytesPerSecond)
{
    return bytesPerSecond > 0 ? base::formatSignificant(bytesPerSecond * 1e-9, 3) : "–";
}

} // namespace

std::string costText(const trace::RecordingCost& cost)
{
    return "An iteration takes " + text::formatPlusMinus(cost.bareNs, 1e-6) + " ms, while recorded " +
           text::formatPlusMinus(cost.tracedNs, 1e-6) + " ms: " + text::formatRatio(cost.ratio) +
           " (n = " + std::to_string(cost.bareIterations) + " and " + std::to_string(cost.tracedIterations) + ")";
}

std::string kernelsText(const TraceAnalyses& a, std::size_t rows, int width)
{
    if (a.kernels.empty())
        return {};
    // A share refers to the kernels of one device. With several devices the table names the device.
    const bool several = a.index.devices.size() > 1;
    std::vector<text::TextTable::Column> columns{{"Kernel", text::Align::left, true},
                                                 {"Class"},
                                                 {"Calls", text::Align::right},
                                                 {"Total ms", text::Align::right},
                                                 {several ? "Of its GPU" : "Of kernels", text::Align::right},
                                                 {"Mean µs", text::Align::right},
                                                 {"p50 µs", text::Align::right},
                                                 {"p99 µs", text::Align::right},
                                                 {"Waves", text::Align::right},
                                                 {"Occup.", text::Align::right},
                                                 {"TC"}};
    if (several)
        columns.insert(columns.begin() + 1, text::TextTable::Column{"GPU", text::Align::right});
    text::TextTable table(std::move(columns));
    for (std::size_t i = 0; i < a.kernels.size() && i < rows; ++i) {
        const analysis::KernelRow& row = a.kernels[i];
        std::vector<std::string> cells{text::elide(analysis::kernelName(a.index.text(row.name)), kLongestName),
                                       std::string(toString(row.opClass)),
                                       std::to_string(row.time.count),
                                       msFigure(row.time.total),
                                       base::formatPercent(row.share),
                                       base::formatSignificant(row.time.mean() * 1e-3, 4),
                                       row.time.p50 ? us(*row.time.p50) : "–",
                                       row.time.p99 ? us(*row.time.p99) : "–",
                                       row.waves >= 0 ? base::formatSignificant(row.waves, 2) : "–",
                                       percentOr(row.occupancy),
                                       !row.tensorCores   ? "?"
                                       : *row.tensorCores ? "yes"
                                                          : ""};
        if (several)
            cells.insert(cells.begin() + 1, std::to_string(row.device));
        table.addRow(std::move(cells));
    }
    return table.render(width) + more(rows, a.kernels.size());
}

std::string operatorsText(const TraceAnalyses& a, std::size_t rows, int width)
{
    if (a.operatorTree.empty())
        return {};
    const bool device = !a.index.work.empty();
    text::TextTable table({{device ? "Operator → its kernels and copies" : "Operator", text::Align::left, true},
                           {"Calls", text::Align::right},
                           {"Host ms", text::Align::right},
                           {"Self ms", text::Align::right},
                           {device ? "Device ms" : "", text::Align::right},
                           {device ? "Work" : "", text::Align::right}});
    for (std::size_t i = 0; i < a.operatorTree.size() && i < rows; ++i) {
        const analysis::OperatorSummary& row = a.operatorTree[i];
        const std::string indent(2 * static_cast<std::size_t>(row.depth), ' ');
        if (row.kind != trace::EventKind::operatorCall) {
            table.addRow({indent + "→ " + text::elide(analysis::kernelName(a.index.text(row.name)), kLongestName),
                          std::to_string(row.calls), "", "", msFigure(row.deviceTime), ""});
            continue;
        }
        table.addRow({indent + std::string(a.index.text(row.name)), std::to_string(row.calls), msFigure(row.hostTime),
                      msFigure(row.selfTime), device ? msFigure(row.deviceTime) : "",
                      device ? std::to_string(row.work) : ""});
    }
    return table.render(width) + more(rows, a.operatorTree.size());
}

std::string idleText(const TraceAnalyses& a, int width)
{
    if (a.uses.empty())
        return {};
    text::TextTable table({{"", text::Align::left, true},
                           {"ms", text::Align::right},
                           {"Busy", text::Align::right},
                           {"Host", text::Align::right},
                           {"Launch", text::Align::right},
                           {"Wait", text::Align::right},
                           {"Copy", text::Align::right},
                           {"Alloc.", text::Align::right},
                           {"Queue", text::Align::right},
                           {"First calls", text::Align::right},
                           {"Unknown", text::Align::right}});
    bool areLonger = false; // whether iterations are longer than the window of their device
    for (std::size_t i = 0; i < a.uses.size(); ++i) {
        addUse(table, deviceName(a, a.uses[i].device), a.uses[i]);
        if (i >= a.steadyUses.size())
            continue;
        addUse(table, a.iterations.marked() ? "  steady iterations" : "  repeated sections", a.steadyUses[i]);
        areLonger = areLonger || a.steadyUses[i].window.length() > a.uses[i].window.length();
    }
    std::string text = table.render(width);
    if (areLonger)
        text += "The time of a device is from its first to its last work. Iterations are longer, as they begin on the "
                "host.\n";
    for (const analysis::DeviceUse& use : a.uses)
        if (use.overlap() >= 0)
            text += "Copies and kernels of device " + std::to_string(use.device) + " run at the same time for " +
                    base::formatPercent(use.overlap()) + " of the shorter total of the two.\n";
    return text;
}

std::string transfersText(const TraceAnalyses& a, std::size_t rows, int width)
{
    const std::vector<analysis::TransferRow>& all = a.transfers.rows;
    if (all.empty())
        return {};
    text::TextTable table({{"Copy"},
                           {"Memory"},
                           {"From", text::Align::left, true},
                           {"Count", text::Align::right},
                           {"Bytes", text::Align::right},
                           {"ms", text::Align::right},
                           {"Alone ms", text::Align::right},
                           {"GB/s", text::Align::right},
                           {"Of link", text::Align::right}});
    for (std::size_t i = 0; i < all.size() && i < rows; ++i) {
        const analysis::TransferRow& row = all[i];
        table.addRow({std::string(toString(row.direction)) + (row.blocking ? ", blocking" : ""),
                      std::string(toString(row.source)) + " → " + std::string(toString(row.target)),
                      row.origin == 0 ? "–" : std::string(a.index.text(row.origin)), std::to_string(row.count),
                      row.bytes > 0 ? base::formatBytes({row.bytes}) : "–", msFigure(row.time), msFigure(row.exposed),
                      bandwidth(row.bandwidth()), percentOr(row.linkShare(a.index.trace.device(row.device)))});
    }
    std::string text = table.render(width) + more(rows, all.size());
    if (!a.transfers.roundTrips.empty())
        text += std::to_string(a.transfers.roundTrips.size()) +
                " round trips: as many bytes as went to the host came back soon after.\n";
    return text;
}

std::string collectivesText(const TraceAnalyses& a, std::size_t rows, int width)
{
    const std::vector<CollectiveRow>& all = a.collectives;
    if (all.empty())
        return {};
    text::TextTable table({{"Collective", text::Align::left, true},
                           {"Group"},
                           {"Ranks", text::Align::right},
                           {"Bytes", text::Align::right},
                           {"Count", text::Align::right},
                           {"ms", text::Align::right},
                           {"Alone ms", text::Align::right},
                           {"Shortest µs", text::Align::right},
                           {"Bus GB/s ≥", text::Align::right}});
    for (std::size_t i = 0; i < all.size() && i < rows; ++i) {
        const CollectiveRow& row = all[i];
        const std::string& group = row.call.groupDescription.empty() ? row.call.group : row.call.groupDescription;
        table.addRow({row.call.name + (row.call.type.empty() ? "" : ", " + row.call.type), group.empty() ? "–" : group,
                      row.call.ranks > 0 ? std::to_string(row.call.ranks) : "–",
                      row.call.bytes > 0 ? base::formatBytes({row.call.bytes}) : "–", std::to_string(row.count),
                      msFigure(row.time), msFigure(row.exposed), us(row.fastest), bandwidth(row.busBandwidth())});
    }
    return table.render(width) + more(rows, all.size()) +
           text::wrap("Times contain waiting for other ranks; the bandwidth is that of the shortest one of each row.",
                      width, 0) +
           "\n";
}

std::string memoryText(const TraceAnalyses& a, std::size_t rows, int width)
{
    std::string text;
    for (const analysis::MemoryUse& use : a.memory) {
        text += (use.device < 0 ? std::string("host") : deviceName(a, use.device)) +
                (use.kind == trace::EventKind::tensorMemory ? ", tensors" : ", driver") + ": peak " +
                base::formatBytes({use.peak}) + (use.partial ? " and what was allocated before the recording" : "") +
                " at " + msFigure(use.peakTime) + " ms, " + std::to_string(use.allocations) + " allocations of " +
                base::formatBytes({use.allocatedBytes}) + " in all, " + base::formatBytes({use.leftOver}) +
                " left at the end\n";
        text::TextTable table({{"  At the peak", text::Align::left, true},
                               {"Bytes", text::Align::right},
                               {"Blocks", text::Align::right}});
        for (std::size_t i = 0; i < use.owners.size() && i < rows; ++i)
            table.addRow(
                {"  " + (use.owners[i].name.empty() ? std::string("(outside of operators)") : use.owners[i].name),
                 base::formatBytes({use.owners[i].bytes}), std::to_string(use.owners[i].blocks)});
        text += table.render(width) + more(rows, use.owners.size()) + "\n";
    }
    for (const std::int64_t device : a.index.devices)
        if (const double ratio = analysis::fragmentation(a.memory, device); ratio >= 0)
            text += deviceName(a, device) + ": " + base::formatSignificant(ratio, 3) +
                    " times as much reserved as used at the peak\n";
    return text;
}

std::string launchesText(const TraceAnalyses& a, int width)
{
    if (a.launches.empty())
        return {};
    text::TextTable table({{"", text::Align::left, true},
                           {"Kernels", text::Align::right},
                           {"Call p50 µs", text::Align::right},
                           {"p99", text::Align::right},
                           {"Delay p50 µs", text::Align::right},
                           {"p99", text::Align::right},
                           {"Shorter than call", text::Align::right},
                           {"Below 10 µs", text::Align::right},
                           {"Deepest queue", text::Align::right}});
    const auto value = [](const std::optional<std::int64_t>& ns) { return ns ? us(*ns) : std::string("–"); };
    for (std::size_t i = 0; i < a.launches.size(); ++i) {
        const analysis::LaunchStatistics& s = a.launches[i];
        table.addRow({deviceName(a, a.uses[i].device), std::to_string(s.kernels), value(s.call.p50), value(s.call.p99),
                      value(s.delay.p50), value(s.delay.p99), std::to_string(s.shorterThanCall), std::to_string(s.tiny),
                      std::to_string(s.deepestQueue)});
    }
    std::string text = table.render(width);
    for (std::size_t i = 0; i < a.launches.size(); ++i)
        if (const std::int64_t without = a.launches[i].withoutCall; without > 0)
            text += deviceName(a, a.uses[i].device) + ": the launch of " + base::counted(without, "kernel") +
                    " is not in the recording; calls and delays leave them out.\n";
    return text;
}

std::string iterationsText(const TraceAnalyses& a, std::size_t rows, int width)
{
    if (!a.iterations.found())
        return "No iteration was recognised: no repeated range, and the order of the work does not repeat.\n";
    const std::string name = a.iterations.names.empty() ? analysis::shortName(a.iterations.name)
                                                        : text::elide(a.iterations.name, kLongestName);
    std::string text = base::counted(static_cast<std::int64_t>(a.iterations.all.size()),
                                     a.iterations.marked() ? "iteration" : "repeated section") +
                       ", " + std::to_string(a.iterations.steady) + " of them warm-up, ";
    switch (a.iterations.source) {
    case analysis::IterationSource::stepMarker:
        text += "between the markers " + name + "\n";
        break;
    case analysis::IterationSource::outermost:
        text += "each a call of " + name + "\n";
        break;
    case analysis::IterationSource::period:
        text += "found by the order of the work; each begins with " + name +
                "\nNo iteration is marked: a section may be a layer, a loop or a whole pass.\n";
        break;
    default:
        text += "marked by the range " + name + "\n";
        break;
    }
    text::TextTable table({{a.iterations.marked() ? "Iteration" : "Section", text::Align::right},
                           {"Start ms", text::Align::right},
                           {"ms", text::Align::right},
                           {"Busy", text::Align::right},
                           {"Copies alone", text::Align::right},
                           {"Events", text::Align::right}});
    for (std::size_t i = 0; i < a.strip.size() && i < rows; ++i) {
        const analysis::IterationUse& use = a.strip[i];
        const auto length = static_cast<double>(std::max<std::int64_t>(1, use.time.length()));
        table.addRow({std::to_string(i + 1) + (i < a.iterations.steady ? "*" : ""), msFigure(use.time.start),
                      msFigure(use.time.length()), base::formatPercent(static_cast<double>(use.busy) / length),
                      base::formatPercent(static_cast<double>(use.copying) / length), std::to_string(use.work)});
    }
    text += table.render(width) + more(rows, a.strip.size()) + (a.iterations.steady > 0 ? "* warm-up\n" : "");
    if (const auto steady = steadyTime(a))
        text += "Median of the steady ones: " + text::formatPlusMinus(*steady, 1e-6) + " ms\n";
    return text;
}

std::string rooflineText(const TraceAnalyses& a, std::size_t rows, int width)
{
    if (a.roofline.empty())
        return {};
    text::TextTable table({{"Operator", text::Align::left, true},
                           {"Shapes", text::Align::left, true},
                           {"Calls", text::Align::right},
                           {"ms", text::Align::right},
                           {"GFLOP", text::Align::right},
                           {"FLOP/B", text::Align::right},
                           {"GFLOP/s", text::Align::right},
                           {"GB/s", text::Align::right},
                           {"Of roof", text::Align::right},
                           {"Bound"}});
    for (std::size_t i = 0; i < a.roofline.size() && i < rows; ++i) {
        const analysis::RooflineRow& row = a.roofline[i];
        table.addRow({std::string(a.index.text(row.name)), text::elide(a.index.text(row.shapes), 44),
                      std::to_string(row.calls), msFigure(row.time), base::formatSignificant(row.cost.flops * 1e-9, 3),
                      base::formatSignificant(row.cost.intensity(), 3), base::formatSignificant(row.achieved * 1e-9, 4),
                      bandwidth(row.bandwidth), percentOr(row.efficiency) + (row.aboveRoof() ? " !" : ""),
                      row.bound == analysis::Bound::unknown ? "–" : std::string(toString(row.bound))});
    }
    std::string text = table.render(width) + more(rows, a.roofline.size());
    if (!a.ceilings.complete())
        text += "The machine's ceilings are not known: no share of the roof.\n";
    else
        text += text::wrap("Roof: " + base::formatSignificant(a.ceilings.flops * 1e-12, 3) + " TFLOP/s and " +
                               base::formatSignificant(a.ceilings.memoryBandwidth * 1e-9, 4) + " GB/s (" +
                               a.ceilings.source + ").",
                           width, 2) +
                "\n";
    if (std::any_of(a.roofline.begin(), a.roofline.end(),
                    [](const analysis::RooflineRow& row) { return row.aboveRoof(); }))
        text += text::wrap(std::string("! Above the ceiling: ") +
                               (a.ceilings.fromDataSheet
                                    ? ""
                                    : "it was measured too low (`apertune device ceilings --refresh`), ") +
                               "a cache served the operands, or the shapes say more than was computed. Not a rate to "
                               "believe.",
                           width, 2) +
                "\n";
    return text;
}

} // namespace apertune::report
