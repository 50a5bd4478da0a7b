// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives.h"

#include "core/analysis/kernel_times.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

namespace apertune::analysis {

namespace {

/// Returns a member as text. Recorders write numbers with and without quotes.
std::string textOf(const base::Json& object, const char* name)
{
    const auto at = object.find(name);
    if (at == object.end())
        return {};
    return at->is_string() ? at->get<std::string>() : at->is_number_integer() ? at->dump() : std::string();
}

/// Returns a member as a count; 0 when it is none.
std::int64_t countOf(const base::Json& object, const char* name)
{
    const std::string text = textOf(object, name);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // Larger numbers are damage, and their product with the size of an element would overflow.
    return error == std::errc() && end == text.data() + text.size() && value < (std::int64_t{1} << 48)
               ? std::max<std::int64_t>(0, value)
               : 0;
}

/// Returns the bytes of an element by PyTorch's type names in record_param_comms; 0: unknown.
std::int64_t bytesOf(const std::string& type)
{
    static const std::map<std::string, std::int64_t, std::less<>> kBytes{
        {"byte", 1}, {"char", 1},  {"bool", 1}, {"short", 2},  {"half", 2},         {"bfloat16", 2},
        {"int", 4},  {"float", 4}, {"long", 8}, {"double", 8}, {"complexfloat", 8}, {"complexdouble", 16}};
    const std::string word = base::lower(type);
    if (word.starts_with("float8"))
        return 1;
    const auto at = kBytes.find(word);
    return at == kBytes.end() ? 0 : at->second;
}

} // namespace

std::optional<CollectiveCall> collectiveCall(std::string_view text)
{
    const auto object = base::Json::parse(text, nullptr, false);
    if (!object.is_object())
        return std::nullopt;
    CollectiveCall call;
    call.name = textOf(object, "Collective name");
    if (call.name.empty())
        return std::nullopt;
    call.type = textOf(object, "dtype");
    call.group = textOf(object, "Process Group Name");
    call.groupDescription = textOf(object, "Process Group Description");
    // PyTorch writes "undefined" for a group without a description.
    if (call.groupDescription == "undefined")
        call.groupDescription.clear();
    call.ranks = countOf(object, "Group size");
    // The larger of the two messages is what the link carries.
    call.bytes = std::max(countOf(object, "In msg nelems"), countOf(object, "Out msg nelems")) * bytesOf(call.type);
    return call;
}

double busBytesPerByte(const CollectiveCall& call)
{
    if (call.ranks <= 0)
        return 0;
    const std::string name = base::lower(call.name);
    const auto has = [&name](std::string_view word) { return name.find(word) != std::string::npos; };
    // The factors are those of NCCL's tests: an all-reduce moves each byte 2 (n − 1) / n times.
    const double others = static_cast<double>(call.ranks - 1) / static_cast<double>(call.ranks);
    if (has("allreduce") || has("all_reduce"))
        return 2 * others;
    if (has("gather") || has("scatter") || has("all_to_all") || has("alltoall"))
        return others;
    return call.ranks > 1 ? 1 : 0;
}

double CollectiveRow::busBandwidth() const
{
    return fastest > 0 ? busBytesPerByte(call) * static_cast<double>(call.bytes) / (static_cast<double>(fastest) * 1e-9)
                       : 0;
}

std::vector<CollectiveRow> collectiveTable(const TraceIndex& index, const OperatorForest& forest, TimeRange window)
{
    // Each text is read once, because the same texts repeat often.
    std::unordered_map<std::uint32_t, std::optional<CollectiveCall>> known;
    const auto callOf = [&](std::int32_t work) -> const CollectiveCall* {
        // The text is on the operator that called the collective, above the kernel.
        for (std::int32_t node = forest.ofWork(work); node != kNone;
             node = forest.nodes[static_cast<std::size_t>(node)].parent) {
            const std::uint32_t detail = forest.nodes[static_cast<std::size_t>(node)].detail;
            const trace::StringId text = index.trace.details.operators[detail].collective;
            if (!text)
                continue;
            auto [at, added] = known.try_emplace(text.value);
            if (added)
                at->second = collectiveCall(index.text(text.value));
            return at->second ? &*at->second : nullptr;
        }
        return nullptr;
    };
    struct Piece
    {
        const Work* work = nullptr;
        const CollectiveCall* call = nullptr;
    };
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < index.work.size(); ++i) {
        const Work& w = index.work[i];
        if (!w.isKernel() || !window.contains(w.time.start) || index.kernelClass(w.name) != OpClass::communication)
            continue;
        if (const CollectiveCall* call = callOf(static_cast<std::int32_t>(i)))
            pieces.push_back({&w, call});
    }
    if (pieces.empty())
        return {};
    const std::vector<TimeRanges> computing = kernelTimes(index, Collectives::leftOut);
    using Key = std::tuple<std::uint16_t, std::string, std::string, std::string, std::int64_t, std::int64_t>;
    std::map<Key, CollectiveRow> rows;
    for (const Piece& piece : pieces) {
        const CollectiveCall& call = *piece.call;
        const TimeRange time = piece.work->time;
        CollectiveRow& row = rows[{piece.work->device, call.name, call.type, call.group, call.ranks, call.bytes}];
        row.device = index.devices[piece.work->device];
        // Equal calls on one device are one row.
        row.call = call;
        row.fastest = row.count == 0 ? time.length() : std::min(row.fastest, time.length());
        ++row.count;
        row.time += time.length();
        // Time in which no other kernel ran is what the collective costs.
        row.exposed += time.length() - coveredLength(computing[piece.work->device], time);
    }
    std::vector<CollectiveRow> table;
    for (auto& [key, row] : rows)
        table.push_back(std::move(row));
    std::stable_sort(table.begin(), table.end(),
                     [](const CollectiveRow& a, const CollectiveRow& b) { return a.time > b.time; });
    return table;
}

} // namespace apertune::analysis
