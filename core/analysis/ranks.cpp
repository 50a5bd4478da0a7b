// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/ranks.h"

#include "core/analysis/distribution.h"
#include "core/analysis/errors.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace apertune::analysis {

namespace {

struct Kernel
{
    std::string kind;
    TimeRange time;
};

/// Returns the kind of a collective by its kernel's name.
std::string kindOf(std::string_view kernel)
{
    const std::string lower = base::lower(kernel);
    // "Reduce" is last, because it is part of other names.
    for (const char* const kind :
         {"AllReduce", "AllGather", "ReduceScatter", "SendRecv", "AllToAll", "Broadcast", "Reduce"})
        if (lower.find(base::lower(kind)) != std::string::npos)
            return kind;
    return shortName(kernel);
}

std::vector<Kernel> collectivesOf(const RankTrace& rank)
{
    std::vector<Kernel> kernels;
    for (const Work& w : rank.index->work)
        if (w.isKernel() && rank.step.contains(w.time.start) &&
            rank.index->kernelClass(w.name) == OpClass::communication)
            kernels.push_back({kindOf(rank.index->text(w.name)), w.time});
    return kernels;
}

std::int64_t computingTime(const RankTrace& rank)
{
    std::vector<TimeRange> kernels;
    for (const Work& w : rank.index->work)
        if (w.isKernel() && rank.index->kernelClass(w.name) != OpClass::communication)
            if (const TimeRange part = intersection(w.time, rank.step); part.length() > 0)
                kernels.push_back(part);
    return totalLength(unite(std::move(kernels)));
}

/// Returns the end of a collective at a rank, in ns since 1970 if the recording has that clock. Otherwise the constant
/// difference becomes a part of the clock's offset.
std::int64_t endOf(const RankTrace& rank, const Kernel& kernel)
{
    return rank.index->trace.originEpoch + kernel.time.end;
}

base::Error cannotJoin(base::Message why)
{
    return {base::ErrorCode::invalidArgument, std::move(why), {}, base::message<errors::kNameTheRanksOfOneJob>()};
}

/// Returns why the recordings are not of different ranks of one job; nullopt when they are.
/// REQUIRES: `ranks` are sorted.
std::optional<base::Error> differentJobs(const std::vector<RankTrace>& ranks)
{
    const auto twice = std::adjacent_find(ranks.begin(), ranks.end(),
                                          [](const RankTrace& a, const RankTrace& b) { return a.rank == b.rank; });
    if (twice != ranks.end())
        return cannotJoin(base::message<errors::kRankTwice>(twice->rank));
    if (ranks.size() < 2)
        return cannotJoin(base::message<errors::kOneRank>());
    const auto other = std::find_if(ranks.begin(), ranks.end(),
                                    [&](const RankTrace& r) { return r.worldSize != ranks.front().worldSize; });
    if (other != ranks.end())
        return cannotJoin(base::message<errors::kWorldsDiffer>(ranks.front().rank, ranks.front().worldSize, other->rank,
                                                               other->worldSize));
    return std::nullopt;
}

/// Returns the collectives of each rank. They agree in number and kind, so the i-th ones belong together.
base::Result<std::vector<std::vector<Kernel>>> equalCollectives(const std::vector<RankTrace>& ranks)
{
    std::vector<std::vector<Kernel>> kernels;
    for (const RankTrace& rank : ranks)
        kernels.push_back(collectivesOf(rank));
    for (std::size_t r = 1; r < ranks.size(); ++r) {
        if (kernels[r].size() != kernels[0].size())
            return cannotJoin(base::message<errors::kCollectivesDifferInNumber>(
                ranks[0].rank, static_cast<std::int64_t>(kernels[0].size()), ranks[r].rank,
                static_cast<std::int64_t>(kernels[r].size())));
        for (std::size_t i = 0; i < kernels[r].size(); ++i)
            if (kernels[r][i].kind != kernels[0][i].kind)
                return cannotJoin(base::message<errors::kCollectivesDifferInKind>(static_cast<std::int64_t>(i + 1),
                                                                                  kernels[0][i].kind, ranks[0].rank,
                                                                                  kernels[r][i].kind, ranks[r].rank));
    }
    if (kernels[0].empty())
        return cannotJoin(base::message<errors::kNoCollectives>());
    return kernels;
}

/// Sets the ranks of the result with the offsets of their clocks, and the error of these offsets.
void alignClocks(const std::vector<RankTrace>& ranks, const std::vector<std::vector<Kernel>>& kernels,
                 RankComparison& result)
{
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        std::vector<std::int64_t> apart;
        for (std::size_t i = 0; i < kernels[r].size(); ++i)
            apart.push_back(endOf(ranks[r], kernels[r][i]) - endOf(ranks[0], kernels[0][i]));
        RankUse use;
        use.rank = ranks[r].rank;
        use.clockOffset = median(apart);
        use.step = ranks[r].step.length();
        use.computing = computingTime(ranks[r]);
        result.ranks.push_back(use);
        for (std::int64_t& distance : apart)
            distance = std::abs(distance - use.clockOffset);
        std::sort(apart.begin(), apart.end());
        result.clockError = std::max(result.clockError, apart[apart.size() * 9 / 10]);
    }
}

/// Returns the nanoseconds to add to a time of rank `r`, which moves it to the clock of the first rank.
std::int64_t shiftOf(const std::vector<RankTrace>& ranks, const RankComparison& result, std::size_t r)
{
    return ranks[r].index->trace.originEpoch - ranks[0].index->trace.originEpoch - result.ranks[r].clockOffset;
}

/// Sets RankUse::lateStart. REQUIRES: alignClocks().
void compareStarts(const std::vector<RankTrace>& ranks, RankComparison& result)
{
    std::int64_t earliest = INT64_MAX;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        earliest = std::min(earliest, ranks[r].step.start + shiftOf(ranks, result, r));
    for (std::size_t r = 0; r < ranks.size(); ++r)
        result.ranks[r].lateStart = ranks[r].step.start + shiftOf(ranks, result, r) - earliest;
}

/// Returns the i-th collective of all ranks, with its waits. REQUIRES: alignClocks().
Collective joinCollective(const std::vector<RankTrace>& ranks, const std::vector<std::vector<Kernel>>& kernels,
                          std::size_t i, const RankComparison& result)
{
    Collective c;
    c.kind = kernels[0][i].kind;
    std::int64_t arrived = INT64_MIN;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const std::int64_t shift = shiftOf(ranks, result, r);
        c.times.push_back({kernels[r][i].time.start + shift, kernels[r][i].time.end + shift});
        if (c.times.back().start > arrived) {
            arrived = c.times.back().start;
            c.last = r;
        }
    }
    // An error of the aligned clocks must not make a wait negative, or longer than its kernel.
    for (const TimeRange& time : c.times)
        c.waits.push_back(std::clamp<std::int64_t>(arrived - time.start, 0, time.length()));
    return c;
}

/// Sets the collectives of the result and the times of its ranks in them. REQUIRES: compareStarts().
void attributeWaits(const std::vector<RankTrace>& ranks, const std::vector<std::vector<Kernel>>& kernels,
                    RankComparison& result)
{
    // Collectives of several streams overlap. Their union counts each moment once.
    std::vector<std::vector<TimeRange>> waits(ranks.size());
    std::vector<std::vector<TimeRange>> transfers(ranks.size());
    for (std::size_t i = 0; i < kernels[0].size(); ++i) {
        Collective c = joinCollective(ranks, kernels, i, result);
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            const TimeRange time = c.times[r];
            waits[r].push_back({time.start, time.start + c.waits[r]});
            transfers[r].push_back({time.start + c.waits[r], time.end});
            // The first collective absorbs the delays of the starts: the ranks leave it together.
            if (i == 0)
                result.lateStarts +=
                    std::clamp<std::int64_t>(result.ranks[c.last].lateStart - result.ranks[r].lateStart, 0, c.waits[r]);
        }
        ++result.ranks[c.last].lastAt;
        result.ranks[c.last].delaying += c.allWaits();
        result.collectives.push_back(std::move(c));
    }
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        result.ranks[r].waiting = totalLength(unite(std::move(waits[r])));
        result.ranks[r].transferring = totalLength(unite(std::move(transfers[r])));
    }
}

/// Returns RankComparison::straggler. REQUIRES: attributeWaits().
std::optional<std::size_t> stragglerOf(const RankComparison& result)
{
    std::int64_t steps = 0;
    for (const RankUse& use : result.ranks)
        steps += use.step;
    const auto most = std::max_element(result.ranks.begin(), result.ranks.end(),
                                       [](const RankUse& a, const RankUse& b) { return a.delaying < b.delaying; });
    if (result.missing == 0 && result.endsAgree() &&
        static_cast<double>(result.waiting()) >= kLeastWaiting * static_cast<double>(steps) &&
        static_cast<double>(most->delaying) >= kStragglerShare * static_cast<double>(result.allWaits()))
        return static_cast<std::size_t>(most - result.ranks.begin());
    return std::nullopt;
}

} // namespace

std::int64_t Collective::allWaits() const
{
    return std::accumulate(waits.begin(), waits.end(), std::int64_t{0});
}

std::int64_t RankComparison::waiting() const
{
    std::int64_t sum = 0;
    for (const RankUse& use : ranks)
        sum += use.waiting;
    return sum;
}

std::int64_t RankComparison::allWaits() const
{
    std::int64_t sum = 0;
    for (const Collective& collective : collectives)
        sum += collective.allWaits();
    return sum;
}

bool RankComparison::endsAgree() const
{
    const auto pieces = static_cast<double>(collectives.size() * ranks.size());
    // 1 µs each is allowed beside the fifth, so that rounded clocks of ranks that hardly wait pass.
    return static_cast<double>(clockError) * pieces <= std::max(0.2 * static_cast<double>(allWaits()), 1e3 * pieces);
}

base::Result<RankComparison> compareRanks(std::vector<RankTrace> ranks)
{
    std::sort(ranks.begin(), ranks.end(), [](const RankTrace& a, const RankTrace& b) { return a.rank < b.rank; });
    if (std::optional<base::Error> error = differentJobs(ranks))
        return std::move(*error);
    const base::Result<std::vector<std::vector<Kernel>>> kernels = equalCollectives(ranks);
    if (!kernels.ok())
        return kernels.error();
    RankComparison result;
    result.missing = std::max<std::int64_t>(0, ranks.front().worldSize - static_cast<std::int64_t>(ranks.size()));
    alignClocks(ranks, kernels.value(), result);
    compareStarts(ranks, result);
    attributeWaits(ranks, kernels.value(), result);
    result.straggler = stragglerOf(result);
    return result;
}

} // namespace apertune::analysis
